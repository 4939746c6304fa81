import Foundation
import TestSupport
import Testing

/// The programs that the documentation shows, each run as it is there.
@Suite(.logsOnFailure) struct ClientTourTests {
    let session: TestSession
    let daemon: RunningProcess
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        try session.control("set", "profile.name", "Ada")
    }

    /// Starts a program with its output written line by line.
    private func start(_ program: String, _ arguments: String..., environment changes: [String: String] = [:]) throws
        -> RunningProcess
    {
        try RunningProcess(
            "stdbuf", ["-oL", program] + arguments, environment: session.environment.merging(changes) { $1 })
    }

    private func example(_ name: String, _ arguments: String...) throws -> RunningProcess {
        try RunningProcess("stdbuf", ["-oL", Products.path(name)] + arguments, environment: session.environment)
    }

    // MARK: Swift

    @Test func helloGreetsAndFollowsTheProvider() throws {
        let hello = try example("Hello")
        try hello.waitForOutput("Hello, Ada!\nYou listen with none.\n")
        try session.control("set", "provider", "mpd")
        try hello.waitForOutput("You listen with mpd.\n")
    }

    @Test func followTellsEverything() throws {
        let follow = try example("Follow")
        try follow.waitForOutput("revision 1: 13 settings\n")
        try session.control("set", "support.help", "https://e.org/")
        try follow.waitForOutput("revision 2: support.help is https://e.org/ by settingsctl\n")
        try session.control("open", "help", "--print")
        try follow.waitForOutput("asked for: OpenSupportLink\n")
        try daemon.end()
        try follow.waitForOutput("waiting: ")
        let again = try session.startDaemon()
        try eventually("the return") { follow.stdout.hasSuffix("revision 2: 13 settings\n") }
        _ = again
    }

    @Test func renameReadsChangesAndExplains() throws {
        #expect(try example("Rename", "Dr.").result().stdout == "revision 2: Dr. Ada\n")
        let refused = try example("Rename", "\u{202E}").result()
        #expect(refused.stdout.hasPrefix("not renamed: profile.name: "))
        #expect(try session.control("get", "profile.name").stdout == "Dr. Ada\n")
    }

    @Test func barShowsWhatIsNew() throws {
        let bar = try example("Bar", "Grace")
        try bar.waitForOutput("Ada ♪ None\nGrace ♪ None\n")
        try session.control("set", "provider", "spotify")
        try bar.waitForOutput("Grace ♪ Spotify\n")
    }

    @Test func panelPutsBackWhatIsRefused() throws {
        let panel = try example("Panel", "ada@e.org", "nonsense")
        try panel.waitForOutput("Ada <nonsense>\nAda <ada@e.org>\nrefused: profile.email: ")
        try session.control("set", "profile.name", "Grace")
        try panel.waitForOutput("Grace <ada@e.org>\n")
    }

    @Test(.enabled(if: (try? Products.path("Label")) != nil, "needs libglib2.0-dev")) func labelLivesInTheLoopOfGLib() throws {
        let label = try example("Label", "Grace")
        try label.waitForOutput("Ada listens with none\nGrace listens with none\n")
        try session.control("set", "provider", "mpd")
        try label.waitForOutput("Grace listens with mpd\n")
    }

    @Test func helloSaysThatThereIsNoDaemon() throws {
        try daemon.end()
        let hello = try example("Hello").result()
        #expect(hello.stdout.hasPrefix("no settings: the daemon is not running"), "\(hello)")
        #expect(hello.status == .exited(0))
    }

    // MARK: Python

    private static let hasScreen = FileManager.default.isExecutableFile(atPath: "/usr/bin/Xvfb")

    private func python(_ file: String) -> String { "\(Self.root)/Sources/Examples/Python/\(file)" }

    @Test(.enabled(if: Python.has("gi"), "needs python3-gi")) func aPythonProgramFollowsAndChanges() throws {
        let follow = try start("/usr/bin/python3", python("follow.py"))
        try follow.waitForOutput("revision 1: none\nrevision 2 by follow.py: {'provider.id': 'tidal'}\n")
        try session.control("set", "provider", "mpd")
        try follow.waitForOutput("revision 3 by settingsctl: {'provider.id': 'mpd'}\n")
    }

    /// Runs a program with a window, and types as soon as there is one: a name, then one that is refused.
    private func checkWindow(_ program: String, driver: String, _ environment: [String: String] = [:]) throws {
        let file = try session.folder.write(driver, to: "drive.py")
        let window = try start("/usr/bin/python3", file, python(program), environment: environment)
        try window.waitForOutput("Ada\n")
        // The second is typed without waiting for the signal of the first; what is read then shows that the first was made.
        try window.waitForOutput("refused: profile.name: ")
        try window.waitForOutput("is not allowed; remove it\nZoë\n")
        try daemon.end(SIGKILL)
        let again = try session.startDaemon()
        try session.control("set", "profile.name", "Grace")
        try window.waitForOutput("Grace\n")
        _ = again
    }

    @Test(.enabled(if: Python.has("gi.repository.Gtk", version: "4.0") && Self.hasScreen, "needs gir1.2-gtk-4.0 and xvfb"))
    func aWindowOfGTKIsLiveBothWays() throws {
        let screen = try startScreen()
        try checkWindow(
            "window_gtk.py",
            driver: """
                import sys
                from gi.repository import GLib

                steps = [("Ada", "Zoë"), ("Zoë", "a\\u202eb")]

                def act():
                    window = application.get_active_window()
                    if window and window.name.get_text() == steps[0][0]:
                        window.name.set_text(steps.pop(0)[1])
                        window.name.emit("activate")
                    return bool(steps)

                GLib.timeout_add(20, act)
                exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"))
                """, Self.gtk(on: screen))
        let none = try start(
            "/usr/bin/python3", python("window_gtk.py"), environment: Self.gtk(on: screen).merging(Self.noBus) { $1 }
        ).result()
        #expect(none.status == .exited(1))
        #expect(none.stderr.contains("no bus: ") && !none.stderr.contains("Traceback"), "\(none)")
    }

    @Test(.enabled(if: Python.has("gi.repository.Gtk", version: "4.0") && Self.hasScreen, "needs gir1.2-gtk-4.0 and xvfb"))
    func aClockOfGTKFollowsTheSettingsOfAnApplication() throws {
        let schema = "\(Self.root)/Sources/Examples/WorldClock/org.settingsd.WorldClock.json"
        try session.install(String(contentsOfFile: schema, encoding: .utf8), as: "org.settingsd.WorldClock")
        func control(_ arguments: String...) throws {
            try #require(session.startControl(["-a", "org.settingsd.WorldClock"] + arguments).result().status == .exited(0))
        }
        try eventually("the application") { try session.control("apps").stdout.contains("org.settingsd.WorldClock") }
        let screen = try startScreen()
        let clock = try start("/usr/bin/python3", python("clock_gtk.py"), environment: Self.gtk(on: screen))
        try clock.waitForOutput("zones:\n")
        try control("insert", "zones", "Asia/Tokyo", "Mars/Olympus")
        try clock.waitForOutput("zones: Asia/Tokyo Mars/Olympus\n")
        try daemon.end(SIGKILL)
        let again = try session.startDaemon()
        try control("remove", "zones", "Asia/Tokyo")
        try clock.waitForOutput("zones: Mars/Olympus\n")
        #expect(clock.stderr.contains("Traceback") == false)
        _ = again
    }

    private static let noBus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]

    private func startScreen() throws -> RunningProcess {
        let screen = try RunningProcess(
            "Xvfb", ["-displayfd", "1", "-nolisten", "tcp"], environment: session.environment)
        try screen.waitForOutput("\n")
        return screen
    }

    /// The environment of a program of GTK's on a screen without anything else.
    private static func gtk(on screen: RunningProcess) -> [String: String] {
        let display = ":" + screen.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
        return ["DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none"]
    }

    @Test(.enabled(if: Python.has("PyQt5.QtDBus"), "needs python3-pyqt5")) func aWindowOfQtIsLiveBothWays() throws {
        try checkWindow(
            "window_qt.py",
            driver: """
                import sys
                from PyQt5.QtCore import QTimer
                from PyQt5.QtWidgets import QApplication

                steps = [("Ada", "Zoë"), ("Zoë", "a\\u202eb")]

                class Application(QApplication):
                    def exec_(self):
                        timer = QTimer()
                        timer.timeout.connect(self.act)
                        timer.start(20)
                        super().exec_()

                    def act(self):
                        if steps and window.name.text() == steps[0][0]:
                            window.name.setText(steps.pop(0)[1])
                            window.name.returnPressed.emit()

                import PyQt5.QtWidgets
                PyQt5.QtWidgets.QApplication = Application
                exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"))
                """, Self.qt)
    }

    private static let qt = ["QT_QPA_PLATFORM": "offscreen"]

    @Test(.enabled(if: Python.has("PyQt5.QtDBus"), "needs python3-pyqt5"))
    func aWindowOfQtWaitsForWhatIsNotThere() throws {
        let none = try start(
            "/usr/bin/python3", python("window_qt.py"), environment: Self.qt.merging(Self.noBus) { $1 })
        try none.waitForOutput("refused: Not connected to D-Bus server\n")
        try daemon.end()
        let window = try start("/usr/bin/python3", python("window_qt.py"), environment: Self.qt)
        try window.waitForOutput("refused: The name org.settingsd.Settings1 was not provided")
        let again = try session.startDaemon()
        try window.waitForOutput("\nAda\n")
        _ = again
    }
}
