import SettingsClient

do {
    let settings = try await SettingsClient.connect()
    print("Hello, \(settings.profile.name)!")
    for await provider in try settings.values(of: "provider") { print("You listen with \(provider.string ?? "").") }
} catch {
    print("no settings: \(error.message)")
}
