import Foundation
import TestSupport
import Testing

@testable import SettingsService

@Suite struct ProcessIdentityTests {
    @Test(arguments: [
        ("app-org.gnome.Maps-4211.scope", "org.gnome.Maps"), ("app-gnome-org.gnome.Maps-4211.scope", "org.gnome.Maps"),
        ("app-org.kde.dolphin@1f2e3d.service", "org.kde.dolphin"), ("app-org.kde.dolphin.service", "org.kde.dolphin"),
        ("app-org.gnome.Evolution\\x2dalarm\\x2dnotify@autostart.service", "org.gnome.Evolution-alarm-notify"),
        ("app-flatpak-org.example.App-77.scope", "org.example.App"),
    ])
    func anApplicationsUnitGivesItsDesktopID(unit: String, id: String) {
        #expect(ProcessIdentity.desktopID(ofUnit: unit) == id)
        let groups = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/\(unit)/inner\n"
        #expect(ProcessIdentity.desktopID(inGroups: groups) == id)
        #expect(ProcessIdentity.desktopID(inGroups: "3:cpu:/x\n1:name=systemd:/app.slice/\(unit)\n") == id)
    }

    @Test(arguments: [
        "session-2.scope", "app-x.scope", "app.slice", "app-org.gnome.Maps.slice", "dbus.service", "vte-spawn-1.scope",
        "app-.service",
    ])
    func anotherUnitGivesNone(unit: String) {
        #expect(ProcessIdentity.desktopID(inGroups: "0::/user.slice/\(unit)\n") == nil)
    }

    @Test(arguments: [
        ("snap.firefox.firefox-7a0c1b7e-9c4b-4a6e-8f21-0d7c9f8f1b52.scope", "firefox_firefox"),
        ("snap.code.url-handler.7a0c1b7e-9c4b-4a6e-8f21-0d7c9f8f1b52.scope", "code_url-handler"),
        ("snap.lxd.daemon.service", "lxd_daemon"),
    ])
    func aSnapsUnitGivesTheNameOfItsDesktopFile(unit: String, id: String) {
        #expect(ProcessIdentity.desktopID(inGroups: "0::/app.slice/\(unit)\n") == id)
    }

    @Test func aFlatpaksInfoGivesItsApplication() {
        #expect(ProcessIdentity.flatpakID(in: "[Application]\nname=org.example.App\nruntime=x\n") == "org.example.App")
        #expect(ProcessIdentity.flatpakID(in: "[Runtime]\nname=org.example.Runtime\n[Context]\nname=x\n") == nil)
    }

    @Test(arguments: [
        ("/usr/bin/settingsctl", ["settingsctl", "get"], "settingsctl"), ("/opt/a b (deleted)", ["x"], "a b"),
        ("/usr/bin/python3.11", ["python3", "-u", "/home/ada/clock.py", "x.py"], "clock.py"),
        ("/usr/bin/python3.11", ["python3", "-m", "clock", "x"], "clock"),
        ("/usr/bin/python3.11", ["python3", "-c", "print(1)", "x"], "python3.11"),
        ("/usr/bin/bash", ["bash"], "bash"), ("/usr/bin/dash", ["/bin/sh", "./sync.sh"], "sync.sh"),
        ("/usr/bin/gjs-console", ["/usr/bin/gjs", "/usr/bin/org.gnome.Weather"], "org.gnome.Weather"),
        ("/usr/bin/bashful", ["bashful", "x"], "bashful"),
    ])
    func aProgramIsKnownByItsNameAndAScriptByItsOwn(program: String, arguments: [String], name: String) {
        #expect(ProcessIdentity.programName(program, arguments: arguments) == name)
    }

    @Test(arguments: [
        ("settingsctl", ["settingsctl", "get"], "settingsctl"), ("bash", ["-bash"], "bash"), ("kthread", [], "kthread"),
        ("a-program-of-so", ["/opt/a-program-of-some-length"], "a-program-of-some-length"),
        ("python3", ["python3", "/home/ada/clock.py"], "clock.py"),
        ("a-script-of-som", ["/usr/bin/python3", "./a-script-of-some-length.py", "x"], "a-script-of-some-length.py"),
        ("python3", ["python3", "-c", "print(1)"], "python3"), ("browser", ["something else altogether"], "browser"),
    ])
    func aProgramWhoseExecutableIsNotToBeSeenIsKnownByItsCommandLine(command: String, arguments: [String], name: String) {
        #expect(ProcessIdentity.programName(command: command, arguments: arguments) == name)
    }

    @Test func aProcessThatIsThereHasANameAndOneThatIsGoneHasNone() throws {
        #expect(ProcessIdentity.application(of: getpid()) == ProcessInfo.processInfo.processName)
        let script = try TemporaryFolder()
        let path = try script.write("echo ready\nread line < /dev/zero\n", to: "world-clock.sh")
        let process = try RunningProcess("bash", [path], environment: ["PATH": "/usr/bin:/bin"])
        try process.waitForOutput("ready")
        #expect(ProcessIdentity.application(of: process.pid) == "world-clock.sh")
        try process.end(SIGKILL)
        #expect(ProcessIdentity.application(of: process.pid) == "")
    }

    @Test(arguments: [
        ("a\0b", "a\u{FFFD}b"), ("x\n3\tsettingsctl", "x\u{FFFD}3\u{FFFD}settingsctl"),
        ("\u{202E}evil\u{1B}[31m", "\u{FFFD}evil\u{FFFD}[31m"),
        ("a\u{2028}b\u{85}", "a\u{FFFD}b\u{FFFD}"), ("Zoë 時計", "Zoë 時計"),
        (String(repeating: "L", count: 16_000), String(repeating: "L", count: 255)),
    ])
    func aNameThatAProcessGivesItselfIsFitForALine(name: String, shown: String) {
        #expect(ProcessIdentity.presentable(name) == shown)
    }

    @Test func onlyAFileInMemoryIsLookedAtInAnothersRoot() {
        let mounts = """
            36 35 98:0 / / rw,noatime shared:1 - fuse.evil tmpfs rw
            361 35 0:41 / /x\\040- rw master:2 propagate_from:1 - tmpfs tmpfs rw,size=4k

            """
        #expect(ProcessIdentity.isInMemory(mount: 361, among: mounts))
        #expect(!ProcessIdentity.isInMemory(mount: 36, among: mounts))
        #expect(!ProcessIdentity.isInMemory(mount: 3, among: mounts))
        #expect(!ProcessIdentity.isInMemory(mount: -1, among: ""))
    }
}
