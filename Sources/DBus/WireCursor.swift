internal import CDBus
internal import Glibc

/// Reads a body that libdbus has checked, as it is on the wire (D-Bus specification, "Marshaling"), in this machine's byte
/// order.
///
/// libdbus's own iterators take several times as long: for each value they look up the byte order and the type anew.
struct WireCursor {
    /// A list of complete types, letter for letter.
    typealias Types = UnsafeRawBufferPointer

    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    /// - Parameters:
    ///   - bytes: begin at a multiple of 8 in the body.
    ///   - position: where to begin.
    init(bytes: UnsafeRawBufferPointer, position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Lends the body of a message and the types of its values; nil without a body.
    static func withBody<Result, Failure: Error>(
        of message: Message, _ read: (inout WireCursor, Types) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        // This also brings the message into this machine's byte order.
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message.raw, &iterator) != 0, let types = dbus_message_get_signature(message.raw) else {
            return nil
        }
        return try message.withWire { bytes throws(Failure) in
            // The body's length stands in the header (specification, "Message Format").
            let length = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            var cursor = WireCursor(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(length)))
            return try read(&cursor, Types(start: types, count: strlen(types)))
        }
    }

    /// The next bytes.
    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let start = position
        position += count
        precondition(count >= 0 && position <= bytes.count, "A message that was checked ends too early.")
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    mutating func align(to boundary: Int) { position = (position + boundary - 1) & ~(boundary - 1) }

    mutating func number<Number: FixedWidthInteger>() -> Number {
        align(to: Number.bitWidth / 8)
        return take(Number.bitWidth / 8).loadUnaligned(as: Number.self)
    }

    /// The bytes of a string or an object path.
    mutating func text() -> UnsafeRawBufferPointer {
        let length: UInt32 = number()
        let text = take(Int(length))
        position += 1
        return text
    }

    /// The bytes of a signature; before a variant's content, its type.
    mutating func signature() -> Types {
        let length: UInt8 = number()
        let types = take(Int(length))
        position += 1
        return types
    }

    /// Comes to the first element of an array, and returns where the array ends.
    mutating func beginArray(of element: UInt8) -> Int {
        let length: UInt32 = number()
        align(to: Signature.alignment(element))
        return position + Int(length)
    }

    /// Passes numbers of a size in bytes.
    mutating func skip(_ count: Int, of size: Int) {
        align(to: size)
        position += count * size
    }

    /// The bytes between two positions; the cursor comes to the second.
    mutating func bytes(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
        position = start
        return take(end - start)
    }
}

extension WireCursor.Types {
    /// The place behind the complete type that begins at another.
    func endOfType(at start: Int) -> Int {
        if count == 1 { return 1 }
        var place = start
        while self[place] == UInt8(ascii: "a") { place += 1 }
        var depth = 0
        repeat {
            switch self[place] {
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            place += 1
        } while depth > 0
        return place
    }

    var signature: Signature { self[...].signature }
}

extension Slice<WireCursor.Types> {
    var signature: Signature { Signature(valid: String(decoding: self, as: UTF8.self)) }
}
