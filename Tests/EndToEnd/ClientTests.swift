import DBus
import EventLoop
import Foundation
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// The client library's reads and calls.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
    }

    private func connect() async throws -> SettingsClient {
        try await SettingsClient.connect(address: session.bus.address)
    }

    @Test func readsAreTypedAndOfOneState() async throws {
        try session.control(
            "set", "profile.name=Ada", "provider=spotify", "provider.account=ada", "support.help=https://e.org/")
        let client = try await connect()
        #expect(client.profile.name == "Ada")
        #expect(client.profile.email == "")
        #expect(client.provider == .spotify)
        #expect(client.account == "ada")
        #expect(client.support[.help] == "https://e.org/")
        #expect(client["provider.id"] == "spotify")
        #expect(client["provider"] == "spotify")
        #expect(client["profile.nam"] == nil)
        #expect(client.snapshot.revision == 1)
        #expect(client.snapshot.values.count == 13)
        #expect(client.loss == nil)
    }

    @Test func readsAskNobody() async throws {
        try session.control("set", "profile.name", "Ada")
        let client = try await connect()
        // A daemon that is stopped answers nothing.
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        for _ in 0..<1000 { #expect(client.profile.name == "Ada") }
    }

    @Test func aReadSeesTheReadersOwnChange() async throws {
        let client = try await connect()
        for number in 1...100 {
            let revision = try await client.dispatch(.updateProfile(name: "\(number)"))
            #expect(client.profile.name == "\(number)")
            #expect(client.revision == revision)
        }
        // The change of another client is not waited for, but it was made before and so is seen too.
        try session.control("set", "profile.email", "ada@example.org")
        try await client.dispatch(.updateProfile(name: "Ada"))
        #expect(client.profile.email == "ada@example.org")
    }

    @Test func aTaskGoesOnWhereItWas() async throws {
        let client = try await connect()
        #expect(!client.loop.isOnLoop)
        try await client.dispatch(.updateProfile(name: "Ada"))
        #expect(!client.loop.isOnLoop)
        var changes = client.changes.makeAsyncIterator()
        _ = await changes.next(isolation: nil)
        #expect(!client.loop.isOnLoop)
        try await onTheMainActor(client)
        try await Task.detached {
            try await client.update { $0.profile.name = "Bob" }
            #expect(!client.loop.isOnLoop)
        }.value
    }

    @MainActor private func onTheMainActor(_ client: SettingsClient) async throws {
        try await client.dispatch(.updateProfile(name: "Eve"))
        MainActor.assertIsolated()
    }

    @Test func aListOfActionsIsOneTransaction() async throws {
        let client = try await connect()
        let revision = try await client.dispatch([.selectProvider(.mpd), .linkAccount("ada"), .updateProfile(name: "Ada")])
        #expect(revision == 1)
        #expect(client.provider == .mpd)
        #expect(client.account == "ada")
        let error = await #expect(throws: ClientError.self) {
            try await client.dispatch([.updateProfile(name: "Eve"), .linkAccount("\u{1B}")])
        }
        #expect(error?.kind == .refused(.invalidValue))
        #expect(client.profile.name == "Ada")
        #expect(client.revision == 1)
    }

    @Test func whatChangesNothingKeepsTheRevision() async throws {
        let client = try await connect()
        #expect(try await client.dispatch([]) == 0)
        #expect(try await client.dispatch(.updateProfile()) == 0)
        #expect(try await client.dispatch(.updateProfile(name: "Ada")) == 1)
        #expect(try await client.dispatch(.updateProfile(name: "Ada")) == 1)
    }

    @Test func aPreviewTellsAndChangesNothing() async throws {
        let client = try await connect()
        try await client.dispatch([.selectProvider(.mpd), .linkAccount("ada")])
        let values = try await client.preview(.selectProvider(.tidal))
        #expect(values == ["provider.id": "tidal", "provider.account": ""])
        #expect(client.provider == .mpd)
        let error = await #expect(throws: ClientError.self) { try await client.preview(.undo, .undo) }
        #expect(error?.kind == .refused(.invalidArgument))
    }

    @Test func everyRefusalIsTyped() async throws {
        try session.folder.write(#"{"locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        let client = try await connect()
        let nothing = await #expect(throws: ClientError.self) { try await client.dispatch(.undo) }
        #expect(nothing?.kind == .refused(.nothingToUndo))
        try session.control("set", "profile.name", "Ada")
        _ = try Caller(session).ask("Reload")
        let refusals: [(SettingsError.Name, [SettingsAction], UInt64?)] = [
            (.unknownKey, [.setValues(["profile.nam": "Ada"])], nil),
            (.invalidValue, [.selectProvider(MusicProvider(rawValue: "myspace"))], nil),
            (.invalidValue, [.setValues(["profile.name": .integer(1)])], nil),
            (.invalidArgument, [.linkAccount("ada")], nil),
            (.locked, [.setSupportLink(.terms, url: "https://e.org/")], nil),
            (.conflict, [.updateProfile(name: "Bob")], 0),
            (.tooLarge, [.setValues(["profile.name": .string(String(repeating: "a", count: 65537))])], nil),
        ]
        for (name, actions, expected) in refusals {
            let error = await #expect(throws: ClientError.self) { try await client.dispatch(actions, expecting: expected) }
            #expect(error?.kind == .refused(name), "\(String(describing: error))")
            #expect(error?.message.isEmpty == false)
        }
        #expect(client.profile.name == "Ada")
    }

    @Test func aChangeOnAStaleReadIsRefused() async throws {
        let client = try await connect()
        let seen = client.revision
        try session.control("set", "profile.name", "Ada")
        let error = await #expect(throws: ClientError.self) {
            try await client.dispatch(.updateProfile(name: "Bob"), expecting: seen)
        }
        #expect(error?.kind == .refused(.conflict))
        #expect(try await client.dispatch(.updateProfile(name: "Bob"), expecting: client.revision) == 2)
    }

    @Test func openingALinkIsAnnouncedAndAnswersItsURL() async throws {
        let client = try await connect()
        let reader = ClientReader(client)
        let error = await #expect(throws: ClientError.self) { try await client.openSupportLink(.help) }
        #expect(error?.kind == .refused(.invalidArgument))
        try await client.dispatch(.setSupportLink(.help, url: "https://e.org/"))
        #expect(try await client.openSupportLink(.help) == "https://e.org/")
        // An action that changes something is told as its change alone.
        try reader.wait("the announcement") { $0 == ["snapshot 0", "changed 1", "OpenSupportLink"] }
    }

    @Test func anEventLoopOfTheApplicationsServesTheClient() throws {
        let loop = try EventLoop()
        let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        #expect(client.loop === loop)
        try client.dispatchAndWait(.updateProfile(name: "Ada"), .selectProvider(.mpd))
        #expect(client.profile.name == "Ada")
        let refusal = #expect(throws: ClientError.self) { try client.dispatchAndWait(.updateProfile(name: "\n")) }
        #expect(refusal?.kind == .refused(.invalidValue))
        try session.control("set", "profile.name", "Bob")
        #expect(loop.run(until: { client.profile.name == "Bob" }, timeout: .seconds(20)))
    }

    @Test func blockingOnTheClientsOwnThreadServesIt() throws {
        let client = try session.client()
        client.loop.post {
            #expect(throws: Never.self) { try client.dispatchAndWait(.updateProfile(name: "Ada")) }
        }
        try eventually("the change") { client.profile.name == "Ada" }
    }

    @Test func aClosedClientRefusesCallsAndKeepsItsCopy() async throws {
        try session.control("set", "profile.name", "Ada")
        let client = try await connect()
        client.close()
        client.close()
        #expect(client.profile.name == "Ada")
        let error = await #expect(throws: ClientError.self) { try await client.dispatch(.signOut) }
        #expect(error?.kind == .noBus)
        #expect(throws: ClientError.self) { try client.dispatchAndWait(.signOut) }
    }

    @Test func callsUnderWayEndWhenTheClientIsClosed() async throws {
        let client = try await connect()
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        client.loop.post { client.loop.schedule(after: .milliseconds(100)) { client.close() } }
        let error = await #expect(throws: ClientError.self) { try await client.dispatch(.updateProfile(name: "Ada")) }
        #expect(error?.kind == .noBus)
    }

    @Test func aDaemonThatDoesNotAnswerIsATimeout() async throws {
        let client = try await SettingsClient.connect(address: session.bus.address, timeout: .milliseconds(300))
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        let error = await #expect(throws: ClientError.self) { try await client.dispatch(.updateProfile(name: "Ada")) }
        #expect(error?.kind == .timeout)
    }

    @Test func valuesThatUnicodeCallsEqualAreToldApart() async throws {
        let client = try await connect()
        try await client.dispatch(.updateProfile(name: "Zoe\u{301}"))
        try await client.dispatch(.updateProfile(name: "Zo\u{e9}"))
        #expect(client.revision == 2)
        #expect(bytes(client.profile.name) == bytes("Zo\u{e9}"))
    }
}
