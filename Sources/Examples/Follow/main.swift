import SettingsClient

let settings = try await SettingsClient.connect()
for await event in settings.changes {
    switch event {
    case .snapshot(let snapshot):
        // First, after a gap, and when this loop was too slow: everything as it is now.
        print("revision \(snapshot.revision): \(snapshot.values.count) settings")
    case .changed(let change):
        for (key, value) in change.values {
            print("revision \(change.revision): \(key) is \(value.string ?? "") by \(change.application)")
        }
    case .action(let action, _):
        print("asked for: \(action.name)")
    case .problems(let problems):
        // A mistake in a file, the user's or an administrator's; none: it was mended.
        print(problems.isEmpty ? "all is well again" : "wrong: \(problems.joined(separator: "; "))")
    case .lost(let error):
        print("waiting: \(error.message)")
    }
}
