import CDBus
import EventLoop
import TestSupport
import Testing

@testable import DBus

/// One client with thousands of calls in flight, and another one.
struct FloodTests {
    let fixture: Fixture
    let other: Connection

    init() throws {
        fixture = try Fixture()
        other = try Connection.open(address: fixture.bus.address, loop: fixture.loop)
    }

    private func echo(_ number: Int, _ size: Int = 0) throws -> Message {
        try fixture.message("Describe", [.string("\(number)"), .variants([("x", .string(String(repeating: "x", count: size)))])])
    }

    @Test func theSendersTakeTurns() throws {
        let queue = CallQueue(connection: fixture.service)
        var order: [String] = []
        queue.begin = { order.append($0.sender ?? "") }
        for (sender, count) in [(":1.100", 500), (":1.101", 3), (":1.102", 2)] {
            for _ in 0..<count {
                let call = try fixture.message("Fail")
                dbus_message_set_sender(call.raw, sender)
                dbus_message_set_serial(call.raw, 1)
                queue.add(call)
            }
        }
        try fixture.wait { order.count == 505 }
        let turns = [":1.100", ":1.101", ":1.102"]
        #expect(Array(order.prefix(10)) == turns + turns + [":1.100", ":1.101"] + [":1.100", ":1.100"])
    }

    @Test func theCallsOfOneClientAreAnsweredInTheirOrder() throws {
        var order: [Int] = []
        for number in 0..<2000 {
            let call = try fixture.message("Echo", [.variant(.uint32(UInt32(number)))])
            fixture.client.call(call) { answer in
                if let number = (try? answer.get().body())?.first?.unwrapped.uint32 { order.append(Int(number)) }
            }
        }
        try fixture.wait { order.count == 2000 }
        #expect(order == Array(0..<2000))
    }

    @Test func aClientWhoseCallsAreNotAnsweredHasButSoManyUnderWay() throws {
        var refused = 0
        for number in 0..<1000 {
            fixture.client.call(try fixture.message("Keep", [.uint32(UInt32(number))])) { answer in
                if case .failure(let error) = answer, error.name != .disconnected { refused += 1 }
            }
        }
        #expect(try fixture.ask(of: other, "Fail") == "org.example.Error.Refused")
        try fixture.wait { fixture.object.kept.count >= 100 }
        #expect(fixture.object.kept.count < 1000)
        // As these are answered, the others get their turn.
        var answered = 0
        while answered < 1000 {
            let kept = fixture.object.kept
            fixture.object.kept = []
            for call in kept { call.reply([]) }
            answered += kept.count
            if answered < 1000 { try fixture.wait { !fixture.object.kept.isEmpty } }
        }
        #expect(refused == 0)
    }

    @Test func ofLargeCallsASenderHasOneUnderWay() throws {
        let queue = CallQueue(connection: fixture.service)
        var begun: [Message] = []
        var order: [String] = []
        queue.begin = { call in
            begun.append(call)
            order.append(call.sender ?? "")
        }
        for sender in [":1.100", ":1.100", ":1.100", ":1.101"] {
            let call = try echo(1, 80_000)
            dbus_message_set_sender(call.raw, sender)
            dbus_message_set_serial(call.raw, 1)
            queue.add(call)
        }
        try fixture.wait { begun.count == 2 }
        // What comes after that is after whatever else might have begun.
        #expect(try fixture.ask(of: other, "Fail") == "org.example.Error.Refused")
        #expect(order == [":1.100", ":1.101"])
        for count in [3, 4] {
            begun = []
            try fixture.wait { order.count == count }
        }
        #expect(order.suffix(2) == [":1.100", ":1.100"])
    }

    @Test(arguments: [false, true])
    func whatWaitsIsBoundedAndTheSenderWithTheMostPays(expectsNoReply: Bool) throws {
        var overloaded: [String] = []
        fixture.server.onOverload = { overloaded.append($0) }
        // Nothing goes on as long as these are kept.
        for number in 0..<128 {
            let keep = try fixture.message("Keep", [.uint32(UInt32(number))])
            fixture.client.call(keep) { _ in }
        }
        try fixture.wait { fixture.object.kept.count == 128 }
        var errors: Set<ErrorName> = []
        var answers = 0
        for number in 0..<80 {
            let call = try echo(number, 900_000)
            call.expectsNoReply = expectsNoReply
            if expectsNoReply {
                try fixture.client.send(call)
            } else {
                fixture.client.call(call, timeout: .seconds(60)) { answer in
                    answers += 1
                    if case .failure(let error) = answer { errors.insert(error.name) }
                }
            }
        }
        try fixture.wait { !overloaded.isEmpty }
        #expect(try fixture.ask(of: other, "Fail") == "org.example.Error.Refused")
        for call in fixture.object.kept { call.reply([]) }
        fixture.object.kept = []
        if !expectsNoReply {
            try fixture.wait { answers == 80 }
            #expect(errors == [.limitsExceeded])
        }
        #expect(overloaded == [fixture.client.uniqueName ?? ""])
    }

    @Test func aClosedServerRefusesWhatComesAndLetsGoWhatWaits() throws {
        var names: [ErrorName?] = []
        for number in 0..<300 {
            fixture.client.call(try fixture.message("Keep", [.uint32(UInt32(number))])) { answer in
                if case .failure(let error) = answer { names.append(error.name) } else { names.append(nil) }
            }
        }
        try fixture.wait { fixture.object.kept.count == 128 }
        var isClosed = false
        fixture.server.close(with: .timeout("ending"), patience: .milliseconds(20)) { isClosed = true }
        try fixture.wait { isClosed && names.count == 172 }
        #expect(Set(names) == [.noReply])
        #expect(try fixture.ask(of: other, "Fail") == ErrorName.noReply.rawValue)
        for call in fixture.object.kept { call.reply([]) }
        try fixture.wait { names.count == 300 }
        #expect(names.suffix(128).allSatisfy { $0 == nil })
    }
}

extension Fixture {
    /// The name of the error that answers a client's call.
    fileprivate func ask(of client: Connection, _ member: MemberName) throws -> String? {
        do {
            _ = try client.callAndWait(try message(member), timeout: .seconds(20))
            return nil
        } catch let error as BusError {
            return error.name.rawValue
        }
    }
}
