import CDBus
import EventLoop
import Glibc
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

    /// The calls that one of two senders has under way at most.
    private static let share = CallWindow.largest / 2

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

    @Test func whoHasNoCallWaitingComesNext() throws {
        let queue = CallQueue(connection: fixture.service)
        var order: [String] = []
        func add(_ sender: String) {
            do {
                let call = try fixture.message("Fail")
                dbus_message_set_sender(call.raw, sender)
                dbus_message_set_serial(call.raw, 1)
                queue.add(call)
            } catch {
                Issue.record(error)
            }
        }
        queue.begin = {
            order.append($0.sender ?? "")
            if order.count == 10 { add(":1.105") }
        }
        for sender in [":1.100", ":1.101", ":1.102"] { for _ in 0..<20 { add(sender) } }
        try fixture.wait { order.count == 61 }
        #expect(order[10] == ":1.105")
    }

    @Test func whileTheBusReadsNothingFewAnswersAreMade() throws {
        var bus: Int32?
        other.processID(of: BusName.bus.rawValue) { bus = try? $0.get() }
        try fixture.wait { bus != nil }
        let process = try #require(bus)
        let queue = CallQueue(connection: fixture.service)
        fixture.service.onTransfer = { queue.resume() }
        var begun = 0
        queue.begin = { [service = fixture.service] call in
            begun += 1
            service.answer(call, with: [.string(String(repeating: "x", count: 1000))])
        }
        kill(process, SIGSTOP)
        for _ in 0..<500 { queue.add(.call(serial: 1, by: ":1.100")) }
        var turns = 0
        func count() {
            turns += 1
            fixture.loop.whenIdle(count)
        }
        count()
        try fixture.wait { turns > 100 }
        #expect(begun > 0 && begun < 64)
        kill(process, SIGCONT)
        try fixture.wait { begun == 500 }
    }

    @Test func asManyCallsAreUnderWayAsTheBusTakesTheAnswersOfInAMoment() {
        var window = CallWindow()
        let start = Moment.now
        #expect(window.size == CallWindow.largest)
        window.note(isFull: true, at: start)
        window.note(isFull: true, at: start + .seconds(1))
        window.note(isFull: false, at: start + .milliseconds(9))
        #expect(window.size == CallWindow.largest)
        window.note(isFull: true, at: start)
        window.note(isFull: false, at: start + .milliseconds(40))
        #expect(window.size == CallWindow.largest / 4)
        window.note(isFull: true, at: start)
        window.note(isFull: false, at: start + .seconds(10))
        #expect(window.size == CallWindow.smallest)
        for _ in 0..<100 { window.grow() }
        #expect(window.size == CallWindow.largest)
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
        try fixture.wait { fixture.object.kept.count == Self.share }
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

    @Test func ofLargeCallsButAFewOfOneSenderWait() throws {
        let queue = CallQueue(connection: fixture.service)
        var overloaded: [String] = []
        var begun: [String] = []
        queue.onOverload = { overloaded.append($0) }
        queue.begin = { begun.append($0.sender ?? "") }
        func add(_ sender: String, _ count: Int, _ size: Int) throws {
            for _ in 0..<count {
                let call = try echo(1, size)
                call.expectsNoReply = true
                dbus_message_set_sender(call.raw, sender)
                dbus_message_set_serial(call.raw, 1)
                queue.add(call)
            }
        }
        try add(":1.100", 4, 1_000_000)
        try add(":1.101", 40, 100_000)
        try add(":1.102", 200, 30_000)
        #expect(overloaded.isEmpty)
        try add(":1.100", 3, 1_000_000)
        #expect(overloaded == [":1.100"])
        try fixture.wait { begun.count == 244 }
        #expect(begun.filter { $0 == ":1.100" }.count == 4)
    }

    @Test(arguments: [false, true], [(80, 900_000), (1500, 30_000)])
    func whatWaitsIsBoundedAndTheSenderWithTheMostPays(expectsNoReply: Bool, calls: (count: Int, size: Int)) throws {
        var overloaded: [String] = []
        fixture.server.onOverload = { overloaded.append($0) }
        // Nothing goes on as long as these are kept.
        for number in 0..<Self.share {
            let keep = try fixture.message("Keep", [.uint32(UInt32(number))])
            fixture.client.call(keep) { _ in }
        }
        try fixture.wait { fixture.object.kept.count == Self.share }
        var errors: Set<ErrorName> = []
        var refused: [Int] = []
        var answers = 0
        for number in 0..<calls.count {
            let call = try echo(number, calls.size)
            call.expectsNoReply = expectsNoReply
            if expectsNoReply {
                try fixture.client.send(call)
            } else {
                fixture.client.call(call, timeout: .seconds(60)) { answer in
                    answers += 1
                    guard case .failure(let error) = answer else { return }
                    errors.insert(error.name)
                    refused.append(number)
                }
            }
        }
        // When the bus answers, it has read them all, and what comes then comes behind them.
        var isRead = false
        fixture.client.processID(of: BusName.bus.rawValue) { _ in isRead = true }
        try fixture.wait { isRead }
        #expect(try fixture.ask(of: other, "Fail") == "org.example.Error.Refused")
        for call in fixture.object.kept { call.reply([]) }
        fixture.object.kept = []
        if !expectsNoReply {
            try fixture.wait { answers == calls.count }
            #expect(errors == [.limitsExceeded])
            // The oldest ones.
            #expect(refused.count < calls.count && refused == Array(0..<refused.count))
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
        try fixture.wait { fixture.object.kept.count == Self.share }
        var isClosed = false
        fixture.server.close(with: .timeout("ending"), patience: .milliseconds(20)) { isClosed = true }
        try fixture.wait { isClosed && names.count == 300 - Self.share }
        #expect(Set(names) == [.noReply])
        #expect(try fixture.ask(of: other, "Fail") == ErrorName.noReply.rawValue)
        for call in fixture.object.kept { call.reply([]) }
        try fixture.wait { names.count == 300 }
        #expect(names.suffix(Self.share).allSatisfy { $0 == nil })
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
