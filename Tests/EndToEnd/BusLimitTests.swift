import DBus
import EventLoop
import SettingsBus
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// A bus whose limits are reached, so that it refuses subscriptions and calls.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct BusLimitTests {
    @Test(arguments: [0, 1]) func aClientThatMayNotListenIsToldSo(rules: Int) throws {
        let session = try TestSession(limits: ["max_match_rules_per_connection": rules])
        let daemon = try RunningProcess(Products.path("settingsd"), environment: session.environment)
        try daemon.waitForLog("serving")
        let error = #expect(throws: ClientError.self) { try session.client() }
        #expect(error?.kind == .bus("org.freedesktop.DBus.Error.LimitsExceeded"), "\(String(describing: error))")
        // Others who do not listen are served.
        #expect(try session.control("set", "profile.name", "Ada").status == .exited(0))
        #expect(daemon.isRunning)
    }

    @Test func callsBeyondTheBusesLimitFailAndTheOthersAreAnswered() throws {
        let session = try TestSession(limits: ["max_replies_per_connection": 4])
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        var results: [Result<Message, BusError>] = []
        for _ in 0..<200 { caller.connection.call(try Caller.message("ReadAll")) { results.append($0) } }
        try caller.wait("every answer") { results.count == 200 }
        let failures = results.compactMap { if case .failure(let error) = $0 { error.shortName } else { nil } }
        #expect(Set(failures).isSubset(of: ["LimitsExceeded"]))
        #expect(failures.count < 200)
        let client = try session.client()
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        #expect(client.profile.name == "Ada" && daemon.isRunning)
    }

    @Test func aBusThatTakesLittleAtATimeIsWaitedFor() throws {
        let session = try TestSession(limits: ["max_incoming_bytes": 2000, "max_outgoing_bytes": 200_000])
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        var answers = 0
        for _ in 0..<300 { caller.connection.call(try Caller.message("ReadAll")) { if case .success = $0 { answers += 1 } } }
        try caller.wait("every answer") { answers == 300 }
        let client = try session.client()
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        #expect(client.profile.name == "Ada" && daemon.isRunning)
    }
}
