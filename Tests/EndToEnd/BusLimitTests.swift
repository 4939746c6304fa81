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

    /// A bus closes the connection of whoever sends it more than it takes.
    @Test func whatIsTooLargeForTheServiceIsRefusedBeforeTheBusSeesIt() throws {
        let session = try TestSession(limits: ["max_message_size": 100_000])
        let daemon = try session.startDaemon()
        let client = try session.client()
        let huge = String(repeating: "x", count: 2 << 20)
        for (action, text) in [
            (.updateProfile(name: huge), "UpdateProfile: name has 2097152 bytes; at most 65536 are allowed"),
            (.setValues(["profile.name": .string(huge)]), "profile.name has 2097152 bytes"),
            (
                .setValues(Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0)", .string(String(huge.prefix(60_000)))) })),
                "the call has more than 2400"
            ),
        ] as [(SettingsAction, String)] {
            let error = #expect(throws: ClientError.self) { try client.dispatchAndWait(action) }
            #expect(error?.kind == .refused(.tooLarge) && error?.message.hasPrefix(text) == true, "\(String(describing: error))")
        }
        #expect(client.loss == nil && daemon.isRunning)
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        #expect(client.profile.name == "Ada")
    }
}
