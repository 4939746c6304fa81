import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// The tools and bindings that people use with other services.
@Suite(.logsOnFailure) struct NeighbourTests {
    let session: TestSession
    let daemon: RunningProcess
    static let destination = ["org.settingsd.Settings1", "/org/settingsd/Settings1"]
    static let name = "org.settingsd.Settings1"

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
    }

    /// Runs a program to its end.
    private func run(_ program: String, _ arguments: [String]) throws -> RunningProcess {
        let process = try RunningProcess(program, arguments, environment: session.environment)
        try process.waitForExit()
        return process
    }

    private func busctl(_ command: String, _ arguments: String...) throws -> RunningProcess {
        try run("busctl", ["--user", command] + Self.destination + arguments)
    }

    private func python(_ script: String) throws -> RunningProcess {
        let file = try session.folder.write(script, to: "world-clock.py")
        return try run("/usr/bin/python3", [file])
    }

    @Test func busctlSeesEveryMemberWithItsTypeAndValue() throws {
        let shown = try busctl("introspect")
        #expect(try shown.waitForExit() == .exited(0))
        let lines = shown.stdout.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for expected in [
            [".Write", "method", "a{sv}a{sv}", "t"], [".Dispatch", "method", "a(sa{sv})a{sv}", "t"],
            [".OpenSupportLink", "method", "s", "ts"], [".UpdateProfile", "method", "a{sv}", "t"],
            [".Changed", "signal", "ta{sv}a{sv}", "-"], [".Revision", "property", "t", "0", "-"],
            [".Id", "property", "s", "\"none\"", "emits-change", "writable"],
            [".Version", "property", "s", "\"\(SettingsVersion.current)\"", "const"],
            [".Problems", "property", "as", "0", "emits-change"],
        ] {
            #expect(lines.contains { $0.starts(with: expected) }, "\(expected)")
        }
    }

    @Test func busctlCallsAndSets() throws {
        #expect(try busctl("call", Self.name, "Write", "a{sv}a{sv}", "1", "profile.name", "s", "Ada", "0").stdout == "t 1\n")
        #expect(try busctl("call", Self.name, "Read", "s", "profile.name").stdout == "v s \"Ada\"\n")
        #expect(try busctl("set-property", "\(Self.name).Provider", "Id", "s", "mpd").waitForExit() == .exited(0))
        #expect(try busctl("get-property", "\(Self.name).Provider", "Id").stdout == "s \"mpd\"\n")
        #expect(try busctl("call", "\(Self.name).Actions", "SelectProvider", "s", "spotify").stdout == "t 3\n")
        let refused = try busctl("call", Self.name, "Read", "s", "profile.nam")
        #expect(refused.stderr == "Call failed: there is no setting \"profile.nam\"; did you mean \"profile.name\"?\n")
        let changes = try busctl("call", Self.name, "ChangesSince", "t", "0")
        #expect(changes.stdout.contains("\"application\" s \"busctl\""))
    }

    @Test func gdbusIntrospectsAndCalls() throws {
        let shown = try run("gdbus", ["introspect", "--session", "-d", Self.name, "-o", Self.destination[1]])
        #expect(shown.stdout.contains("Changed(t revision,"))
        #expect(shown.stdout.contains("readwrite s Name = '';"))
        let call = ["call", "--session", "-d", Self.name, "-o", Self.destination[1], "-m"]
        let written = try run("gdbus", call + ["\(Self.name).Write", "{'profile.name': <'Ada'>}", "{}"])
        #expect(written.stdout == "(uint64 1,)\n")
        let described = try run("gdbus", call + ["\(Self.name).Describe", "['provider']"])
        #expect(described.stdout.contains("'choice_details': <{'none': {'name': <'None'>"))
        let refused = try run("gdbus", call + ["\(Self.name).Write", "{'profile.name': <1>}", "{}"])
        #expect(refused.stderr.contains("org.settingsd.Settings1.Error.InvalidValue"))
    }

    @Test(.enabled(if: Self.hasModule("dbus_next"), "needs python3-dbus-next"))
    func dbusNextCallsAndHearsBothSignals() throws {
        let result = try python(
            """
            import asyncio
            from dbus_next import Variant
            from dbus_next.aio import MessageBus
            async def main():
                bus = await MessageBus().connect()
                name, path = 'org.settingsd.Settings1', '/org/settingsd/Settings1'
                settings = bus.get_proxy_object(name, path, await bus.introspect(name, path))
                main, profile = settings.get_interface(name), settings.get_interface(name + '.Profile')
                loop = asyncio.get_running_loop()
                changed, announced = loop.create_future(), loop.create_future()
                main.on_changed(lambda a, b, c: changed.done() or changed.set_result((a, b, c)))
                settings.get_interface('org.freedesktop.DBus.Properties').on_properties_changed(
                    lambda a, b, c: announced.done() or announced.set_result((a, b, c)))
                await main.call_reload()
                print(await main.call_write({'profile.name': Variant('s', 'Zoë')}, {}))
                revision, values, details = await asyncio.wait_for(changed, 10)
                print(revision, values['profile.name'].value, details['application'].value, details['origin'].value)
                interface, values, gone = await asyncio.wait_for(announced, 10)
                print(interface, values['Name'].value, gone, await profile.get_name())
                await profile.set_email('zoe@example.org')
                print(await settings.get_interface(name + '.Actions').call_update_profile({'email': Variant('s', '')}))
            asyncio.run(main())
            """)
        #expect(
            result.stdout == """
                1
                1 Zoë world-clock.py bus
                org.settingsd.Settings1.Profile Zoë [] Zoë
                3

                """, "\(result.log)")
    }

    @Test(.enabled(if: Self.hasModule("gi"), "needs python3-gi"))
    func aGioProxyKeepsItsCacheUpToDate() throws {
        let result = try python(
            """
            from gi.repository import Gio, GLib
            name, path = 'org.settingsd.Settings1', '/org/settingsd/Settings1'
            bus = Gio.bus_get_sync(Gio.BusType.SESSION)
            profile = Gio.DBusProxy.new_sync(bus, 0, None, name, path, name + '.Profile')
            loop = GLib.MainLoop()
            def changed(proxy, values, gone):
                print(values.unpack(), proxy.get_cached_property('Name').unpack())
                loop.quit()
            profile.connect('g-properties-changed', changed)
            print(profile.get_cached_property('Name').unpack() == '')
            settings = Gio.DBusProxy.new_sync(bus, 0, None, name, path, name)
            print(settings.Write('(a{sv}a{sv})', {'profile.name': GLib.Variant('s', 'Ada')}, {}))
            GLib.timeout_add_seconds(10, loop.quit)
            loop.run()
            try: settings.Read('(s)', 'profile.nam')
            except GLib.Error as error: print(Gio.DBusError.get_remote_error(error))
            """)
        #expect(
            result.stdout == """
                True
                1
                {'Name': 'Ada'} Ada
                org.settingsd.Settings1.Error.UnknownKey

                """, "\(result.log)")
    }

    private static func hasModule(_ name: String) -> Bool {
        let process = try? RunningProcess("/usr/bin/python3", ["-c", "import \(name)"], environment: ["PATH": "/usr/bin:/bin"])
        return (try? process?.waitForExit()) == .exited(0)
    }
}
