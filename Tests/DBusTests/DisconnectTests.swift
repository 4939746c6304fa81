import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.logsOnFailure)
struct DisconnectTests {
    @Test func whenTheBusGoesCallsFailAndThenTheOwnerIsTold() throws {
        let fixture = try Fixture()
        var events: [String] = []
        fixture.client.call(try fixture.message("Keep", [.uint32(1)])) { result in
            if case .failure(let error) = result { events.append(error.name.rawValue) }
        }
        fixture.client.onDisconnect = { events.append("told") }
        try fixture.wait { !fixture.object.kept.isEmpty }
        try fixture.bus.stop()
        try fixture.wait { events.count >= 2 }
        #expect(events == [ErrorName.disconnected.rawValue, "told"])
        #expect(!fixture.client.isOpen)
        #expect(throws: BusError.disconnected) { try fixture.client.send(fixture.message("Fail")) }
        #expect(throws: BusError.disconnected) {
            try fixture.client.callAndWait(fixture.message("Fail"), timeout: .seconds(20))
        }
    }

    @Test func afterARestartOfTheBusANewConnectionWorks() throws {
        let fixture = try Fixture()
        var isTold = false
        fixture.client.onDisconnect = { isTold = true }
        try fixture.bus.restart()
        try fixture.wait { isTold }
        let again = try Connection.open(address: fixture.bus.address, loop: fixture.loop)
        try fixture.wait { again.uniqueName != nil }
        #expect(again.isOpen)
    }

    @Test func aBusThatThrowsOutTheConnectionBeforeHelloIsADisconnect() throws {
        let bus = try PrivateBus(limits: ["max_completed_connections": 1])
        let loop = try EventLoop()
        let first = try Connection.open(address: bus.address, loop: loop)
        #expect(loop.run(until: { first.uniqueName != nil }, timeout: .seconds(20)))
        let second = try Connection.open(address: bus.address, loop: loop)
        var isTold = false
        second.onDisconnect = { isTold = true }
        #expect(loop.run(until: { isTold }, timeout: .seconds(20)))
        #expect(!second.isOpen && first.isOpen)
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", "autolaunch:", "nonsense", "", "unix:path=/a\0b"])
    func anAddressWithoutABusIsRefused(address: String) throws {
        let loop = try EventLoop()
        #expect(throws: BusError.self) { try Connection.open(address: address, loop: loop) }
    }

    @Test func closingFailsWaitingCallsAndTellsNobodyElse() throws {
        let fixture = try Fixture()
        var results: [BusError?] = []
        var isTold = false
        fixture.client.onDisconnect = { isTold = true }
        for _ in 0..<2 {
            fixture.client.call(try fixture.message("Keep", [.uint32(1)])) { result in
                if case .failure(let error) = result { results.append(error) } else { results.append(nil) }
            }
        }
        fixture.client.close()
        #expect(results == [.disconnected, .disconnected])
        _ = fixture.loop.run(until: { isTold }, timeout: .milliseconds(20))
        #expect(!isTold)
    }

    @Test func theHandlerOfACallMayCloseTheConnection() throws {
        let fixture = try Fixture()
        fixture.object.onKeep = { [service = fixture.service] call in
            service.close()
            call.reply([])
        }
        var errors: [ErrorName] = []
        for number in 0..<20 as Range<UInt32> {
            fixture.client.call(try fixture.message("Keep", [.uint32(number)])) { result in
                if case .failure(let error) = result { errors.append(error.name) }
            }
        }
        try fixture.wait { errors.count == 20 }
        #expect(fixture.object.kept.count == 1)
        #expect(Set(errors).isSubset(of: [.noReply, .serviceUnknown]))
    }

    @Test func theHandlerOfASignalMayCloseTheConnection() throws {
        let fixture = try Fixture()
        var received = 0
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { [client = fixture.client] _ in
            received += 1
            client.close()
        }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        for _ in 0..<20 {
            try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [.string("x")])
        }
        try fixture.wait { received > 0 }
        try fixture.bus.waitForOwner(of: TestObject.busName)
        #expect(received == 1)
    }

    @Test func theCompletionOfACallMayCloseTheConnection() throws {
        let fixture = try Fixture()
        var answered = 0
        for _ in 0..<20 {
            fixture.client.call(try fixture.message("Echo", [.variant(.byte(1))])) { [client = fixture.client] _ in
                answered += 1
                client.close()
            }
        }
        try fixture.wait { answered == 20 }
        #expect(!fixture.client.isOpen)
    }

    @Test func theCallbackOfADisconnectMayOpenAnotherConnection() throws {
        let fixture = try Fixture()
        var next: Connection?
        fixture.client.onDisconnect = { [bus = fixture.bus, loop = fixture.loop] in
            try? bus.start()
            next = try? Connection.open(address: bus.address, loop: loop)
        }
        try fixture.bus.stop()
        try fixture.wait { next?.uniqueName != nil }
    }

    @Test func aConnectionThatIsLetGoLeavesTheBus() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        weak var left: Connection?
        do {
            let connection = try Connection.open(address: bus.address, loop: loop)
            left = connection
            let server = ObjectServer(connection: connection)
            server.export(TestObject.path, interfaces: [TestObject.interface], object: TestObject())
            connection.subscribe(MatchRule(interface: TestObject.name)) { _ in }
            var isOwner = false
            connection.requestName(TestObject.busName) { isOwner = (try? $0.get()) == .owned }
            #expect(loop.run(until: { isOwner }, timeout: .seconds(20)))
        }
        #expect(left == nil)
        try bus.waitForOwner(of: TestObject.busName, isOwned: false)
    }

    @Test func theLastWordsAreWrittenByFlush() throws {
        let fixture = try Fixture()
        var received = 0
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { _ in received += 1 }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        let text = Value.string(String(repeating: "x", count: 1 << 20))
        for _ in 0..<3 { try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [text]) }
        #expect(fixture.service.outgoingBytes > 0)
        #expect(fixture.service.flush(timeout: .seconds(20)))
        fixture.service.close()
        try fixture.wait { received == 3 }
    }

    @Test func flushGivesUpAtItsTimeLimit() throws {
        let fixture = try Fixture()
        fixture.bus.process.signal(SIGSTOP)
        defer { fixture.bus.process.signal(SIGCONT) }
        let text = Value.string(String(repeating: "x", count: 1 << 20))
        try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [text])
        #expect(!fixture.service.flush(timeout: .milliseconds(50)))
    }
}
