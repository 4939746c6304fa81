import CDBus
import EventLoop
import TestSupport
import Testing

@testable import DBus

struct ValueTests {
    private func call(_ values: [Value]) throws(BusError) -> Message {
        let message = Message.methodCall(to: "a.b", path: "/", interface: "a.b", member: "C")
        try message.append(values)
        return message
    }

    @Test func stringsAreComparedByteForByte() {
        let composed = Value.string("\u{e9}")
        let decomposed = Value.string("e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, .variant(composed), .variant(decomposed)]).count == 4)
        #expect(Value.strings(["\u{e9}"]) != Value.strings(["e\u{301}"]))
        #expect(Value.string("e\u{301}") == decomposed)
    }

    @Test func aValueKnowsItsType() {
        let value = Value.structure([
            .string("a"), .array(element: "ai", []), .dictionary(key: "y", value: "(sv)", []), .variant(.byte(1)),
        ])
        #expect(value.signature == "(saaia{y(sv)}v)")
    }

    @Test func theUsualShapesAreTakenApart() {
        #expect(Value.strings(["a", "b"]).strings == ["a", "b"])
        let values = Value.variants([("a", .byte(1)), ("b", .variant(.byte(2)))]).variants
        #expect(values?.map(\.0) == ["a", "b"])
        #expect(values?.map(\.1) == [.byte(1), .variant(.byte(2))])
        #expect(Value.array(element: "o", []).strings == nil)
        #expect(Value.dictionary(key: "s", value: "s", []).variants == nil)
        #expect(Value.variant(.byte(1)).unwrapped == .byte(1) && Value.byte(1).unwrapped == .byte(1))
    }

    /// What a value takes in memory for each byte would be twenty-four times as much, and most are refused by their type.
    @Test func numbersComeInAsTheyAre() throws {
        let arrays: [Value] = [
            .array(element: "y", Array("any bytes".utf8).map(Value.byte)), .array(element: "y", []),
            .array(element: "b", [.boolean(true), .boolean(false)]), .array(element: "n", [.int16(-1), .int16(2)]),
            .array(element: "q", [.uint16(1)]), .array(element: "i", [.int32(-1), .int32(2), .int32(3)]),
            .array(element: "u", [.uint32(1)]), .array(element: "x", [.int64(-1), .int64(2)]), .array(element: "x", []),
            .array(element: "t", [.uint64(.max)]), .array(element: "d", [.double(0.5), .double(-1)]),
        ]
        for wrapped in [arrays, arrays.map(Value.variant), [.byte(1), .structure(arrays)]] {
            let body = try call(wrapped).body()
            #expect(body == wrapped && Set(body) == Set(wrapped) && body.map(\.signature) == wrapped.map(\.signature))
            // What came in may go out again.
            #expect(try call(body).body() == wrapped)
        }
        for (array, sent) in zip(try call(arrays).body(), arrays) {
            guard case .packed = array else {
                Issue.record("\(array) came in")
                continue
            }
            #expect(arrays.filter { $0 == array } == [sent])
        }
    }

    /// What is large is as on the wire until it is used, and then it is the same, wherever in the message it began.
    @Test func whatIsLargeComesInPacked() throws {
        let texts = (0..<200).map { String(repeating: "x", count: $0 % 11) }
        let values: [Value] = [
            .strings(texts), .array(element: "v", texts.map { .variant(.string($0)) }),
            .array(element: "(yx)", (0..<200).map { .structure([.byte(UInt8($0)), .int64(Int64($0))]) }),
            .array(element: "as", texts.map { .strings([$0, "\u{e9}"]) }), .array(element: "x", (0..<200).map { .int64($0) }),
            .variants(texts.map { ($0, .strings(texts)) }),
            .dictionary(key: "y", value: "a{sv}", texts.map { Value.Entry(key: .byte(7), value: .variants([($0, .byte(1))])) }),
            .array(element: "a{sv}", texts.map { .variants([("text", .string($0)), ("number", .double(0.5))]) }),
        ]
        for value in values {
            for before: [Value] in [[], [.byte(1)], [.string("text")], [.uint64(1), .int32(1)]] {
                let sent = before + [value, .variant(value), .structure([.byte(1), value])]
                let message = try call(sent)
                let (body, whole) = (try message.body(packs: true), try message.body())
                guard case .packed(let array) = body[before.count], case .variant(.packed) = body[before.count + 1] else {
                    Issue.record("\(body) came in")
                    continue
                }
                #expect(body == sent && whole == sent && Set(body) == Set(sent))
                #expect(body.map(\.signature) == sent.map(\.signature) && array.count == value.count)
                #expect(body[before.count].strings == value.strings)
                #expect(body[before.count].variants?.map(\.1) == value.variants?.map(\.1))
                #expect(try call(body).body() == sent)
            }
        }
    }

    /// Each of them would take a multiple of its bytes.
    @Test(arguments: [true, false]) func moreThanAMillionValuesAreNotRead(packs: Bool) throws {
        let message = try call([.variant(.strings(Array(repeating: "", count: 1 << 20)))])
        let error = #expect(throws: BusError.self) { try message.body(packs: packs) }
        #expect(error?.name == .limitsExceeded)
    }

    /// Zero has two patterns of bits, and what is no number equals nothing.
    @Test func numbersAreComparedAsNumbersAreInAnArrayToo() throws {
        func arrived(_ number: Double) throws -> Value { try call([.array(element: "d", [.double(number)])]).body()[0] }
        let (zero, negativeZero) = (try arrived(0), try arrived(-0.0))
        #expect(zero == negativeZero && Set([zero, negativeZero]).count == 1)
        let nothing = try arrived(.nan)
        #expect(nothing != nothing)
    }

    private static let refused: [Value] = [
        .string("a\0b"), .variant(.string("\0")), .strings(["a", "\0"]), .array(element: "s", [.byte(1)]),
        .array(element: "ss", []), .array(element: "", []), .structure([]), .variant(.structure([])),
        .variant(.array(element: "ss", [])), .dictionary(key: "as", value: "s", []),
        .dictionary(key: "s", value: "ss", []), .dictionary(key: "s", value: "v", [.init(key: .byte(1), value: .byte(1))]),
        .variants([("a\0", .byte(1))]), (0..<65).reduce(.byte(1)) { value, _ in .variant(value) },
        (0..<33).reduce(.byte(1)) { value, _ in .structure([value]) },
        .variant((0..<33).reduce(.byte(1)) { value, _ in .structure([value]) }),
        .variant(.structure((0..<255).map { _ in .byte(1) })),
    ]

    @Test(arguments: refused.indices)
    func whatTheBusDoesNotAllowIsRefusedAndLeavesTheMessageAsItWas(index: Int) throws {
        let message = try call([.string("before")])
        let error = #expect(throws: BusError.self) { try message.append([.byte(1), Self.refused[index]]) }
        #expect(error?.name == .invalidArgs)
        try message.append([.string("after")])
        #expect(try message.body() == [.string("before"), .string("after")])
    }

    @Test func whatIsLargerThanTheBusAllowsIsRefused() throws {
        let megabyte = Value.string(String(repeating: "x", count: 1 << 20))
        let array = Value.array(element: "s", Array(repeating: megabyte, count: 64))
        #expect(throws: BusError.self) { try call([array]) }
        #expect(throws: BusError.self) { try call([.variant(.structure(Array(repeating: megabyte, count: 128)))]) }
        #expect(try call([.array(element: "s", Array(repeating: megabyte, count: 4))]).wireSize > 4 << 20)
    }

    @Test func aMessageThatWasSentIsNotChangedAndNotSentAgain() throws {
        let fixture = try Fixture()
        let message = try fixture.message("Echo", [.variant(.byte(1))])
        try fixture.client.send(message)
        #expect(throws: BusError.self) { try message.append([.byte(1)]) }
        #expect(throws: BusError.self) { try fixture.client.send(message) }
    }

    @Test func anErrorWithAnyTextCanBeSent() throws {
        let call = try call([])
        dbus_message_set_serial(call.raw, 1)
        let error = Message.error(replyingTo: call, .failed("one\0two é"))
        #expect(error.error == .failed("one"))
        try error.append([.byte(1)])
        #expect(try error.body() == [.string("one"), .byte(1)])
        #expect(call.error == nil)
    }

    @Test func theWireSizeIsThatOfHeaderAndBody() throws {
        let size = try call([]).wireSize
        #expect(try call([.string("x")]).wireSize > size)
        #expect(
            try call([.string(String(repeating: "x", count: 4096))]).wireSize
                == call([.string(String(repeating: "x", count: 8))]).wireSize + 4088)
    }

