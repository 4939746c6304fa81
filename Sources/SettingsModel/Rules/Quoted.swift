extension String {
    /// The text in double quotes, fit for one line of a message: control characters escaped, long text cut.
    ///
    /// - Parameter limit: the number of characters shown at most, of eight scalars each on the average at most.
    public func quoted(limit: Int = 60) -> String {
        var shown = "\""
        let start = prefix(limit).unicodeScalars.prefix(8 * limit)
        for scalar in start {
            if scalar.isControlOrBidi || scalar == "\"" || scalar == "\\" {
                shown += scalar.escaped(asASCII: true)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown + (start.endIndex < unicodeScalars.endIndex ? "…\"" : "\"")
    }
}

extension Unicode.Scalar {
    /// C0, DEL, C1, the line and paragraph separators, and the bidirectional embeddings, overrides and isolates
    /// (Unicode Standard Annex 9, sections 2.1 to 2.5, without the invisible marks LRM, RLM and ALM).
    public var isControlOrBidi: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The scalar as people refer to it: `U+202E RIGHT-TO-LEFT OVERRIDE`.
    var reference: String {
        let hex = String(value, radix: 16, uppercase: true)
        let name = properties.generalCategory == .control ? "control character" : properties.name
        return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + (name.map { " \($0)" } ?? "")
    }
}
