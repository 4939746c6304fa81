import DBus
import EventLoop
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// Connecting where something is missing.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientConnectTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    private func refusal(startsDaemon: Bool = true, timeout: Duration = .seconds(20)) async -> ClientError? {
        let error = await #expect(throws: ClientError.self) {
            try await SettingsClient.connect(address: session.bus.address, startsDaemon: startsDaemon, timeout: timeout)
        }
        let blocking = #expect(throws: ClientError.self) { try session.client(startsDaemon: startsDaemon, timeout: timeout) }
        #expect(error?.kind == blocking?.kind)
        return error
    }

    @Test func withoutABusThereIsAnErrorThatSaysSo() async throws {
        try session.bus.stop()
        #expect(await refusal()?.kind == .noBus)
    }

    @Test func withoutADaemonThereIsAnErrorThatSaysSo() async throws {
        #expect(await refusal()?.kind == .noDaemon)
    }

    @Test func theDaemonIsStartedUnlessThatIsNotWanted() async throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        #expect(await refusal(startsDaemon: false)?.kind == .noDaemon)
        let client = try session.client()
        #expect(client.revision == 0)
    }

    @Test func aDaemonThatNeverComesUpIsNoDaemon() async throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: "/bin/false")
        #expect(await refusal()?.kind == .noDaemon)
    }

    @Test func somebodyWhoHasTheNameAndAnswersNothingIsATimeout() async throws {
        let loop = try EventLoop()
        let connection = try Connection.open(address: session.bus.address, loop: loop)
        connection.onMethodCall = { _ in }
        var isOwned = false
        connection.requestName(TestSession.daemonName) { _ in isOwned = true }
        #expect(loop.run(until: { isOwned }, timeout: .seconds(20)))
        #expect(await refusal(timeout: .milliseconds(200))?.kind == .timeout)
    }

    @Test func somebodyWhoAnswersOtherTypesIsAnError() throws {
        let loop = try EventLoop()
        let connection = try Connection.open(address: session.bus.address, loop: loop)
        connection.onMethodCall = { call in
            let reply = Message.reply(to: call)
            #expect(throws: Never.self) {
                try reply.append([.string("nonsense")])
                try connection.send(reply)
            }
        }
        var isOwned = false
        connection.requestName(TestSession.daemonName) { _ in isOwned = true }
        #expect(loop.run(until: { isOwned }, timeout: .seconds(20)))
        let error = #expect(throws: ClientError.self) {
            try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        }
        #expect(error?.kind == .bus("org.freedesktop.DBus.Error.InvalidSignature"))
    }
}
