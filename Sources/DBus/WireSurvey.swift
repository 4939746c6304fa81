/// What is in a body, or in an array of one, found without decoding it. libdbus has checked it; its nesting is bounded there
/// (64 levels), so recursion is too.
struct WireSurvey {
    typealias Types = WireCursor.Types
    typealias Text = UnsafeRawBufferPointer

    /// All values, those in others too.
    private(set) var values = 0
    /// Those that the array itself has.
    private(set) var elements = 0
    private(set) var hasFileDescriptor = false
    /// The longest string or object path.
    private(set) var longest = Text(start: nil, count: 0)
    /// The key of the innermost dictionary's entry that holds it; nil where none does.
    private(set) var key: Text?
    private var cursor: WireCursor

    /// Looks at values of some types.
    init(_ types: Types, from cursor: WireCursor) {
        self.cursor = cursor
        pass(types, 0..<types.count, key: nil)
    }

    /// Looks at an array from its first element on.
    init(ofArray types: Types, _ element: Range<Int>, from cursor: WireCursor, to end: Int) {
        self.cursor = cursor
        elements = passElements(of: types, element, to: end, key: nil)
    }

    private mutating func pass(_ types: Types, _ range: Range<Int>, key: Text?) {
        var place = range.lowerBound
        while place < range.upperBound {
            let next = types.endOfType(at: place)
            values += 1
            switch Unicode.Scalar(types[place]) {
            case "s", "o": note(cursor.text(), key)
            case "g": _ = cursor.signature()
            case "a":
                let end = cursor.beginArray(of: types[place + 1])
                _ = passElements(of: types, place + 1..<next, to: end, key: key)
            case "(":
                cursor.align(to: 8)
                pass(types, place + 1..<next - 1, key: key)
            case "v":
                let content = cursor.signature()
                pass(content, 0..<content.count, key: key)
            case let code:
                if code == "h" { hasFileDescriptor = true }
                cursor.skip(1, of: Signature.alignment(types[place]))
            }
            place = next
        }
    }

    /// - Returns: how many there are.
    private mutating func passElements(of types: Types, _ element: Range<Int>, to end: Int, key: Text?) -> Int {
        let code = types[element.lowerBound]
        if Signature.isFixed(code) {
            let count = (end - cursor.position) / Signature.alignment(code)
            values += count
            cursor.skip(count, of: Signature.alignment(code))
            return count
        }
        var count = 0
        while cursor.position < end {
            count += 1
            switch Unicode.Scalar(code) {
            case "{": passEntry(types, element.lowerBound + 1..<element.upperBound - 1, key: key)
            // As `pass` does, for what most long arrays are of.
            case "s": note(cursor.text(), key)
            default: pass(types, element, key: key)
            }
        }
        if code == UInt8(ascii: "s") { values += count }
        return count
    }

    private mutating func passEntry(_ types: Types, _ range: Range<Int>, key outer: Text?) {
        cursor.align(to: 8)
        guard "so".utf8.contains(types[range.lowerBound]) else { return pass(types, range, key: outer) }
        values += 1
        let key = cursor.text()
        note(key, key)
        pass(types, range.lowerBound + 1..<range.upperBound, key: key)
    }

    private mutating func note(_ text: Text, _ key: Text?) {
        guard text.count > longest.count else { return }
        longest = text
        self.key = key
    }
}

/// A string in a message.
public struct LongestString: Hashable, Sendable {
    /// Its length in bytes of UTF-8.
    public var bytes = 0
    /// The key of the innermost dictionary's entry that holds it; nil where none does.
    public var key: String?
}

extension Message {
    /// The longest string or object path in the body, wherever it stands; found without decoding the body.
    public var longestString: LongestString {
        WireCursor.withBody(of: self) { cursor, types in
            let survey = WireSurvey(types, from: cursor)
            isSurveyed = !survey.hasFileDescriptor && survey.values <= BodyReader.maximumCount
            return LongestString(bytes: survey.longest.count, key: survey.key.map { String(decoding: $0, as: UTF8.self) })
        } ?? LongestString()
    }
}
