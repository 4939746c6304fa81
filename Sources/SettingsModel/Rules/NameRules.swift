/// The rules for the names of things elsewhere: UUIDs and time zones.
enum NameRules {
    /// Says what is wrong with the text of a UUID (RFC 9562, section 4), or nil when nothing is.
    static func uuidFault(in text: String) -> String? {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isWellFormed = groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(isHexDigit)
        return isWellFormed ? nil : "a UUID is written as in 7d444840-9dc0-11d1-b245-5ffdce74fad2"
    }

    /// Says what is wrong with the name of a time zone, or nil when nothing is.
    ///
    /// The syntax is what the IANA database's `theory.html` (Names of timezones) says and what its old names need.
    static func timeZoneFault(in text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isWellFormed =
            text.utf8.count <= 255
            && parts.allSatisfy { part in
                part.first.map(isLetter) ?? false && part.allSatisfy { isLetter($0) || isDigit($0) || "-_+".utf8.contains($0) }
            }
        return isWellFormed ? nil : "a time zone has a name as in Europe/Berlin or UTC"
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
