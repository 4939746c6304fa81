internal import SettingsModel

/// What applications, keys, actions and arguments may be called, so that the bus and the document can have them.
enum Names {
    /// Says why a text is no application's id, or nil when it is one.
    ///
    /// D-Bus Specification, "Bus names", for well-known ones.
    static func applicationFault(_ id: String) -> String? {
        let example = "the file is called as the application is, such as org.example.WorldClock.json"
        let parts = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            part.first.map { !isDigit($0) } ?? false
                && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        }
        if !isName { return "\(id.quoted()) is no id of an application: \(example)" }
        if parts.count < 2 { return "\(id.quoted()) has one part, the id of an application two at least: \(example)" }
        if id.utf8.count > longestApplication {
            return
                "the id has \(id.utf8.count) bytes; at most \(longestApplication) are allowed, or a file system would not take "
                + "the names of the files that are made for it"
        }
        let own = "org.settingsd.Settings1"
        return id == own || id.utf8.starts(with: (own + ".").utf8) ? "\(id.quoted()) is a name of settingsd's own" : nil
    }

    /// In bytes, of the 255 that a name has on the bus and in a file system (NAME_MAX). The longest of all is that of a new
    /// document before it takes its place, with two numbers and a mark, 72 bytes beside the id.
    static let longestApplication = 180

    /// Says why a text is no part of a key, or nil when it is one.
    static func keyPartFault(_ name: String) -> String? {
        let isKey = isWord(name) { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        if isKey, name.utf8.first.map(isLower) ?? false { return nil }
        let rule = "a key begins with a-z and has a-z, 0-9, - and _"
        let better = kebab(name)
        return better == name || keyPartFault(better) != nil ? rule : "\(rule); did you mean \(better.quoted())?"
    }

    /// What the document has beside sections and settings.
    static let reservedKeys: Set = ["format", "revision", "locked"]

    static func fieldFault(_ name: String) -> String? {
        isWord(name) { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
            ? nil : "a field begins with a letter or _ and has a-z, A-Z, 0-9, - and _"
    }

    static func actionFault(_ name: String) -> String? {
        let isAction = isWord(name) { isLetter($0) || isDigit($0) }
        return isAction && !(name.utf8.first.map(isLower) ?? true)
            ? nil : "an action begins with A-Z and has a-z, A-Z and 0-9, as in AddZone"
    }

    static func argumentFault(_ name: String) -> String? {
        let isArgument = isWord(name) { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
        if !isArgument || name.utf8.first == UInt8(ascii: "_") {
            return "an argument begins with a-z and has a-z, 0-9 and _, as in start_hour"
        }
        return name == "fields" ? "fields is what the optional arguments are called together; choose another name" : nil
    }

    /// `startHour` → `start-hour`.
    private static func kebab(_ name: String) -> String {
        var result = ""
        for character in name {
            if character.isUppercase, !result.isEmpty, result.last != "-" { result += "-" }
            result += character == " " ? "-" : character.lowercased()
        }
        return result
    }

    /// Whether a name has no digit at its start and is no longer than a D-Bus name may be.
    private static func isWord(_ name: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
        guard let first = name.utf8.first, !isDigit(first), first != UInt8(ascii: "-") else { return false }
        return name.utf8.count <= 200 && name.utf8.allSatisfy(isAllowed)
    }

    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
