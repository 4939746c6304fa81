internal import Glibc

extension String {
    /// Takes over a C string's bytes; what is not UTF-8 is repaired. As `String(cString:)`, but made of parts that every
    /// start touches anyway.
    package init(copying text: UnsafePointer<CChar>) {
        self.init(decoding: UnsafeRawBufferPointer(start: text, count: strlen(text)), as: UTF8.self)
    }

    /// Unlike `==`, which takes canonically equivalent texts for equal.
    func hasSameBytes(as other: String) -> Bool {
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard one.count == other.count else { return false }
                guard let start = one.baseAddress, let otherStart = other.baseAddress else { return one.isEmpty }
                return memcmp(start, otherStart, one.count) == 0
            }
        }
    }

    /// True for a text that no C string can hold.
    var hasNUL: Bool {
        var text = self
        return text.withUTF8 { text in
            guard let start = text.baseAddress else { return false }
            return memchr(start, 0, text.count) != nil
        }
    }
}
