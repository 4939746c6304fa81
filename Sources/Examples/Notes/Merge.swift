extension NoteText {
    /// Joins two changes of one text, line by line.
    ///
    /// - Parameters:
    ///   - base: what both began with.
    ///   - mine: what the one has made of it.
    ///   - theirs: what the other has.
    /// - Returns: nil where both have changed the title, or lines that touch, and not in the same way.
    static func merge(base: NoteText, mine: NoteText, theirs: NoteText) -> NoteText? {
        guard let title = merged(ExactLine(base.title), ExactLine(mine.title), ExactLine(theirs.title)),
            let lines = mergedLines(exactLines(base.content), exactLines(mine.content), exactLines(theirs.content))
        else { return nil }
        return NoteText(title: title.text, content: lines.map(\.text).joined(separator: "\n"))
    }

    private static func merged<Part: Equatable>(_ base: Part, _ mine: Part, _ theirs: Part) -> Part? {
        if mine == theirs || theirs == base { return mine }
        return mine == base ? theirs : nil
    }

    private static func exactLines(_ text: String) -> [ExactLine] { lines(text).map(ExactLine.init) }

    private static func mergedLines(_ base: [ExactLine], _ mine: [ExactLine], _ theirs: [ExactLine]) -> [ExactLine]? {
        if let whole = merged(base, mine, theirs) { return whole }
        guard let ours = Patch.all(from: base, to: mine), let others = Patch.all(from: base, to: theirs) else { return nil }
        var patches = ours
        for other in others where !ours.contains(other) {
            if ours.contains(where: other.touches) { return nil }
            patches.append(other)
        }
        var result = base
        for patch in patches.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(patch.range, with: patch.lines)
        }
        return result
    }
}

/// A line that is the same as another byte for byte alone.
private struct ExactLine: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactLine, right: ExactLine) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Lines in the place of others.
private struct Patch: Equatable {
    /// The lines of the base that go.
    var range: Range<Int>
    var lines: [ExactLine]

    /// Whether no line of the base is left between the two.
    func touches(_ other: Patch) -> Bool {
        range.lowerBound <= other.range.upperBound && other.range.lowerBound <= range.upperBound
    }

    /// More changed lines than these are not compared: the time for it grows with their square.
    private static let mostLines = 2000

    /// What makes one text of another, from the top down, with lines between that stay; nil where too much has changed.
    static func all(from base: [ExactLine], to new: [ExactLine]) -> [Patch]? {
        let head = zip(base, new).prefix { $0 == $1 }.count
        let tail = zip(base.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let old = Array(base[head..<base.count - tail])
        let changed = Array(new[head..<new.count - tail])
        guard old.count + changed.count <= mostLines else { return nil }
        let difference = changed.difference(from: old)
        let removed = Set(difference.removals.map(\.place))
        let inserted = Set(difference.insertions.map(\.place))
        var patches: [Patch] = []
        var patch: Patch?
        var (from, to) = (0, 0)
        while from < old.count || to < changed.count {
            var current = patch ?? Patch(range: head + from..<head + from, lines: [])
            if removed.contains(from) {
                from += 1
                current.range = current.range.lowerBound..<head + from
                patch = current
            } else if inserted.contains(to) {
                current.lines.append(changed[to])
                to += 1
                patch = current
            } else {
                if let patch { patches.append(patch) }
                patch = nil
                from += 1
                to += 1
            }
        }
        return patches + (patch.map { [$0] } ?? [])
    }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
