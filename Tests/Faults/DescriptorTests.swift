import DBus
import EventLoop
import Foundation
import SettingsBus
import TestSupport
import Testing

/// A daemon that may open but a few files (getrlimit(2), RLIMIT_NOFILE): each limit from the lowest at which it starts.
@Suite(.logsOnFailure) struct DescriptorTests {
    private static let limits = 4...24
    /// More than any daemon here needs.
    private static let plenty = 200

    /// One daemon with its bus, and what it has answered.
    private final class Bed {
        static let application = "org.example.App"

        let limit: Int
        let session: TestSession
        let client: Client
        var daemon: RunningProcess
        /// The newest value whose change was acknowledged.
        var acknowledged = ""
        var calls = 0
        var answers = 0
        var errors: Set<String> = []

        init(_ limit: Int, on loop: EventLoop) throws {
            self.limit = limit
            session = try TestSession()
            try session.folder.write(
                #"{"type": "object", "properties": {"loud": {"type": "boolean", "default": true}}}"#,
                to: "share/settingsd/schemas/\(Self.application).json")
            client = try Client(session, loop: loop)
            daemon = try session.startDaemon()
        }

        /// Starts a daemon that may open but a few files, in place of the one that runs.
        func restart() throws {
            try daemon.end()
            try session.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
            daemon = try RunningProcess(
                "prlimit", ["--nofile=\(limit):\(plenty)", try Products.path("settingsd")], environment: session.environment,
                home: session.folder)
        }

        func setLimit(_ limit: Int) throws {
            let command = try RunningProcess(
                "prlimit", ["--pid=\(daemon.pid)", "--nofile=\(limit):\(plenty)"], environment: session.environment)
            #expect(try command.waitForExit() == .exited(0))
        }

        func change(to value: String) throws {
            try begin("Write", [.variants([("profile.name", .string(value))]), .variants([])]) { self.acknowledged = value }
        }

        /// One call of each kind that may have to do with files.
        func callEverything(_ value: String) throws {
            try change(to: value)
            try begin("ReadAll")
            try begin("Preview", [.array(element: "(sa{sv})", [.structure([.string("SignOut"), .variants([])])])])
            try begin("Reload")
            try begin("ReadAll", at: Self.applicationPath)
        }

        static var applicationPath: ObjectPath { SettingsNames.path(ofApplication: application) }

        private func begin(
            _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = SettingsNames.path,
            then: @escaping () -> Void = {}
        ) throws {
            calls += 1
            try client.begin(member, arguments, at: path) { answer in
                self.answers += 1
                switch answer {
                case .success: then()
                case .failure(let error): self.errors.insert(error.shortName)
                }
            }
        }

        func value() throws -> String { try client.value("profile.name") }
    }

    /// The daemons that start at all, each with values that are there before.
    private func makeBeds(on loop: EventLoop, values: Bool) throws -> [Bed] {
        let beds = try Self.limits.map { try Bed($0, on: loop) }
        if values {
            for bed in beds { try bed.change(to: "Ada") }
            try beds[0].client.wait("the first values") { beds.allSatisfy { $0.acknowledged == "Ada" } }
        }
        for bed in beds { try bed.restart() }
        var started: [Bed] = []
        for bed in beds {
            try bed.client.wait("a start at \(bed.limit)\n\(bed.daemon.log)") {
                try !bed.daemon.isRunning || bed.client.isServed()
            }
            if bed.daemon.isRunning {
                started.append(bed)
            } else {
                // Without the library that the program is linked to, it is the loader that says so (ld.so(8)).
                #expect(bed.daemon.stderr.contains("Too many open files") || bed.daemon.stderr.contains("Error 24"))
                #expect(started.isEmpty, "\(bed.limit) is more than what was enough.")
            }
        }
        #expect(started.count > 10)
        return started
    }

    @Test(arguments: [false, true])
    func aLowLimitOfOpenFilesLosesNothingLeavesNoCallUnansweredAndHealsWithoutARestart(values: Bool) throws {
        let beds = try makeBeds(on: EventLoop(), values: values)
        let client = beds[0].client
        func waitForAnswers(_ what: String) throws {
            do {
                try client.wait(what) { beds.allSatisfy { $0.answers == $0.calls } }
            } catch {
                let open = beds.filter { $0.answers < $0.calls }
                throw TestFailure("\(error) limits \(open.map(\.limit))\n\(open.first?.daemon.log ?? "")")
            }
        }
        for round in 1...3 {
            for bed in beds { try bed.callEverything("\(round)") }
            try waitForAnswers("all answers of round \(round)")
        }
        for bed in beds {
            #expect(bed.errors.isSubset(of: ["StorageFailed", "UnknownObject"]), "\(bed.limit)")
            try bed.setLimit(Self.plenty)
        }
        for bed in beds {
            try client.wait("what was acknowledged at \(bed.limit)\n\(bed.daemon.log)") { try bed.value() == bed.acknowledged }
            try client.wait("no problem at \(bed.limit)\n\(bed.daemon.log)") { try bed.client.problems() == [] }
            try client.wait("the application's settings at \(bed.limit)\n\(bed.daemon.log)") {
                try !bed.client.ask("ReadAll", at: Bed.applicationPath).isEmpty
            }
            try bed.change(to: "Grace")
        }
        try waitForAnswers("answers after all")
        for bed in beds {
            #expect(bed.acknowledged == "Grace", "\(bed.limit): \(bed.daemon.log)")
            try client.wait("the document at \(bed.limit)") {
                bed.session.folder.read(TestSession.document)?.contains("Grace") == true
            }
            // What is open stays open.
            try bed.setLimit(bed.limit)
            try bed.change(to: "Edsger")
        }
        try waitForAnswers("answers at a limit that was lowered")
        for bed in beds { bed.daemon.signal(SIGTERM) }
        for bed in beds {
            #expect(try bed.daemon.waitForExit() == .exited(0), "\(bed.limit)")
            let stored = try FaultBed.stored(in: FaultBed.files(in: bed.session.folder.path("home")))
            #expect(stored.values["profile.name"] == bed.acknowledged, "\(bed.limit)")
        }
    }
}
