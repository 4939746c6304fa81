/// Text as mdoc(7) has it.
enum Roff {
    /// A paragraph as lines of input: each sentence begins one, none is long, nothing is taken for a macro.
    static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var endsSentence = true
        for word in text.split(separator: " ") {
            if !endsSentence, let line = lines.last, line.count + word.count < 70 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
            endsSentence = word.last == "." || word.last == "?"
        }
        return lines.map { line in
            let text = escaped(line)
            return [".", "'"].contains(text.first) ? "\\&" + text : text
        }
    }

    /// A text as one argument of a macro.
    static func argument(_ text: String) -> String {
        "\"" + escaped(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")) + "\""
    }

    /// A text in a line: hyphens that can be copied, and characters beyond ASCII by their numbers (groff_char(7)).
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "`": result += "\\(ga"
            case "'": result += "\\(aq"
            default:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                result +=
                    scalar.isASCII ? String(scalar) : "\\[u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "]"
            }
        }
        return result
    }

    /// A list of terms, each explained by lines of input.
    static func list(_ items: [(term: String, lines: [String])], width: String) -> [String] {
        [".Bl -tag -width \(width)"] + items.flatMap { [".It \($0.term)"] + $0.lines } + [".El"]
    }
}
