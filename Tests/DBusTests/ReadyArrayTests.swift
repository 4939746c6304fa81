import TestSupport
import Testing

@testable import DBus

/// Arrays that are ready for messages are in them what they would be otherwise.
struct ReadyArrayTests {
    private static let types: [Signature] = ["s", "b", "x", "y", "v", "n", "a{sv}", "as", "ax", "aax", "aa{sv}", "(yx)", "(ys)"]

    /// Reads what a message has behind something of each length, in a variant and outside.
    private func expect(_ ready: ReadyArray, _ items: [Value]) throws {
        let array = Value.array(element: ready.element, items)
        for length in 0..<8 {
            let before = Value.structure([.string(String(repeating: "x", count: length))])
            let message = Message.signal(path: "/", interface: "a.b", member: "C")
            try message.append([before, .ready(ready)])
            try message.append([.variants([("a", .ready(ready))]), before])
            #expect(try message.body() == [before, array, .variants([("a", array)]), before])
        }
    }

    @Test(arguments: types) func anArrayIsMadeOfTheOneBeforeIt(type: Signature) throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20 {
            var items: [Value] = []
            var ready = try ReadyArray(of: type, count: 0) { items[$0] }
            for _ in 0..<10 {
                let place = Int.random(in: 0...items.count, using: &random)
                let end = Int.random(in: place...min(items.count, place + 3), using: &random)
                let rest = items.count - end
                let inserted = (0..<Int.random(in: 0..<5, using: &random)).map { _ in random.value(of: type.rawValue[...]).value }
                items.replaceSubrange(place..<end, with: inserted)
                ready = try ReadyArray(of: type, count: items.count, like: ready, shared: (place, rest)) { items[$0] }
                try expect(ready, items)
                #expect(try ready == ReadyArray(of: type, count: items.count) { items[$0] })
            }
        }
    }

    @Test func whatIsSharedIsNotMadeAgain() throws {
        let items = (0..<1000).map { Value.variants([("id", .string("\($0)"))]) }
        let old = try ReadyArray(of: "a{sv}", count: 1000) { items[$0] }
        var asked: [Int] = []
        let new = try ReadyArray(of: "a{sv}", count: 999, like: old, shared: (500, 499)) {
            asked.append($0)
            return items[$0 < 500 ? $0 : $0 + 1]
        }
        #expect(Set(asked).isSubset(of: [0, 500]), "The first one has another look elsewhere in a message.")
        try expect(new, Array(items[..<500] + items[501...]))
    }

    @Test func whatTheBusDoesNotAllowIsRefused() throws {
        for (type, item) in [("s", Value.string("\0")), ("s", .byte(1)), ("ss", .string("")), ("{sv}", .byte(1))] {
            let error = #expect(throws: BusError.self) {
                try ReadyArray(of: Signature(valid: type), count: 1) { _ in item }
            }
            #expect(error?.name == .invalidArgs)
        }
        let ready = Value.ready(try ReadyArray(of: "s", count: 0) { _ in .byte(1) })
        let message = Message.signal(path: "/", interface: "a.b", member: "C")
        #expect(throws: BusError.self) { try message.append([(0..<33).reduce(ready) { value, _ in .variant(value) }]) }
    }
}

extension SeededGenerator {
    /// A random value of the first type in a signature, and what follows it there.
    fileprivate mutating func value(of types: Substring) -> (value: Value, rest: Substring) {
        let rest = types.dropFirst()
        switch types.first {
        case "s": return (.string(String(repeating: "y", count: Int.random(in: 0..<9, using: &self))), rest)
        case "b": return (.boolean(.random(using: &self)), rest)
        case "y": return (.byte(.random(in: 0...255, using: &self)), rest)
        case "n": return (.int16(.random(in: 0...9, using: &self)), rest)
        case "x": return (.int64(.random(in: 0...9, using: &self)), rest)
        case "v": return (.variant(value(of: ["s", "x", "y", "ax", "a{sv}"].randomElement(using: &self) ?? "s").value), rest)
        case "(":
            var (fields, rest): ([Value], Substring) = ([], rest)
            while rest.first != ")" {
                let (field, next) = value(of: rest)
                (fields, rest) = (fields + [field], next)
            }
            return (.structure(fields), rest.dropFirst())
        default:
            let count = Int.random(in: 0..<3, using: &self)
            guard rest.first != "{" else {
                return (.variants((0..<count).map { ("key \($0)", value(of: "v").value.unwrapped) }), rest.dropFirst(4))
            }
            let items = (0..<count).map { _ in value(of: rest).value }
            let after = value(of: rest).rest
            return (.array(element: Signature(valid: String(rest.dropLast(after.count))), items), after)
        }
    }
}
