import SettingsCommand

/// A line of text as a terminal shows it.
public struct Line: ExpressibleByStringInterpolation, Sendable {
    /// How a whole line looks on a terminal.
    public enum Style: String, Sendable {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
    }

    public var text: String
    /// Whether it says that nothing is there yet, and what to do: left out where something is there and cannot be read.
    var isHint = false
    public var style: Style
    /// How many lines it stands for, itself or others that are left out.
    var count = 1

    public init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }

    /// That nothing is there yet, or what to do then.
    public static func hint(_ text: String, _ style: Style = .plain) -> Line {
        var line = Line(text, style)
        line.isHint = true
        return line
    }

    /// That so many lines are left out here.
    public static func leftOut(_ count: Int, _ text: String, _ style: Style = .plain) -> Line {
        var line = Line(text, style)
        line.count = count
        return line
    }

    public init(stringLiteral text: String) { self.init(text) }

    /// For a terminal: no longer than that is wide, and with nothing in it that the terminal would obey.
    ///
    /// - Parameter width: in cells; nil: as long as it is.
    func shown(width: Int? = nil, isColoured: Bool) -> String {
        let safe = text.withControlsEscaped
        let cut = width.map { safe.cut(to: $0) } ?? safe
        return isColoured && style != .plain ? "\u{1B}[\(style.rawValue)m\(cut)\u{1B}[0m" : cut
    }
}

extension String {
    /// How many cells of a terminal the text takes.
    public var width: Int { displayWidth }

    /// The text with spaces behind it up to a width in cells.
    public func filled(to width: Int) -> String { padded(to: width) }

    /// The text, or its beginning and `…` where it is wider.
    public func cut(to width: Int) -> String {
        displayWidth > width ? (beginning(of: width - 1) ?? "") + "…" : self
    }
}

extension String {
    /// The text in lines no wider than that, in cells; a word that is wider goes on in the next line.
    public func wrapped(to width: Int) -> [String] {
        guard displayWidth > width else { return [self] }
        var lines = [""]
        for word in split(separator: " ") {
            var rest = String(word)
            let line = lines[lines.count - 1]
            if !line.isEmpty, line.displayWidth + 1 + rest.displayWidth <= width {
                lines[lines.count - 1] += " " + rest
                continue
            }
            if !line.isEmpty { lines.append("") }
            while rest.displayWidth > width, let beginning = rest.beginning(of: width) {
                lines[lines.count - 1] = beginning
                lines.append("")
                rest.removeFirst(beginning.count)
            }
            lines[lines.count - 1] = rest
        }
        return lines
    }

    /// The same, but where a word is wider than a line: that is one piece to copy.
    fileprivate func wrappedBetweenWords(to width: Int) -> [String] {
        split(separator: " ").allSatisfy { String($0).displayWidth <= width } ? wrapped(to: width) : [self]
    }

    /// As many characters as go into a width; nil where not one does.
    private func beginning(of width: Int) -> String? {
        var rest = width
        let beginning = prefix { character in
            rest -= String(character).displayWidth
            return rest >= 0
        }
        return beginning.isEmpty ? nil : String(beginning)
    }
}

extension Line {
    /// The line in lines that are no wider than that, in cells.
    public func wrapped(to width: Int) -> [Line] { text.wrapped(to: width).map { Line($0, style) } }
}

/// Rows of cells as lines, each column as wide as its widest cell.
public func columns(_ rows: [[String]]) -> [String] {
    TextTable(rows.map { .init(cells: $0) }).aligned(escapesControls: false)
}

/// The same for a screen: what a line has no room for goes on in further ones, which are indented. Nothing is cut: a word that is
/// wider than the screen is for the terminal to break.
///
/// - Returns: the lines of each row.
public func columns(_ rows: [[String]], width: Int) -> [[String]] {
    let (gap, indent) = (2, 4)
    var groups: [[Int]] = [[]]
    var rest = width
    for column in 0..<(rows.map(\.count).max() ?? 0) {
        let widest = rows.map { $0.count > column ? $0[column].width : 0 }.max() ?? 0
        if widest > rest, !groups[groups.count - 1].isEmpty {
            groups.append([])
            rest = width - indent
        }
        groups[groups.count - 1].append(column)
        rest -= widest + gap
    }
    if groups.count == 1 { return columns(rows).map { [$0] } }
    let tables = groups.map { group in columns(rows.map { row in group.map { row.count > $0 ? row[$0] : "" } }) }
    return rows.indices.map { row in
        let rest = tables.dropFirst().flatMap { $0[row].isEmpty ? [] : $0[row].wrappedBetweenWords(to: width - indent) }
        return [tables[0][row]] + rest.map { String(repeating: " ", count: indent) + $0 }
    }
}
