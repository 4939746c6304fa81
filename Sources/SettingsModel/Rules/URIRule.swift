/// The rule for a link: a URI of RFC 3986, or an IRI of RFC 3987, kept byte for byte.
///
/// Spaces and control characters must be percent-encoded; everything else stays as it is.
enum URIRule {
    /// Says what is wrong with `text`, or nil when nothing is.
    ///
    /// - Parameter schemes: those that are allowed, in lower case; none: any.
    static func fault(in text: String, schemes: [String]) -> String? {
        if text.isEmpty { return nil }
        let allowed =
            schemes.isEmpty
            ? "write it in full, as in https://example.org/"
            : "allowed are \(schemes.map { "\($0):" }.joined(separator: ", ")) and the empty text"
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
            return "a link begins with its scheme; \(mend(of: text, schemes: schemes) ?? allowed)"
        }
        let scheme = text[..<colon].lowercased()
        guard schemes.isEmpty ? isScheme(scheme) : schemes.contains(scheme) else {
            if let mend = mend(of: text, schemes: schemes) { return "a link begins with its scheme; \(mend)" }
            return "the scheme \(String(text[..<colon]).quoted(limit: 30)) is not allowed; \(allowed)"
        }
        let rest = text.unicodeScalars[colon...].dropFirst()
        return characterFault(in: text) ?? restFault(rest, scheme: scheme)
    }

    /// RFC 3986 section 3.1: `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCIIAlphanumeric, !("0"..."9").contains(first) else { return false }
        return text.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || "+-.".unicodeScalars.contains($0) }
    }

    // MARK: What was meant

    /// Offers the link that a path, an address or a host without a scheme stands for; nil where none is allowed or likely.
    private static func mend(of text: String, schemes: [String]) -> String? {
        if text.utf8.starts(with: "~/".utf8) {
            return isAllowed("file", schemes) ? "write the path in full, as in file:///home/ada/me.png" : nil
        }
        let meant: String
        if text.utf8.first == UInt8(ascii: "/"), !text.utf8.starts(with: "//".utf8) {
            meant = "file://" + encoded(text)
        } else if EmailRule.fault(in: text) == nil {
            meant = "mailto:" + text
        } else if beginsWithHost(text, orFile: isAllowed("file", schemes)) {
            meant = "https://" + encoded(text)
        } else {
            return nil
        }
        return fault(in: meant, schemes: schemes) == nil ? "did you mean \(meant.quoted(limit: 200))?" : nil
    }

    private static func isAllowed(_ scheme: String, _ schemes: [String]) -> Bool { schemes.isEmpty || schemes.contains(scheme) }

    /// Whether a text without a scheme looks as in `example.org/help` or `localhost:8080`.
    ///
    /// - Parameter orFile: whether it may as well be the name of a file, as `me.png` may.
    private static func beginsWithHost(_ text: String, orFile: Bool) -> Bool {
        let authority = text.unicodeScalars.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if orFile, authority.endIndex == text.endIndex, !text.utf8.starts(with: "www.".utf8) { return false }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2 else { return false }
        if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy({ ("0"..."9").contains($0) }) { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let areNames = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { !$0.isASCII || $0.isASCIIAlphanumeric || $0 == "-" }
        }
        return areNames && (labels.count > 1 || String(host) == "localhost")
    }

    // MARK: What is wrong

    private static func characterFault(in text: String) -> String? {
        // RFC 3987 section 4.1 excludes the bidirectional formatting characters, the invisible marks too.
        guard let bad = text.unicodeScalars.first(where: mustBeEncoded) else { return nil }
        return "\(bad.reference) must be percent-encoded: \(encoded(text).quoted(limit: 200))"
    }

    private static func mustBeEncoded(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
        return scalar.isControlOrBidi || scalar.properties.isWhitespace || scalar == "\u{200E}" || scalar == "\u{200F}"
            || scalar == "\u{FEFF}"
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard mustBeEncoded(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for byte in String(scalar).utf8 {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    // All of these look at scalars: a combining mark makes another character of the sign before it.
    private static func restFault(_ rest: Substring.UnicodeScalarView, scheme: String) -> String? {
        let hasAuthority = rest.starts(with: "//".unicodeScalars)
        switch scheme {
        case "http", "https":
            guard hasAuthority else { return "\(scheme): is followed by //, a host and a path" }
            return authorityFault(rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        case "file":
            let path = hasAuthority ? rest.dropFirst(2).drop { $0 != "/" } : rest
            return path.first == "/" ? nil : "file: is followed by // and an absolute path, as in file:///home/ada/me.png"
        default:
            return rest.isEmpty ? "nothing follows \(scheme):" : nil
        }
    }

    /// RFC 3986 section 3.2: `[ userinfo "@" ] host [ ":" port ]`.
    private static func authorityFault(_ authority: Substring.UnicodeScalarView) -> String? {
        let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        if afterUser.first == "[" {
            guard let end = afterUser.firstIndex(of: "]") else { return "the address in brackets has no end" }
            let address = afterUser[..<end].dropFirst()
            guard address.contains(":"),
                address.allSatisfy({ $0.isASCII && ($0.properties.isASCIIHexDigit || $0 == ":" || $0 == ".") })
            else { return "what stands in brackets is not an IPv6 address" }
            return portFault(afterUser[end...].dropFirst())
        }
        let host = afterUser.prefix { $0 != ":" }
        if host.isEmpty { return "it names no host" }
        if let bad = host.first(where: { "\\\"<>^`{|}[]".unicodeScalars.contains($0) }) {
            return "\(bad.reference) is not allowed in a host"
        }
        return portFault(afterUser[host.endIndex...])
    }

    private static func portFault(_ port: Substring.UnicodeScalarView) -> String? {
        if port.isEmpty { return nil }
        let digits = port.dropFirst()
        let isPort = port.first == ":" && digits.allSatisfy { ("0"..."9").contains($0) }
        return isPort && (digits.isEmpty || UInt16(String(digits)) != nil) ? nil : "what follows the host is not a port"
    }
}
