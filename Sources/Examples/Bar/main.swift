import EventLoop
import SettingsClient

// The part of a status bar that shows who is at home and what plays. Any loop will do for `loop`: see "In a user interface".
let loop = try EventLoop()
let client = try SettingsClient.connectAndWait()
let settings = ObservableSettings(client) { work in loop.post(work) }

settings.observe { settings in
    print("\(settings.profile.name) ♪ \(settings.provider.details?.name ?? settings.provider.rawValue)")
}
settings.observe { settings in
    if let error = settings.error { print("refused: \(error.message)") }
}
if let name = CommandLine.arguments.dropFirst().first {
    settings.profile.name = name
}
loop.run()
