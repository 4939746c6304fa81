import JSON
import Testing

/// Bounded random runs with a fixed seed.
@Suite struct FuzzTests {
    @Test func whatIsWrittenReadsAsTheSameValue() throws {
        var random = Generator(seed: 1)
        for _ in 0..<2000 {
            let value = random.value(depth: 0)
            for bytes in [JSONWriter.pretty(value), JSONWriter.line(value)] {
                let document = try JSONParser.parse(bytes)
                #expect(document.root == value)
            }
            let sorted = try JSONParser.parse(JSONWriter.sortedLine(value)).root
            #expect(JSONWriter.sortedLine(sorted) == JSONWriter.sortedLine(value))
        }
    }

    @Test func everyValueIsFoundWhereItStands() throws {
        var random = Generator(seed: 2)
        for _ in 0..<200 {
            let value = random.value(depth: 0)
            let bytes = JSONWriter.pretty(value)
            let document = try JSONParser.parse(bytes)
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            for (path, part) in value.parts(path: []).prefix(40) {
                let position = try #require(document.position(of: path), "\(path)")
                let rest = lines[position.line - 1].dropFirst(position.column - 1)
                #expect(rest.utf8.starts(with: part.firstLine.utf8), "\(path) at \(position)")
            }
        }
    }

    @Test func aDamagedTextIsRefusedWithAPlaceOrReadAndNeverTraps() throws {
        var random = Generator(seed: 3)
        var refused = 0
        for _ in 0..<6000 {
            var bytes = JSONWriter.line(random.value(depth: 0))
            for _ in 0...Int.random(in: 0..<4, using: &random) { random.damage(&bytes) }
            refused += try check(bytes) ? 0 : 1
        }
        #expect(refused > 3000)
    }

    @Test func randomBytesAreRefusedWithAPlaceOrReadAndNeverTrap() throws {
        var random = Generator(seed: 4)
        let alphabet = Array("{}[]:,\"\\ \n/#0123456789.-+eEtrufalsn\u{E9}".utf8) + [0, 0x1F, 0x7F, 0xFF, 0xC3, 0xEF, 0xBB, 0xBF]
        for round in 0..<6000 {
            let length = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<length).map { _ in
                round % 2 == 0 ? UInt8.random(in: .min ... .max, using: &random) : alphabet.randomElement(using: &random) ?? 0
            }
            _ = try check(bytes)
        }
    }

    /// Says whether the bytes are JSON, after checks of what was read or of the refusal.
    private func check(_ bytes: [UInt8]) throws -> Bool {
        let document: JSONDocument
        do {
            document = try JSONParser.parse(bytes)
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            try #require((1...lines.count).contains(error.position.line), "\(error) in \(bytes)")
            #expect((1...lines[error.position.line - 1].count + 1).contains(error.position.column), "\(error) in \(bytes)")
            // jansson's own words would mean that the diagnosis found nothing wrong.
            #expect(!error.message.contains("near"), "\(error) in \(bytes)")
            #expect(!error.message.isEmpty)
            return false
        }
        #expect(try JSONParser.parse(JSONWriter.line(document.root)).root == document.root)
        #expect(document.position(of: []) != nil)
        return true
    }
}

/// A source of random values (xorshift64*) that gives the same ones in every run.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func text() -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "\u{0}", "\n", "\u{1F}", "\u{7F}", "é", "\u{301}", "\u{202E}", "山", "😀", "\u{200D}", "/", "{",
            ",",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<8, using: &self) {
            text.unicodeScalars.append(alphabet.randomElement(using: &self) ?? "x")
        }
        return text
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 8 : 5), using: &self) {
        case 0: return .null
        case 1: return .boolean(.random(using: &self))
        case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &self)))
        case 3: return .number(JSONNumber(Double(bitPattern: next() & 0xBFFF_FFFF_FFFF_FFFF)))
        case 4: return .string(text())
        case 5: return .array((0..<Int.random(in: 0..<5, using: &self)).map { _ in value(depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<14, using: &self) {
                object[text().filter { $0 != "\u{0}" }] = value(depth: depth + 1)
            }
            return .object(object)
        }
    }

    mutating func damage(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &self)
        let pieces = ["{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "//", "#", "1e", "true", "-", "é", "\n", " "]
        switch Int.random(in: 0..<5, using: &self) {
        case 0: bytes.insert(contentsOf: (pieces.randomElement(using: &self) ?? "").utf8, at: place)
        case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.removeSubrange(place..<min(place + 3, bytes.count))
        default:
            if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self) }
        }
    }
}

extension JSONValue {
    /// What a pretty text of the value begins with, in its first line.
    fileprivate var firstLine: String {
        switch self {
        case .array(let elements): elements.isEmpty ? "[]" : "["
        case .object(let object): object.isEmpty ? "{}" : "{"
        default: String(decoding: JSONWriter.line(self), as: UTF8.self)
        }
    }

    /// The value and everything in it, each with its path.
    fileprivate func parts(path: [String]) -> [([String], JSONValue)] {
        switch self {
        case .array(let elements):
            [(path, self)] + elements.enumerated().flatMap { $1.parts(path: path + ["\($0)"]) }
        case .object(let object): [(path, self)] + object.members.flatMap { $0.value.parts(path: path + [$0.key]) }
        default: [(path, self)]
        }
    }
}
