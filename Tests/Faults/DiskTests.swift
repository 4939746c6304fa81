import Foundation
import TestSupport
import Testing

/// A really full and a really read-only file system, for a daemon without any privilege.
@Suite(.logsOnFailure, .needsAnotherAccount) struct DiskTests {
    private let session: TestSession
    private let home: Disk
    private let client: Client

    init() throws {
        session = try TestSession()
        home = try Disk(.memory(256), at: "home", in: session.folder)
        client = try Client(session)
        // The other account passes through the folders of home and bus.
        let bus = (String(session.bus.address.dropFirst("unix:path=".count)) as NSString).deletingLastPathComponent
        for folder in [session.folder.path, bus] { chmod(folder, 0o711) }
        chmod(session.bus.address.replacingOccurrences(of: "unix:path=", with: ""), 0o666)
        chown(home.path, Unprivileged.uid, Unprivileged.uid)
    }

    private func startDaemon() throws -> RunningProcess {
        let (program, arguments) = Unprivileged.command(try Products.path("settingsd"))
        let daemon = try RunningProcess(program, arguments, environment: session.environment, home: session.folder)
        try client.wait("the start\n\(daemon.log)") { try client.isServed() }
        return daemon
    }

    /// Sets a value by the command line and says how that ended, with its errors.
    private func set(_ values: String...) throws -> (status: TestSupport.ExitStatus, message: String) {
        let process = try session.startControl(["set"] + values)
        return (try process.waitForExit(), process.stderr)
    }

    private func text(_ name: String) -> String? { session.folder.read(name) }

