import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.logsOnFailure)
struct CallTests {
    static let values: [Value] = [
        .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity), .string(""), .string("Zoë 👩‍👩‍👧‍👦"),
        .objectPath("/a/b"), .signature("a{sv}"), .signature(""), .strings([]), .strings(["a", "b"]),
        .array(element: "y", [.byte(1), .byte(2)]), .array(element: "as", [.strings(["x"]), .strings([])]),
        .array(element: "(sa{sv})", [.structure([.string("SetValues"), .variants([("k", .uint64(1))])])]),
        .variants([]), .variants([("name", .string("Ada")), ("size", .int32(3)), ("name", .string("again"))]),
        .dictionary(key: "s", value: "a{sv}", [.init(key: .string("k"), value: .variants([("v", .boolean(true))]))]),
        .dictionary(key: "u", value: "s", [.init(key: .uint32(1), value: .string("one"))]),
        .structure([.byte(1), .string("x"), .structure([.double(1)])]), .variant(.variant(.string("deep"))),
    ]

    @Test func everyTypeComesBackAsItWasSent() throws {
        let fixture = try Fixture()
        for value in Self.values {
            #expect(try fixture.ask("Echo", [.variant(value)]) == [.variant(value)])
        }
    }

    @Test(arguments: [2, 60, 64]) func deeplyNestedVariantsComeBackAsTheyWereSent(depth: Int) throws {
        let fixture = try Fixture()
        let value = (0..<depth).reduce(Value.byte(1)) { value, _ in .variant(value) }
        #expect(try fixture.ask("Echo", [value]) == [value])
    }

    @Test func aStringOfAMegabyteComesBackAsItWasSent() throws {
        let fixture = try Fixture()
        let value = Value.variant(.string(String(repeating: "ä", count: 1 << 19)))
        #expect(try fixture.ask("Echo", [value]) == [value])
    }

    @Test func serialsGrowByStepsThatAreHardToGuess() throws {
        let fixture = try Fixture()
        let messages = try (0..<100).map { _ in try fixture.message("Echo", [.variant(.byte(1))]) }
        for message in messages { fixture.client.call(message) { _ in } }
        let steps = zip(messages, messages.dropFirst()).map { Int64($1.serial) - Int64($0.serial) }
        #expect(steps.allSatisfy { $0 > 0 })
        #expect(Set(steps).count > 50)
    }

    @Test func anErrorAnswerArrivesWithItsNameAndMessage() throws {
        let fixture = try Fixture()
        #expect(
            try fixture.refusal("Fail") == BusError(name: "org.example.Error.Refused", message: "Not today."))
    }

    @Test func anAnswerThatCannotBeSentBecomesAnError() throws {
        let fixture = try Fixture()
        #expect(try fixture.refusal("AnswerWithNUL")?.name == .invalidArgs)
    }

    @Test func aCallThatNobodyAnswersEndsAtItsTimeLimit() throws {
        let fixture = try Fixture()
        let call = try fixture.message("Keep", [.uint32(1)])
        #expect(throws: BusError.self) { try fixture.client.callAndWait(call, timeout: .milliseconds(50)) }
        // The late answer finds nobody and does no harm.
        fixture.object.kept[0].reply([])
        #expect(try fixture.ask("Echo", [.variant(.byte(1))]) == [.variant(.byte(1))])
    }

    @Test func aCallThatTheServiceLetsGoIsAnsweredByAnError() throws {
        let fixture = try Fixture()
        fixture.object.onKeep = { [object = fixture.object] _ in object.kept = [] }
        #expect(try fixture.refusal("Keep", [.uint32(1)])?.name == .failed)
    }

    @Test func aCancelledCallIsNeverCompleted() throws {
        let fixture = try Fixture()
        var isCompleted = false
        let call = fixture.client.call(try fixture.message("Echo", [.variant(.byte(1))])) { _ in isCompleted = true }
        call.cancel()
        _ = try fixture.ask("Echo", [.variant(.byte(2))])
        #expect(!isCompleted)
    }

    @Test func answersReachTheirOwnCallsInWhateverOrderTheyCome() throws {
        let fixture = try Fixture()
        var completed: [UInt32] = []
        for number in 0..<3 as Range<UInt32> {
            fixture.client.call(try fixture.message("Keep", [.uint32(number)])) { _ in completed.append(number) }
        }
        try fixture.wait { fixture.object.kept.count == 3 }
        for call in fixture.object.kept.reversed() { call.reply([]) }
        try fixture.wait { completed.count == 3 }
        #expect(completed == [2, 1, 0])
    }

    @Test func aCallToNobodyFailsAtOnce() throws {
        let fixture = try Fixture()
        let call = Message.methodCall(to: "org.example.Nobody", path: "/", interface: "a.b", member: "C")
        let error = #expect(throws: BusError.self) { try fixture.client.callAndWait(call, timeout: .seconds(20)) }
        #expect(error?.name == .serviceUnknown)
    }

    @Test func aCallThatWantsNoAnswerGetsNone() throws {
        let fixture = try Fixture()
        let monitor = try RunningProcess(
            "dbus-monitor", ["--address", fixture.bus.address], environment: ["PATH": "/usr/bin:/bin"])
        try monitor.waitForOutput("NameLost")
        let call = try fixture.message("Fail")
        call.expectsNoReply = true
        try fixture.client.send(call)
        #expect(try fixture.refusal("Fail")?.message == "Not today.")
        try monitor.waitForOutput("Not today.")
        #expect(monitor.stdout.components(separatedBy: "Not today.").count == 2)
    }

    @Test func aCallInAHandlerOfASignalIsAnsweredWhileMoreMessagesWait() throws {
        let fixture = try Fixture()
        var answers: [String] = []
        fixture.client.subscribe(MatchRule(interface: TestObject.name)) { signal in
            guard let value = try? signal.body().first, let answer = try? fixture.ask("Echo", [.variant(value)]).first
            else { return }
            answers.append(answer.unwrapped.string ?? "")
        }
        _ = try fixture.ask("Echo", [.variant(.byte(1))])
        for number in 0..<200 {
            try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [.string("\(number)")])
        }
        try fixture.wait { answers.count == 200 }
        let isComplete = Set(answers) == Set((0..<200).map { "\($0)" })
        #expect(isComplete)
    }

    @Test func aHandlerMayWaitForAMessageThatWasReadTogetherWithItsOwn() throws {
        let fixture = try Fixture()
        let loop = try EventLoop()
        let client = try Connection.open(address: fixture.bus.address, loop: loop)
        var received: [String] = []
        client.subscribe(MatchRule(interface: TestObject.name)) { signal in
            received.append((try? signal.body())?.first?.string ?? "?")
            if received.count == 1 { #expect(loop.run(until: { received.count == 3 }, timeout: .seconds(20))) }
        }
        _ = try client.callAndWait(try fixture.busMessage("GetId"))
        for text in ["one", "two", "three"] {
            try fixture.server.emit("Happened", of: TestObject.name, at: TestObject.path, [.string(text)])
        }
        // When the bus has answered this, all three lie in the client's socket.
        _ = try fixture.service.callAndWait(try fixture.busMessage("GetId"))
        #expect(loop.run(until: { !received.isEmpty }, timeout: .seconds(20)))
        #expect(received == ["one", "two", "three"])
    }
}
