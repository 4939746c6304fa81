import SettingsClient

let settings = try await SettingsClient.connect()
let title = CommandLine.arguments.dropFirst().first ?? "Dr."

do {
    // Reads, writes, and tries again should somebody else change something in between.
    let revision = try await settings.update { draft in
        draft.profile.name = "\(title) \(draft.profile.name)"
    }
    print("revision \(revision): \(settings.profile.name)")
} catch {
    // The message is for people: what was refused, why, and what would be right.
    print("not renamed: \(error.message)")
}
