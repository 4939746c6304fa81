internal import Glibc

extension UnsafeRawBufferPointer {
    /// The number of bytes before the first that a JSON string cannot hold as it is: a quotation mark, a backslash or a control
    /// character (RFC 8259, section 7). Looks at eight bytes at once: a document may be megabytes of such text.
    ///
    /// - Parameter start: the offset to begin at.
    func plainCount(from start: Int = 0) -> Int {
        var offset = start
        while offset + 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let special =
                Self.less(word, than: 0x20) | Self.less(word ^ Self.each(UInt8(ascii: "\"")), than: 1)
                | Self.less(word ^ Self.each(UInt8(ascii: "\\")), than: 1)
            if special != 0 { return offset + special.trailingZeroBitCount / 8 - start }
            offset += 8
        }
        while offset < count, self[offset] >= 0x20, self[offset] != UInt8(ascii: "\""), self[offset] != UInt8(ascii: "\\") {
            offset += 1
        }
        return offset - start
    }

    /// Whether the bytes are the same, by memcmp(3).
    func hasSameContent(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }

    /// A word of eight such bytes.
    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 * UInt64(byte) }

    /// Not 0 where any of a word's bytes is less than the limit, which is at most 128; the lowest byte that is not 0 is the first
    /// such ("Bit Twiddling Hacks", hasless).
    private static func less(_ word: UInt64, than limit: UInt8) -> UInt64 {
        (word &- each(limit)) & ~word & each(0x80)
    }
}
