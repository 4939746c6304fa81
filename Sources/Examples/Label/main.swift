import CGLib
import SettingsClient

/// Hands work to GLib's main loop: the one of GTK, and of Qt on Linux.
@Sendable func onMainLoop(_ work: @escaping @Sendable () -> Void) {
    final class Once: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    g_idle_add(
        { once in
            Unmanaged<Once>.fromOpaque(once!).takeRetainedValue().work()
            return 0  // not again
        }, Unmanaged.passRetained(Once(work)).toOpaque())
}

let client = try SettingsClient.connectAndWait()
let settings = ObservableSettings(client, delivery: onMainLoop)
settings.observe { settings in print("\(settings.profile.name) listens with \(settings.provider)") }
if let name = CommandLine.arguments.dropFirst().first { settings.profile.name = name }
g_main_loop_run(g_main_loop_new(nil, 0))
