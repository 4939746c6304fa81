/// Rows of cells, aligned for a terminal or with a tab between the cells for programs.
package struct TextTable {
    package enum Style: String {
        case plain = ""
        case bold = "\u{1B}[1m"
        case dim = "\u{1B}[2m"
    }

    /// One line: its cells and how they look.
    package struct Row {
        var cells: [String]
        var style: Style

        package init(cells: [String], style: Style = .plain) {
            self.cells = cells
            self.style = style
        }
    }

    private let rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }

    /// Names and facts; the name of a further fact about the same thing is empty.
    init(facts: [(String, String)]) {
        rows = facts.map { Row(cells: [$0.0, $0.1]) }
    }

    /// Prints the rows: for a terminal aligned by the width of what is in them, else with tabs.
    func print(on output: Output) {
        guard output.isTerminal else {
            for row in rows { output.line(row.cells.joined(separator: "\t")) }
            return
        }
        for line in aligned(isColoured: output.isColoured) { output.line(line) }
    }

    /// The lines, two spaces between columns and none at the end.
    ///
    /// - Parameter escapesControls: whether they are for a terminal.
    package func aligned(escapesControls: Bool = true, isColoured: Bool = false) -> [String] {
        let shown = escapesControls ? rows.map { $0.cells.map(\.withControlsEscaped) } : rows.map(\.cells)
        var widths: [Int] = []
        for cells in shown {
            for (column, cell) in cells.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.displayWidth)
            }
        }
        return zip(rows, shown).map { row, cells in
            var line = cells.enumerated().map { $1.padded(to: widths[$0]) }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return isColoured && row.style != .plain ? row.style.rawValue + line + "\u{1B}[0m" : line
        }
    }
}