    @Test func theLongestStringIsFoundWhereverItStands() throws {
        let long = Value.string("four")
        let places: [(Value, key: String?)] = [
            (long, nil), (.variant(.variant(long)), nil), (.strings(["a", "four", "b"]), nil),
            (.structure([.byte(1), long]), nil), (.variants([("a", .byte(1)), ("b", long), ("c", .boolean(true))]), "b"),
            (.variants([("a", .variants([("in", long)])), ("b", .string("x"))]), "in"),
            (.variants([("a", .strings(["x", "four"]))]), "a"), (.variants([("four", .byte(1))]), "four"),
            (.array(element: "(sas)", [.structure([.string("a"), .strings(["b", "four"])])]), nil), (.objectPath("/abc"), nil),
        ]
        for (place, key) in places {
            let bytes = Value.array(element: "y", [Value](repeating: .byte(1), count: 100))
            let call = try call([.string("abc"), bytes, place, .array(element: "t", [.uint64(1)]), .string("é")])
            #expect(call.longestString == LongestString(bytes: 4, key: key))
        }
        #expect(try call([]).longestString == LongestString())
        #expect(try call([.array(element: "s", []), .uint32(7), .array(element: "y", [])]).longestString == LongestString())
        let empty = try call([.array(element: "y", []), .array(element: "y", [.byte(0), .byte(255)])])
        #expect(try empty.body() == [.array(element: "y", []), .array(element: "y", [.byte(0), .byte(255)])])
    }

