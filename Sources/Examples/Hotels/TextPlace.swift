import Foundation

/// A place in a text that is read piece by piece: line and column, both from 1. A column is a Unicode scalar.
struct TextPlace: CustomStringConvertible {
    private(set) var line = 1
    private(set) var column = 1

    /// Goes behind these bytes of UTF-8.
    mutating func pass(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        var offset = 0
        while offset < bytes.count, let newline = memchr(start + offset, Int32(UInt8(ascii: "\n")), bytes.count - offset) {
            offset = UnsafeRawPointer(newline) - start + 1
            line += 1
            column = 1
        }
        column += Self.scalars(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    }

    /// The place of something within a text that begins here.
    func place(line inner: Int, column innerColumn: Int) -> TextPlace {
        var place = self
        place.line += inner - 1
        place.column = inner == 1 ? column + innerColumn - 1 : innerColumn
        return place
    }

    var description: String { "line \(line), column \(column)" }

    /// The number of bytes that begin a scalar, eight at a time: a file may be one line of many megabytes.
    private static func scalars(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // Those that do not are 0b10xxxxxx.
            count += 8 - (word >> 7 & ~(word >> 6) & 0x0101_0101_0101_0101).nonzeroBitCount
            offset += 8
        }
        for byte in bytes[offset...] where byte & 0xC0 != 0x80 { count += 1 }
        return count
    }
}