    /// The time of the fastest of some refusals: a machine that is busy elsewhere may slow one down.
    private func quickestRefusal(_ value: String) -> Duration {
        (1...5).map { _ in
            ContinuousClock().measure { #expect(throws: (any Error).self) { try client.set(["profile.name": value]) } }
        }.min() ?? .zero
    }

    @Test func aFullDiskRefusesWithinASecondKeepsTheOldBytesAndHealsWithoutARestart() throws {
        let daemon = try startDaemon()
        try client.set(["profile.name": "Ada"])
        try client.wait("the document") { text(TestSession.document)?.contains("Ada") == true }
        home.fill()
        // What is left of the journal's last block may still take a few.
        let filling = String(repeating: "x", count: 90)
        var name = "Ada"
        for number in 1...200 {
            guard (try? client.set(["profile.name": "\(number) \(filling)"])) != nil else { break }
            name = "\(number) \(filling)"
        }
        let (document, journal) = (text(TestSession.document), text(TestSession.journal))
        let refused = try set("profile.name=Grace \(filling)")
        #expect(refused.status == .exited(8))
        #expect(refused.message.contains("No space left on device"))
        #expect(refused.message.contains(session.folder.path(TestSession.journal)))
        #expect(quickestRefusal("Grace \(filling)") < .seconds(1))
        #expect(try session.control("get", "profile.name").stdout == name + "\n")
        #expect(text(TestSession.journal) == journal)
        #expect(text(TestSession.document) == document)
        #expect(try client.problems().contains { $0.contains("free some space") })
        home.free()
        #expect(try set("profile.name=Grace").status == .exited(0))
        try client.wait("the document") { text(TestSession.document)?.contains("Grace") == true }
        try client.wait("no problem") { try client.problems() == [] }
        // Full again, until the end.
        home.fill()
        #expect(try daemon.end() == .exited(0))
        home.free()
        let successor = try startDaemon()
        #expect(try client.value("profile.name") == "Grace")
        #expect(try successor.end() == .exited(0))
    }

    @Test func aDiskThatIsFullFromTheStartServesAndHeals() throws {
        home.fill()
        let daemon = try startDaemon()
        let refused = try set("profile.name=Ada")
        #expect(refused.status == .exited(8))
        #expect(quickestRefusal("Ada") < .seconds(1))
        #expect(try session.control("get", "profile.name").stdout == "\n")
        home.free()
        #expect(try set("profile.name=Ada").status == .exited(0))
        try client.wait("no problem") { try client.problems() == [] }
        try daemon.end(SIGKILL)
        let successor = try startDaemon()
        #expect(try client.value("profile.name") == "Ada")
        try successor.end()
    }

    @Test func aReadOnlyFileSystemIsServedRefusesNamingThePathAndHealsWithoutARestart() throws {
        let daemon = try startDaemon()
        try client.set(["profile.name": "Ada"])
        try client.wait("the document") { text(TestSession.document)?.contains("\"revision\": 1") == true }
        let (document, journal) = (text(TestSession.document), text(TestSession.journal))
        try home.setReadOnly(true)
        let refused = try set("profile.name=Grace")
        #expect(refused.status == .exited(7))
        #expect(refused.message.contains(session.folder.path("home/.config/settingsd")), "\(refused.message)")
        #expect(quickestRefusal("Grace") < .seconds(1))
        #expect(try session.control("get", "profile.name").stdout == "Ada\n")
        #expect(try set("profile.name=Ada").status == .exited(0), "Nothing has to be written for that.")
        // A daemon that starts there serves, too.
        try daemon.end()
        let successor = try startDaemon()
        #expect(try client.value("profile.name") == "Ada")
        #expect(try set("profile.name=Grace").status == .exited(7))
        #expect(text(TestSession.journal) == journal)
        #expect(text(TestSession.document) == document)
        try home.setReadOnly(false)
        #expect(try set("profile.name=Grace").status == .exited(0))
        try client.wait("the document") { text(TestSession.document)?.contains("Grace") == true }
        try client.wait("no problem") { try client.problems() == [] }
        try successor.end()
    }

    @Test func aLimitOnTheSizeOfFilesRefusesAndDoesNotEndTheDaemon() throws {
        let daemon = try startDaemon()
        try client.set(["profile.name": "Ada"])
        try client.wait("the document") { text(TestSession.document)?.contains("Ada") == true }
        let journal = try #require(text(TestSession.journal))
        func limit(_ size: String) throws {
            let (program, arguments) = Unprivileged.command("prlimit", ["--pid=\(daemon.pid)", "--fsize=\(size):"])
            try Disk.run(program, arguments)
        }
        try limit("\(journal.utf8.count + 10)")
        let refused = try set("profile.name=Grace")
        #expect(refused.status == .exited(8), "\(daemon.log)")
        #expect(refused.message.contains("File too large"), "\(refused.message)")
        #expect(text(TestSession.journal) == journal)
        try limit("unlimited")
        #expect(try set("profile.name=Grace").status == .exited(0))
        #expect(daemon.isRunning)
    }

    /// What may not be written, and the exit statuses of a set: of a daemon that runs already, and of one that starts.
    @Test(
        arguments: [
            ("home/.config/settingsd/settings.json", 0o400, [7, 7]), ("home/.config/settingsd", 0o500, [7, 7]),
            ("home/.local/state/settingsd", 0o500, [0, 0]), ("home/.local/state/settingsd/journal.jsonl", 0o400, [0, 0]),
            ("home/.local/state/settingsd/lock", 0o400, [0, 8]),
        ] as [(String, mode_t, [Int32])])
    func aMissingPermissionRefusesNamingThePathAndHealsWithoutARestart(
        name: String, mode: mode_t, statuses: [Int32]
    ) throws {
        let path = session.folder.path(name)
        for (isThereAtTheStart, status) in zip([false, true], statuses) {
            var daemon = try startDaemon()
            try client.set(["profile.name": "Ada \(isThereAtTheStart)"])
            let revision = try client.snapshot().revision
            try client.wait("the document") { text(TestSession.document)?.contains("\"revision\": \(revision)") == true }
            if isThereAtTheStart { try daemon.end() }
            var before = stat()
            stat(path, &before)
            chmod(path, mode)
            if isThereAtTheStart { daemon = try startDaemon() }
            let refused = try set("profile.name=Grace \(isThereAtTheStart)")
            #expect(refused.status == .exited(status), "\(isThereAtTheStart) \(refused)")
            if status != 0 { #expect(refused.message.contains(path), "\(refused.message)") }
            chmod(path, before.st_mode & 0o7777)
            #expect(try set("profile.name=Edsger \(isThereAtTheStart)").status == .exited(0))
            try client.wait("the document") { text(TestSession.document)?.contains("Edsger \(isThereAtTheStart)") == true }
            try client.wait("no problem") { try client.problems() == [] }
            try daemon.end()
        }
    }
}