    @Test func randomValuesAreReadAsTheyWereWritten() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<2000 {
            let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in Value.random(depth: 4, using: &random) }
            let message = try call(values)
            #expect(try message.body() == values)
            #expect(message.signature == values.map(\.signature.rawValue).joined())
        }
    }

    /// Answers and signals are put together without libdbus, which would look over every byte; a receiver does.
    @Test func whatIsSentWithoutLibdbusIsTakenByItAndReadsTheSame() throws {
        var random = SeededGenerator(seed: 4)
        for number in 1...2000 as ClosedRange<UInt32> {
            let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in Value.random(depth: 4, using: &random) }
            let call = try call(values)
            dbus_message_set_serial(call.raw, number)
            dbus_message_set_sender(call.raw, ":1.\(number)")
            let text = String(repeating: "é", count: Int.random(in: 0...300, using: &random)) + "\0hidden"
            for var wire in [
                try WireMessage.signal(path: "/a/b_1", interface: "org.example.A", member: "Happened", values),
                try .reply(to: call, values), try .error(replyingTo: call, .failed(text)),
            ] {
                wire.setSerial(number)
                let message = Message(adopting: try OpaquePointer(message: wire.bytes))
                #expect(message.serial == number && message.expectsNoReply)
                switch message.kind {
                case .signal:
                    #expect(message.path == "/a/b_1" && message.interface == "org.example.A" && message.member == "Happened")
                    #expect(try message.body() == values)
                case .methodReturn:
                    #expect(message.replySerial == number && message.destination == ":1.\(number)")
                    #expect(try message.body() == values)
                default:
                    #expect(message.error?.name == .failed && message.error?.message == String(text.dropLast(7)))
                    #expect(message.replySerial == number && message.destination == ":1.\(number)")
                }
            }
        }
    }

    /// Bytes as a hostile sender might have made them: libdbus drops what is malformed, the rest is read or refused.
    @Test func messagesWithBrokenBytesAreReadOrRefused() throws {
        var random = SeededGenerator(seed: 3)
        var read = 0
        for _ in 0..<20_000 {
            let message = try call([Value.random(depth: 3, using: &random), .string("tail")])
            dbus_message_set_serial(message.raw, 1)
            var bytes: UnsafeMutablePointer<CChar>?
            var count: Int32 = 0
            dbus_message_marshal(message.raw, &bytes, &count)
            defer { dbus_free(bytes) }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes?[Int.random(in: 0..<Int(count), using: &random)] = CChar.random(in: .min ... .max, using: &random)
            }
            guard let raw = dbus_message_demarshal(bytes, count, nil) else { continue }
            let broken = Message(adopting: raw)
            _ = (broken.path, broken.interface, broken.member, broken.sender, broken.destination, broken.error)
            _ = MatchRule(pathNamespace: "/", arg0: "x").matches(broken)
            guard let values = try? broken.body() else { continue }
            // What was read is fit to be sent on.
            let copy = try call(values)
            #expect(copy.signature == broken.signature)
            read += 1
        }
        #expect(read > 100)
    }
}

extension Value {
    /// A value of any type, nested no deeper than `depth`.
    static func random(depth: Int, using random: inout SeededGenerator) -> Value {
        switch Int.random(in: 0...(depth > 0 ? 16 : 12), using: &random) {
        case 0: return .byte(.random(in: .min ... .max, using: &random))
        case 1: return .boolean(.random(using: &random))
        case 2: return .int16(.random(in: .min ... .max, using: &random))
        case 3: return .uint16(.random(in: .min ... .max, using: &random))
        case 4: return .int32(.random(in: .min ... .max, using: &random))
        case 5: return .uint32(.random(in: .min ... .max, using: &random))
        case 6: return .int64(.random(in: .min ... .max, using: &random))
        case 7: return .uint64(.random(in: .min ... .max, using: &random))
        case 8: return .double(.random(in: -1e300...1e300, using: &random))
        case 9: return .objectPath(Bool.random(using: &random) ? "/" : "/a/b_1")
        case 10: return .signature(Bool.random(using: &random) ? "" : "a{s(iv)}")
        case 11...12:
            let scalars = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &random)) ?? "x"
            }
            return .string(scalars.reduce(into: "") { $0.unicodeScalars.append($1) })
        case 13:
            let element = random.single(depth: depth - 1)
            let count = Int.random(in: 0...3, using: &random)
            return .array(element: element.signature, Array(repeating: element, count: count))
        case 14:
            let value = random.single(depth: depth - 1)
            let keys = (0..<Int.random(in: 0...3, using: &random)).map { Value.string("key \($0)") }
            return .dictionary(key: "s", value: value.signature, keys.map { Entry(key: $0, value: value) })
        case 15:
            return .structure((0...Int.random(in: 0...3, using: &random)).map { _ in random.single(depth: depth - 1) })
        default:
            return .variant(random.single(depth: depth - 1))
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func single(depth: Int) -> Value { Value.random(depth: depth, using: &self) }
}
