import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.logsOnFailure)
struct SubscriptionTests {
    private func emit(_ text: String, from fixture: Fixture) throws {
        try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [.string(text)])
    }

    @Test func eachSubscriptionGetsWhatItsOwnRuleMatches() throws {
        let fixture = try Fixture()
        var received: [String: [String]] = [:]
        let rules = [
            "interface": MatchRule(interface: TestObject.name),
            "member": MatchRule(interface: TestObject.name, member: "Else"),
            "path": MatchRule(path: "/org/example/Other", interface: TestObject.name),
            "namespace": MatchRule(pathNamespace: "/org/example", interface: TestObject.name),
            "beside": MatchRule(pathNamespace: "/org/exam", interface: TestObject.name),
            "argument": MatchRule(interface: TestObject.name, arg0: "two"),
            "sender": MatchRule(sender: TestObject.busName, interface: TestObject.name),
        ]
        for (name, rule) in rules {
            fixture.client.subscribe(rule) { signal in
                received[name, default: []].append((try? signal.body())?.first?.string ?? "?")
            }
        }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        for text in ["one", "two"] { try emit(text, from: fixture) }
        try fixture.wait { received["interface"]?.count == 2 }
        let both = ["one", "two"]
        #expect(received == ["interface": both, "namespace": both, "sender": both, "argument": ["two"]])
    }

    /// The right interface, path and member from another connection.
    @Test func aSignalFromAnotherSenderIsIgnored() throws {
        let fixture = try Fixture()
        let owner = try #require(fixture.service.uniqueName.flatMap { BusName($0) })
        var received: [String?] = []
        fixture.client.subscribe(MatchRule(sender: owner, interface: TestObject.name)) { received.append($0.sender) }
        // Without the sender in this rule the bus delivers the stranger's signal too.
        var seen = 0
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { _ in seen += 1 }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        let stranger = try Connection.open(address: fixture.bus.address, loop: fixture.loop)
        let strangeServer = ObjectServer(connection: stranger)
        try strangeServer.emit("Happened", of: TestObject.name, at: TestObject.path, [.string("forged")])
        try fixture.wait { seen == 1 }
        try emit("real", from: fixture)
        try fixture.wait { seen == 2 }
        #expect(received == [fixture.service.uniqueName])
    }

    @Test(arguments: ["it's", "'", "''", "a,b='c'", "\\", "\\'", "", "e\u{301}"])
    func aFirstArgumentIsMatchedWhateverItsCharacters(text: String) throws {
        let fixture = try Fixture()
        var received: [String] = []
        var refusals: [BusError] = []
        fixture.client.onMatchRefused = { refusals.append($1) }
        fixture.client.subscribe(MatchRule(interface: TestObject.name, arg0: text)) { signal in
            received.append((try? signal.body())?.first?.string ?? "?")
        }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        for other in ["x", "\u{e9}", text] { try emit(other, from: fixture) }
        try fixture.wait { !received.isEmpty || !refusals.isEmpty }
        #expect(refusals == [])
        #expect(received.map { Array($0.utf8) } == [Array(text.utf8)])
    }

    @Test func aCancelledSubscriptionGetsNothingMore() throws {
        let fixture = try Fixture()
        var received: [String] = []
        var subscription: Subscription?
        subscription = fixture.client.subscribe(MatchRule(interface: TestObject.name)) { _ in
            received.append("first")
            subscription?.cancel()
        }
        var all = 0
        fixture.client.subscribe(MatchRule(path: TestObject.path)) { _ in all += 1 }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        for _ in 0..<5 { try emit("x", from: fixture) }
        try fixture.wait { all == 5 }
        #expect(received == ["first"])
    }

    @Test func aSubscriptionCancelledByAnotherHandlerIsNotCalledAnyMore() throws {
        let fixture = try Fixture()
        var second: Subscription?
        var received = 0
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { _ in second?.cancel() }
        second = fixture.client.subscribe(MatchRule(path: TestObject.path)) { _ in received += 1 }
        var all = 0
        fixture.client.subscribe(MatchRule(member: "Happened")) { _ in all += 1 }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        try emit("x", from: fixture)
        try fixture.wait { all == 1 }
        #expect(received == 0)
    }

    @Test func aRefusedRuleIsReported() throws {
        let fixture = try Fixture(limits: ["max_match_rules_per_connection": 1])
        var refused: [MatchRule] = []
        fixture.client.onMatchRefused = { rule, _ in refused.append(rule) }
        let rules = ["a", "b", "c\0"].map { MatchRule(interface: TestObject.name, arg0: $0) }
        for rule in rules { fixture.client.subscribe(rule) { _ in } }
        try fixture.wait { refused.count == 2 }
        #expect(Set(refused) == Set(rules.dropFirst()))
    }

    @Test func aNameThatIsTakenIsReportedAsTaken() throws {
        let fixture = try Fixture()
        var ownership: NameOwnership?
        fixture.client.requestName(TestObject.busName) { ownership = try? $0.get() }
        try fixture.wait { ownership != nil }
        #expect(ownership == .taken)
        var isReleased = false
        fixture.service.releaseName(TestObject.busName) { _ in isReleased = true }
        try fixture.wait { isReleased }
        fixture.client.requestName(TestObject.busName) { ownership = try? $0.get() }
        try fixture.wait { ownership == .owned }
    }

    @Test func theBusTellsWhoIsBehindAName() throws {
        let fixture = try Fixture()
        var owners: [String?] = []
        for name in [TestObject.busName, "org.example.Nobody"] {
            fixture.client.owner(of: name) { owners.append(try? $0.get()) }
        }
        var process: Int32?
        fixture.client.processID(of: TestObject.busName.rawValue) { process = try? $0.get() }
        try fixture.wait { process != nil }
        #expect(owners == [fixture.service.uniqueName, nil])
        #expect(process == getpid())
    }
}
