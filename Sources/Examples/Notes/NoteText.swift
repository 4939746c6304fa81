/// What somebody writes: a title, and what is below. As a text, the title is the first line, then comes an empty one.
struct NoteText: Equatable {
    var title: String
    var content: String

    init(title: String, content: String) {
        self.title = title
        self.content = content
    }

    /// Reads a text. Empty lines before the title are passed over, and a line's end may be that of any system.
    init(_ text: String) {
        let lines = Self.lines(of: text)
        let start = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
        title = start < lines.endIndex ? Self.trimmed(lines[start]) : ""
        var rest = lines.dropFirst(start + 1)
        if rest.first?.isEmpty == true { rest.removeFirst() }
        content = rest.joined(separator: "\n")
    }

    /// A title, and a text of which all is below it.
    init(title: String, below text: String) {
        self.title = Self.trimmed(title)
        content = Self.lines(of: text).joined(separator: "\n")
    }

    /// The lines of a file: the newline at its end begins no further one.
    private static func lines(of file: String) -> [String] {
        var scalars = file.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines = lines(String(scalars))
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The text of a file for an editor.
    var text: String { title + "\n" + (content.isEmpty ? "" : "\n\(content)\n") }

    var shownTitle: String { title.isEmpty ? "(no title)" : title }

    var isEmpty: Bool { title.isEmpty && content.isEmpty }

    /// Byte for byte: an accent that is written in another way is a change.
    static func == (left: NoteText, right: NoteText) -> Bool {
        left.title.utf8.elementsEqual(right.title.utf8) && left.content.utf8.elementsEqual(right.content.utf8)
    }

    /// The lines of a text, without what ends them.
    static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    /// A line as a title: without spaces around it, and with them for what is no character to read, as a tab.
    private static func trimmed(_ line: String) -> String {
        var text = ""
        for scalar in line.unicodeScalars {
            text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        let head = text.drop(while: \.isWhitespace)
        return String(head[..<(head.lastIndex { !$0.isWhitespace }.map { head.index(after: $0) } ?? head.startIndex)])
    }
}
