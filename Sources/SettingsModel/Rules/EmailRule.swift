/// The rule for an e-mail address: RFC 5322 section 3.4.1 without the quoted form and without an address literal, with
/// the characters that RFC 6531 adds.
package enum EmailRule {
    /// RFC 5321 section 4.5.3.1.3 limits a path to 256 bytes, its angle brackets included.
    package static let maximumBytes = 254

    /// Says what is wrong with `text`, or nil when nothing is.
    static func fault(in text: String) -> String? {
        if text.isEmpty { return nil }
        if text.utf8.count > maximumBytes {
            return "it has \(text.utf8.count) bytes; an e-mail address has at most \(maximumBytes)"
        }
        for scalar in text.unicodeScalars where scalar.isControlOrBidi || scalar.properties.isWhitespace {
            return "\(scalar.reference) is not allowed in an e-mail address"
        }
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return "an e-mail address has an @ between its name and its domain"
        case 2: return localFault(parts[0]) ?? domainFault(parts[1])
        default: return "an e-mail address has only one @"
        }
    }

    // Both look at scalars: a combining mark makes another character of the dot before it.
    private static func localFault(_ local: Substring.UnicodeScalarView) -> String? {
        if local.isEmpty { return "nothing stands before the @" }
        if local.split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty) {
            return "a dot before the @ must stand between two other characters"
        }
        let atext = Set("!#$%&'*+-/=?^_`{|}~.".unicodeScalars)
        for scalar in local where scalar.isASCII && !scalar.isASCIIAlphanumeric && !atext.contains(scalar) {
            return "\(scalar.reference) is not allowed before the @"
        }
        return nil
    }

    private static func domainFault(_ domain: Substring.UnicodeScalarView) -> String? {
        if domain.isEmpty { return "nothing follows the @" }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            if label.isEmpty { return "the domain has an empty part" }
            if label.count > 63, label.allSatisfy(\.isASCII) { return "a part of the domain has more than 63 characters" }
            if label.first == "-" || label.last == "-" { return "a part of the domain begins or ends with a hyphen" }
            for scalar in label where scalar.isASCII && !scalar.isASCIIAlphanumeric && scalar != "-" {
                return "\(scalar.reference) is not allowed in the domain"
            }
        }
        if labels.count == 4, labels.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }) {
            return "an address of numbers is not a domain"
        }
        return nil
    }
}

extension Unicode.Scalar {
    var isASCIIAlphanumeric: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }
}
