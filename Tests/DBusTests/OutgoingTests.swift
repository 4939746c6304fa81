import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// What a service says: nothing of it is lost or overtaken, however slow the bus is.
@Suite struct OutgoingTests {
    private static func emit(_ text: String, _ fixture: Fixture) throws {
        try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [.string(text)])
    }

    @Test func whatATurnSaysGoesOutTogetherAtItsEnd() throws {
        let fixture = try Fixture()
        for text in ["one", "two", "three"] { try Self.emit(text, fixture) }
        let waiting = fixture.service.outgoingBytes
        #expect(waiting > 300, "Three signals wait.")
        var turns = 0
        fixture.loop.afterTurn { turns += 1 }
        try fixture.wait { turns == 1 }
        #expect(fixture.service.outgoingBytes == 0)
    }

    @Test func answersGoOutBeforeTheSignalsAboutTheSameAreMade() throws {
        let fixture = try Fixture()
        var waiting: [Int] = []
        fixture.object.onKeep = { call in
            call.reply([])
            waiting.append(fixture.service.outgoingBytes)
            fixture.server.sendAnswers()
            waiting.append(fixture.service.outgoingBytes)
        }
        _ = try fixture.ask("Keep", [.uint32(1)])
        #expect(waiting.first ?? 0 > 0)
        #expect(waiting.last == 0)
    }

    @Test func everythingArrivesInOrderThroughASocketThatIsFull() throws {
        let fixture = try Fixture()
        var received: [String] = []
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { signal in
            received.append(String(((try? signal.body())?.first?.string ?? "?").prefix(1)))
        }
        fixture.client.onMethodCall = { _ in received.append("call") }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        let long = String(repeating: "x", count: 1 << 20)
        let client = try #require(fixture.client.uniqueName.flatMap { BusName($0) })
        func call() throws {
            let call = Message.methodCall(to: client, path: "/", interface: "a.b", member: "C")
            call.expectsNoReply = true
            try fixture.service.send(call)
        }
        fixture.bus.process.signal(SIGSTOP)
        for text in ["1", "2" + long, "3"] { try Self.emit(text, fixture) }
        try call()
        try Self.emit("4", fixture)
        #expect(fixture.service.outgoingBytes > 1 << 19)
        var turns = 0
        fixture.loop.afterTurn { turns += 1 }
        try fixture.wait { turns == 1 }
        // libdbus has a long one of its own to write now, behind all of that.
        let message = Message.signal(path: TestObject.path, interface: TestObject.name, member: "Happened")
        try message.append([.string("5" + long)])
        try fixture.service.send(message)
        try Self.emit("6", fixture)
        try call()
        fixture.bus.process.signal(SIGCONT)
        try fixture.wait { received.count == 8 }
        #expect(received == ["1", "2", "3", "call", "4", "5", "6", "call"])
    }

    /// It would stand in the middle of the other, and the bus would end the connection.
    @Test func whatFollowsAMessageThatIsHalfWrittenWaitsForItsEnd() throws {
        let fixture = try Fixture()
        var received: [String] = []
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { signal in
            received.append(String(((try? signal.body())?.first?.string ?? "?").prefix(1)))
        }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        fixture.bus.process.signal(SIGSTOP)
        // Nothing is before it, so that libdbus writes this one, as much of it as the socket takes.
        let message = Message.signal(path: TestObject.path, interface: TestObject.name, member: "Happened")
        try message.append([.string("1" + String(repeating: "x", count: 1 << 20))])
        try fixture.service.send(message)
        for text in ["2", "3"] {
            try Self.emit(text, fixture)
            var turns = 0
            fixture.loop.afterTurn { turns += 1 }
            try fixture.wait { turns == 1 }
        }
        #expect(fixture.service.outgoingBytes > 1 << 19)
        fixture.bus.process.signal(SIGCONT)
        try fixture.wait { received.count == 3 || !fixture.service.isOpen }
        #expect(received == ["1", "2", "3"])
    }

    @Test func whatIsSentJustBeforeTheConnectionClosesArrives() throws {
        let fixture = try Fixture()
        var received = 0
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { _ in received += 1 }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        try Self.emit("last", fixture)
        fixture.service.close()
        #expect(fixture.service.outgoingBytes == 0)
        try fixture.wait { received == 1 }
    }

    @Test func whatIsSentBeforeTheBusHasAnsweredHelloArrives() throws {
        let fixture = try Fixture()
        var received = 0
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { _ in received += 1 }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        let connection = try Connection.open(address: fixture.bus.address, loop: fixture.loop)
        let server = ObjectServer(connection: connection)
        try server.emit("Happened", of: TestObject.name, at: TestObject.path, [.string("early")])
        #expect(connection.uniqueName == nil)
        try fixture.wait { received == 1 }
    }
}
