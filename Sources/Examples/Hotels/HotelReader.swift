import ExampleSupport
import Foundation
import JSON
import SettingsCommand

/// What has come out of the reading of a file, beside the hotels.
struct ReadSummary {
    /// How many fields have no use, and count as unknown.
    var misfits = 0
    /// How many entries are no hotels, and were passed over.
    var strangers = 0
    /// The first of these, with its place.
    var remark: String?
}

/// Reads hotels from a file of JSON, an array of objects or objects one behind the other (JSON Lines), one by one: of a long
/// file only a piece is in memory at a time.
struct HotelReader {
    /// How the file is called in messages.
    private let name: String
    /// How many bytes the file has; nil where that is not known.
    private let size: Int?
    /// How many bytes were read.
    private var count = 0
    /// How many entries were read.
    private var entries = 0
    private var summary = ReadSummary()

    private let file: Int32
    private let progress: Progress?
    private var buffer: [UInt8] = []
    /// Where in the buffer the rest begins.
    private var next = 0
    private var place = TextPlace()
    private var isAtEnd = false

    private static let pieceSize = 256 * 1024
    /// No hotel has as much to say.
    private static let longestEntry = 4 * 1024 * 1024

    /// Opens a file; `-` is the standard input.
    init(_ path: String) throws(Failure) {
        name = path == "-" ? "the standard input" : path
        file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw Failure(
                "cannot read \(path): \(systemMessage(errno))",
                hint: errno == ENOENT ? "- is the standard input, as in: hotels search porto - <hotels.json" : nil)
        }
        progress = Progress(name: name)
        var status = stat()
        let kind = fstat(file, &status) == 0 ? status.st_mode & S_IFMT : 0
        if kind == S_IFDIR {
            close(file)
            throw Failure("cannot read \(name): \(systemMessage(EISDIR))")
        }
        size = kind == S_IFREG ? Int(status.st_size) : nil
    }

    /// Reads all, shows on a terminal how far that is, and closes the file.
    ///
    /// - Parameter take: gets each hotel.
    mutating func read(_ take: (Hotel) -> Void) throws(Failure) -> ReadSummary {
        defer {
            progress?.end()
            if file != STDIN_FILENO { close(file) }
        }
        try fill()
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
        guard let first = try peek() else {
            throw Failure("\(name) is empty; expected an array of hotels: [ … ]", status: .refused)
        }
        if first == UInt8(ascii: "{") {
            try readObjects(take)
            return summary
        }
        guard first == UInt8(ascii: "[") else { throw fault(Self.expectation) }
        pass(1)
        if try peek() == UInt8(ascii: "]") {
            pass(1)
        } else {
            try readEntries(take)
        }
        if try peek() != nil { throw fault("expected nothing behind the array") }
        return summary
    }

    private static let expectation = "expected an array of hotels, [ … ], or a hotel on each line, { … }"

    /// Reads objects that stand one behind the other.
    private mutating func readObjects(_ take: (Hotel) -> Void) throws(Failure) {
        let start = place
        var isFirst = true
        while let next = try peek() {
            guard next == UInt8(ascii: "{") else {
                throw fault("expected another hotel, { … }, or the end; between [ and ] there are commas, too")
            }
            let object = try entry(take)
            if isFirst, let object, !Hotel.isDescribed(by: object) {
                let part = object.members.first { $0.value.array != nil && $0.key.allSatisfy(\.isLetter) }?.key ?? "hotels"
                throw fault(
                    Self.expectation, at: start,
                    hint: "if they are in a part of it, such as \"\(part)\": jq .\(part) FILE | hotels search -")
            }
            isFirst = false
        }
    }

    private mutating func readEntries(_ take: (Hotel) -> Void) throws(Failure) {
        while true {
            try entry(take)
            switch try peek() {
            case UInt8(ascii: ","): pass(1)
            case UInt8(ascii: "]"): return pass(1)
            case nil: throw fault("the text ends within the array; expected a comma or ]")
            case _: throw fault("expected a comma or ] behind the entry")
            }
            if try peek() == UInt8(ascii: "]") { throw fault("expected another entry behind the comma, found ]") }
        }
    }

    // MARK: Entries

    /// - Returns: the entry as it is written; nil where it is no object.
    @discardableResult
    private mutating func entry(_ take: (Hotel) -> Void) throws(Failure) -> JSONObject? {
        guard try peek() != nil else { throw fault("the text ends within the array; expected an entry") }
        let length = try entryLength()
        let bytes = Array(buffer[next..<next + length])
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONParser.parse(bytes)
        } catch {
            var message = error.message
            // Of a key that is given twice it names both places.
            if let other = error.otherPosition {
                message = message.replacingOccurrences(of: other.description, with: absolute(other).description)
            }
            throw fault(message, at: absolute(error.position))
        }
        entries += 1
        if let object = document.root.object {
            var misfits: [Misfit] = []
            take(Hotel(object, misfits: &misfits))
            for misfit in misfits { remark(misfit.text, document.position(of: [misfit.field])) }
            summary.misfits += misfits.count
        } else {
            summary.strangers += 1
            remark("an entry is no hotel, which would be an object: { … }", document.position(of: []))
        }
        pass(length)
        return document.root.object
    }

    private mutating func remark(_ text: String, _ position: JSONPosition?) {
        guard summary.remark == nil, let position else { return }
        summary.remark = "\(absolute(position)): \(text)"
    }

    /// The place in the file of a position in the next entry.
    private func absolute(_ position: JSONPosition) -> TextPlace { place.place(line: position.line, column: position.column) }

    /// How many bytes the next entry has: up to its last bracket, or to what cannot be a part of it.
    private mutating func entryLength() throws(Failure) -> Int {
        var scan = EntryScan()
        while true {
            if let length = buffer[next...].withUnsafeBufferPointer({ scan.length(in: $0) }) { return length }
            if isAtEnd { return buffer.count - next }
            if buffer.count - next > Self.longestEntry { throw fault("an entry has more than 4 MiB; is a bracket missing?") }
            try fill()
        }
    }

    // MARK: Bytes

    /// The next byte that is no space; nil at the end.
    private mutating func peek() throws(Failure) -> UInt8? {
        while true {
            var spaces = 0
            while next + spaces < buffer.count, Self.isSpace(buffer[next + spaces]) { spaces += 1 }
            pass(spaces)
            if next < buffer.count { return buffer[next] }
            if isAtEnd { return nil }
            try fill()
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func pass(_ count: Int) {
        if count == 0 { return }
        buffer[next..<next + count].withUnsafeBytes { place.pass($0) }
        next += count
    }

    /// Reads a further piece.
    private mutating func fill() throws(Failure) {
        buffer.removeSubrange(..<next)
        next = 0
        var refusal: Int32 = 0
        // As much as is there already, so that a long entry is not looked at again and again.
        let piece = [UInt8](unsafeUninitializedCapacity: max(Self.pieceSize, buffer.count)) { piece, count in
            repeat {
                let result = Foundation.read(file, piece.baseAddress, piece.count)
                refusal = result < 0 ? errno : 0
                count = max(0, result)
            } while refusal == EINTR
        }
        if refusal != 0 { throw Failure("cannot read \(name): \(systemMessage(refusal))") }
        isAtEnd = piece.isEmpty
        count += piece.count
        buffer += piece
        progress?.show(count, of: size, entries)
    }

    private func fault(_ text: String, at place: TextPlace? = nil, hint: String? = nil) -> Failure {
        Failure("\(name): \(place ?? self.place): \(text)", hint: hint, status: .refused)
    }
}

/// Looks for the end of an entry, piece by piece.
private struct EntryScan {
    private var offset = 0
    private var depth = 0
    private var isInText = false

    /// - Parameter bytes: the entry from its beginning, as far as it was read.
    /// - Returns: how many bytes the entry has; nil where its end is not among them.
    mutating func length(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        while offset < bytes.count {
            if isInText {
                guard let quote = memchr(start + offset, 0x22, bytes.count - offset) else {
                    offset = bytes.count
                    return nil
                }
                offset = UnsafeRawPointer(quote) - UnsafeRawPointer(start) + 1
                isInText = Self.isEscaped(offset - 1, start)
                continue
            }
            switch start[offset] {
            case 0x22: isInText = true  // "
            case 0x7B, 0x5B: depth += 1  // { [
            case 0x7D, 0x5D:  // } ]
                // The bracket that ends the whole array is no part of the entry.
                if depth == 0 { return offset }
                depth -= 1
                if depth == 0 { return offset + 1 }
            case 0x2C where depth == 0: return offset  // ,
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// Whether the quotation mark at an offset has an odd number of backslashes before it.
    private static func isEscaped(_ offset: Int, _ start: UnsafePointer<UInt8>) -> Bool {
        var first = offset
        while first > 0, start[first - 1] == 0x5C { first -= 1 }
        return (offset - first) % 2 == 1
    }
}
