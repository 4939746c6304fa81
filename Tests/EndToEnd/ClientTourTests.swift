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
        try window.waitForOutput("Ada\nZoë\nrefused: profile.name: ")
        try window.waitForOutput("is not allowed; remove it\nZoë\n")
        try daemon.end(SIGKILL)
        let again = try session.startDaemon()
        try session.control("set", "profile.name", "Grace")
        try window.waitForOutput("Grace\n")
        _ = again
    }

    @Test(.enabled(if: Python.has("gi.repository.Gtk", version: "4.0") && Self.hasScreen, "needs gir1.2-gtk-4.0 and xvfb"))
    func aWindowOfGTKIsLiveBothWays() throws {
        let screen = try RunningProcess(
            "Xvfb", ["-displayfd", "1", "-nolisten", "tcp"], environment: session.environment)
        try screen.waitForOutput("\n")
        let display = ":" + screen.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
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
                """, ["DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none"])
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
                """, ["QT_QPA_PLATFORM": "offscreen"])
    }
}
