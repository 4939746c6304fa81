/// The known name that is nearest to one that a person typed.
public enum Suggestion {
    /// Returns the nearest of `known`, or nil where none is near enough to be what was meant.
    ///
    /// A name is near when a third of its letters at most would have to change, or when it begins with what was typed
    /// (or what was typed is its last dotted part).
    public static func nearest(to typed: String, among known: some Sequence<String>) -> String? {
        let wanted = Array(typed.lowercased().utf8)
        guard !wanted.isEmpty, wanted.count <= 128 else { return nil }
        var best: (name: String, distance: Int)?
        for name in known {
            let candidate = Array(name.lowercased().utf8)
            let distance: Int
            if candidate == wanted {
                distance = 0
            } else if isPart(wanted, of: candidate) {
                distance = 1
            } else {
                // What is so much longer or shorter need not be compared.
                guard abs(wanted.count - candidate.count) * 3 <= max(wanted.count, 3) else { continue }
                distance = editDistance(wanted, candidate)
                guard distance * 3 <= max(wanted.count, 3) else { continue }
            }
            if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
        }
        return best?.name
    }

    /// A sentence's tail that offers the nearest name, or `otherwise` where there is none.
    public static func hint(for typed: String, among known: some Sequence<String>, otherwise: String = "") -> String {
        nearest(to: typed, among: known).map { "; did you mean \"\($0)\"?" } ?? otherwise
    }

    /// Names in a sentence, of very many the first ones.
    public static func list(_ names: some Collection<String>) -> String {
        let shown = names.prefix(longestList).joined(separator: ", ")
        return names.count > longestList ? "\(shown) and \(names.count - longestList) more" : shown
    }

    private static let longestList = 40

    private static func isPart(_ typed: [UInt8], of name: [UInt8]) -> Bool {
        guard typed.count >= 3 else { return false }
        let dot = UInt8(ascii: ".")
        return name.starts(with: typed) || name.split(separator: dot).last.map { Array($0) == typed } ?? false
    }

    /// Optimal string alignment: insertions, deletions, replacements, and exchanges of two neighbours.
    private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 1...max(a.count, 1) where i <= a.count {
            var row = [i] + Array(repeating: 0, count: b.count)
            for j in 1...max(b.count, 1) where j <= b.count {
                let same = a[i - 1] == b[j - 1]
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
