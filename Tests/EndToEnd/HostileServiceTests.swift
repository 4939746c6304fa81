import DBus
import EventLoop
import Foundation
import SettingsBus
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// The client library against a service that owns the daemon's name and is no settingsd.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct HostileServiceTests {
    let session: TestSession
    let loop: EventLoop
    let service: FakeService

    init() throws {
        session = try TestSession()
        loop = try EventLoop()
        service = try FakeService(session, loop: loop)
    }

    private func connect(timeout: Duration = .seconds(20)) throws -> SettingsClient {
        try SettingsClient.connectAndWait(on: loop, address: session.bus.address, timeout: timeout)
    }

    private func wait(_ what: String, _ condition: () -> Bool) throws {
        guard loop.run(until: condition, timeout: .seconds(20)) else { throw TestFailure("Not within 20 s: \(what).") }
    }

    private static let deep = (0..<60).reduce(Value.string("x")) { value, _ in .variant(value) }
    private static let bodies: [[Value]] = [
        [], [.string("x")], [.uint64(1)], [.uint64(1), .variants([]), .variants([])], [.int64(-1), .variants([])],
        [.uint64(1), .strings(["a"])], [.variant(deep)], [.array(element: "(ta{sv}a{sv})", [])],
        [.objectPath("/"), .variants([])],
        [.structure([.uint64(1), .variants([])])],
    ]

    @Test(arguments: bodies.indices) func anAnswerOfOtherTypesIsAnErrorAndNoState(number: Int) throws {
        service.answer = { _ in .values(Self.bodies[number]) }
        let error = #expect(throws: ClientError.self) { try connect() }
        #expect(error?.kind == .bus("org.freedesktop.DBus.Error.InvalidSignature"), "\(String(describing: error))")
        service.answer = { FakeService.good($0, revision: 5) }
        let client = try connect()
        service.answer = { _ in .values(Self.bodies[number].filter { $0.uint64 == nil }) }
        #expect(throws: ClientError.self) { try client.dispatchAndWait(.signOut) }
        #expect(client.profile.name == "Ada")
    }

    @Test func valuesOfOtherTypesAreLeftOutOrPassedOn() throws {
        service.answer = { call in
            guard call.member == "ReadAll" else { return FakeService.good(call, revision: 5) }
            let values: [(String, Value)] = [
                ("profile.name", .int64(7)), ("provider.id", Self.deep), ("provider.account", .byte(1)), ("", .boolean(true)),
                ("x.y", .array(element: "as", [.strings(["a"])])), ("x.y", .double(.nan)), ("profile.email", .signature("s")),
            ]
            return .values([.uint64(.max), .variants(values)])
        }
        let client = try connect()
        #expect(client.profile.name == "" && client.provider == .none && client.account == "")
        #expect(client["profile.name"] == .integer(7) && client[""] == .boolean(true))
        #expect(client.revision == .max)
        // A revision behind the last one there can be.
        try service.announce(.max, name: "Bob")
        try service.announce([.string("nonsense")])
        try wait("another look") { service.calls.filter { $0 == "ReadAll" }.count == 2 }
        #expect(client.revision == .max)
    }

    @Test func aConflictAtTheLastRevisionThereCanBeIsAnError() throws {
        service.answer = { call in
            guard call.member == "Dispatch" else { return FakeService.good(call, revision: .max) }
            return .error(BusError(SettingsError(.conflict, "revision 1 was expected")))
        }
        // A process of its own, since a continuation waits for a thread of the tests' pool to be free.
        let probe = try RunningProcess(
            Products.path("ClientProbe"), ["conflict", "3"], environment: session.environment)
        try wait("three attempts") { service.calls.filter { $0 == "Dispatch" }.count == 3 }
        service.connection.flush()
        #expect(try probe.result().stdout == "\(ClientError.Kind.refused(.conflict))\n")
    }

    /// Answers need not come in the order of the calls.
    @Test func aRefusalPutsBackTheValueThatIsStillOnItsWay() throws {
        final class Shown { var names: [String] = [] }
        let shown = Shown()
        let client = try connect()
        var calls: [Message] = []
        service.answer = { call in
            calls.append(call)
            return calls.count == 1 ? .nothing : .error(BusError(SettingsError(.invalidValue, "that is no name")))
        }
        let settings = ObservableSettings(client) { [loop] work in loop.post(work) }
        settings.observe { shown.names.append($0["profile.name"]?.string ?? "") }
        settings.profile.name = "Bob"
        settings.profile.name = "Bad"
        try wait("the refusal") { settings.error != nil }
        #expect(shown.names == ["Ada", "Bob", "Bad", "Bob"])
        let reply = Message.reply(to: calls[0])
        try reply.append([.uint64(6)])
        try service.connection.send(reply)
        try service.announce(6, name: "Bob")
        try wait("the change") { client.revision == 6 }
        // Nobody has seen the refusal yet.
        settings.profile.email = "nonsense"
        try wait("another refusal") { calls.count == 3 }
        #expect(shown.names == ["Ada", "Bob", "Bad", "Bob"])
        #expect(settings.error?.message == "that is no name")
        service.answer = { FakeService.good($0, revision: 6) }
        settings.profile.name = "Bea"
        try wait("a change that is made") { settings.error == nil }
    }

    static let errors = [
        "org.freedesktop.DBus.Error.Disconnected", "org.freedesktop.DBus.Error.NoServer", "org.freedesktop.DBus.Error.NoReply",
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.Spawn.Failed", "org.freedesktop.DBus.Error.TimedOut", "org.settingsd.Settings1.Error.NoSuch",
        "org.settingsd.Settings1.Error.Conflict", "a.b",
    ]

    /// Some of these names are the library's own for the bus, and for there being no service.
    @Test(arguments: errors) func anyErrorEndsTheCallAndIsTriedAgain(name: String) throws {
        let error = BusError(name: try #require(ErrorName(name)), message: "e\u{202E}\n")
        service.answer = { _ in .error(error) }
        #expect(throws: ClientError.self) { try connect() }
        service.answer = { FakeService.good($0, revision: 5) }
        let client = try connect()
        service.answer = { _ in .error(error) }
        #expect(throws: ClientError.self) { try client.dispatchAndWait(.signOut) }
        // A gap makes the client look, which fails.
        try service.announce(9, name: "Bob")
        try wait("the loss") { client.loss != nil }
        #expect(client.profile.name == "Ada")
        service.answer = { FakeService.good($0, revision: 9, name: "Bob") }
        try wait("the next attempt") { client.loss == nil }
        #expect(client.profile.name == "Bob")
    }

    @Test func revisionsThatGoBackChangeNothing() throws {
        let client = try connect()
        let reader = ClientReader(client.changes(buffer: 1000), on: loop)
        try wait("the first snapshot") { reader.names == ["snapshot 5"] }
        for revision in [6, 4, 6, 0, 7, 5, 8] as [UInt64] { try service.announce(revision, name: "\(revision)") }
        try wait("the last change") { reader.names.last == "changed 8" }
        #expect(client.profile.name == "8")
        #expect(reader.names.filter { $0.hasPrefix("changed") } == ["changed 6", "changed 7", "changed 8"])
        // What an older service says at a fresh look is the state all the same, whole.
        service.answer = { FakeService.good($0, revision: 2, name: "old") }
        try service.announce(20, name: "new")
        try wait("a snapshot") { reader.names.last == "snapshot 2" }
        #expect(client.revision == 2 && client.profile.name == "old")
    }

    @Test func aHistoryThatNeverEndsIsAskedForNoMoreThanThereAreGaps() throws {
        var revision: UInt64 = 5
        service.answer = { call in
            guard call.member == "ChangesSince" else { return FakeService.good(call, revision: revision) }
            // Each answer tells of changes that are far ahead, some of them twice.
            let changes = (0..<200).map { FakeService.change(revision + UInt64($0 / 2), "x") }
            revision += 1000
            return .values(ChangesAnswer(revision: revision, isComplete: true, changes: changes).wire)
        }
        let client = try connect()
        let gaps = 20
        for number in 1...gaps { try service.announce(UInt64(number) << 40, name: "gap") }
        try wait("a fresh look") { service.calls.count >= 3 && client.loss == nil }
        // A gap behind the last one is told after everything that the others have led to.
        service.answer = { FakeService.good($0, revision: 1 << 60, name: "end") }
        try service.announce(1 << 60, name: "gap")
        try wait("the state behind the last gap") { client.profile.name == "end" }
        #expect(service.calls.filter { $0 == "ChangesSince" }.count <= gaps + 1)
    }

    @Test func noAnswerIsATimeout() throws {
        service.answer = { _ in .nothing }
        let error = #expect(throws: ClientError.self) { try connect(timeout: .milliseconds(100)) }
        #expect(error?.kind == .timeout)
        service.answer = { FakeService.good($0, revision: 5) }
        weak var watched: SettingsClient?
        do {
            let client = try connect(timeout: .milliseconds(100))
            service.answer = { _ in .nothing }
            let error = #expect(throws: ClientError.self) { try client.dispatchAndWait(.signOut) }
            #expect(error?.kind == .timeout)
            watched = client
        }
        #expect(watched == nil)
    }

    @Test func anAnswerOfMoreValuesThanAnyoneNeedsIsRefused() throws {
        let numbers = Value.array(element: "q", Array(repeating: .uint16(7), count: 3 << 20))
        service.answer = { _ in .values([.uint64(1), .variants([("profile.name", numbers)])]) }
        let error = #expect(throws: ClientError.self) { try connect() }
        #expect(error?.kind == .bus("org.freedesktop.DBus.Error.LimitsExceeded"), "\(String(describing: error))")
        let text = String(repeating: "x", count: 20 << 20)
        service.answer = { FakeService.good($0, revision: 5, name: text) }
        #expect(try connect().profile.name.utf8.count == 20 << 20)
    }

    @Test func aNameThatPassesFromHandToHandIsFollowedToTheLast() throws {
        let services = [service, try FakeService(session, loop: loop, name: nil)]
        let client = try connect()
        for turn in 1...30 {
            let (old, new) = (services[(turn + 1) % 2], services[turn % 2])
            new.answer = { FakeService.good($0, revision: UInt64(5 + turn), name: "\(turn)") }
            var isFree = false
            old.connection.releaseName(TestSession.daemonName) { _ in isFree = true }
            try wait("the free name") { isFree }
            try new.own()
        }
        try wait("the last owner") { client.profile.name == "30" && client.loss == nil }
        #expect(client.revision == 35)
    }

    @Test func aBusThatDiesInTheMiddleOfACallEndsIt() throws {
        let client = try connect()
        let bus = session.bus
        service.answer = { _ in
            bus.process.signal(SIGKILL)
            return .nothing
        }
        let error = #expect(throws: ClientError.self) { try client.dispatchAndWait(.signOut) }
        #expect(error?.kind == .noBus)
        try wait("the loss") { client.loss != nil }
        #expect(client.profile.name == "Ada")
    }
}
