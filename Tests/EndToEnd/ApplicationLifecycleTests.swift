import DBus
import EventLoop
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// How the daemon treats all of its stores alike: when it ends, in its status, in its log.
@Suite(.logsOnFailure) struct ApplicationLifecycleTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    @Test func whatIsInsertedThroughTwoDaemonsOfOneHomeAtOnceIsAllThere() throws {
        try session.install()
        let other = try TestSession(folder: session.folder)
        let callers = try [session, other].map {
            try Caller($0, application: WorldClock.id, keeping: $0.startDaemon())
        }
        for caller in callers { try caller.ask("ReadAll") }
        var answers = 0
        for number in 0..<25 {
            for (index, caller) in callers.enumerated() {
                let action = [Action("AddZone", ["zone": .string("Area\(index)/Zone\(number)")])].wire
                caller.connection.call(try Caller.message("Dispatch", [action, .variants([])], path: WorldClock.path)) { answer in
                    #expect(throws: Never.self) { try answer.get() }
                    answers += 1
                }
            }
        }
        try within(.seconds(60), "50 answers") {
            for caller in callers { _ = caller.loop.run(until: { answers == 50 }, timeout: .milliseconds(20)) }
            return answers == 50
        }
        for caller in callers {
            try within(.seconds(20), "all zones") { try caller.read("zones")?.strings?.count == 50 }
            #expect(try caller.revision() == 50)
        }
    }

    @Test func aSignalToEndFinishesEveryStore() throws {
        let ids = (0..<3).map { "org.example.App\($0)" }
        for id in ids { try session.install(as: id) }
        let daemon = try session.startDaemon()
        let caller = try Caller(session, keeping: daemon)
        var acknowledged: [ObjectPath: UInt64] = [:]
        var answers = 0
        for hour in 0..<60 {
            for path in ids.map(SettingsNames.path) {
                let values = Value.variants([("meeting.start", .int64(Int64(hour % 24)))])
                caller.connection.call(try Caller.message("Write", [values, .variants([])], path: path)) { answer in
                    answers += 1
                    acknowledged[path] = max(acknowledged[path] ?? 0, (try? answer.get().body().first?.uint64) ?? 0)
                }
            }
        }
        try caller.wait("answers of each") { acknowledged.count == 3 }
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForExit() == .exited(0))
        try caller.wait("all answers") { answers == 180 }
        for id in ids {
            let revision = try #require(acknowledged[SettingsNames.path(ofApplication: id)])
            let document = session.folder.read("home/.config/settingsd/apps/\(id).json")
            #expect(document?.contains("\"revision\": \(revision)") == true, "\(id): \(document ?? "none")")
        }
    }

    @Test func theStatusNamesTheProblemsOfEveryStoreAndOfSchemas() throws {
        try session.install()
        let socket = try NotifySocket(session.folder.path("notify"))
        let daemon = try session.startDaemon(environment: ["NOTIFY_SOCKET": session.folder.path("notify")])
        let caller = try Caller(session, application: WorldClock.id)
        #expect(try socket.next()["STATUS"]?.contains("no problems") == true)
        try session.folder.write("{", to: WorldClock.document)
        try caller.ask("ReadAll")
        #expect(
            try socket.next()["STATUS"]?.contains("1 problem: \(session.folder.path(WorldClock.document)) is damaged") == true)
        #expect(daemon.stderr.contains("\(session.folder.path(WorldClock.document)) is damaged"))
        try session.install("{", as: "org.example.Broken")
        #expect(try socket.next()["STATUS"]?.contains("2 problems, the first: ") == true)
        try within(.seconds(20), "the log") { daemon.stderr.contains("org.example.Broken.json, line 1") }
    }

    @Test func aRefusalInTheLogSaysWhoseSettingsTheyAre() throws {
        try session.install()
        let daemon = try session.startDaemon()
        let caller = try Caller(session, application: WorldClock.id)
        _ = try caller.refusal("Write", [.variants([("scale", .double(0))]), .variants([])])
        try within(.seconds(20), "the log") {
            daemon.stderr.contains("refused SetValues of scale in the settings of \(WorldClock.id) by ")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to make a folder of another account"))
    func aFolderOfAnotherAccountIsLeftAlone() throws {
        try session.install()
        let folder = try session.folder.folder("home/.config/settingsd/apps")
        chown(folder, 12345, 12345)
        let daemon = try session.startDaemon()
        let caller = try Caller(session, application: WorldClock.id, keeping: daemon)
        let error = try caller.refusal("ReadAll")
        #expect(error.shortName == "UnknownObject" && error.message.contains("\(folder) belongs to uid 12345"))
        try caller.waitForProblems { $0.count == 1 && $0[0].contains("uid 12345") }
        #expect(try caller.revision(of: SettingsNames.path) == 0)
    }
}

extension Caller {
    fileprivate func revision(of path: ObjectPath) throws -> UInt64? { try ask("ReadAll", path: path).first?.uint64 }
}
