import Dispatch
import SettingsClient

let client = try SettingsClient.connectAndWait()
let settings = ObservableSettings(client) { work in DispatchQueue.main.async(execute: work) }

// Called now, and again whenever something changes that it has read.
settings.observe { settings in print("\(settings.profile.name) <\(settings.profile.email)>") }
settings.observe { settings in
    if let error = settings.error { print("refused: \(error.message)") }
}

// What an entry of a form would do: shown at once, put back should the service refuse it.
for address in CommandLine.arguments.dropFirst() { settings.profile.email = address }
dispatchMain()
