/// The candidate that a mistyped name was probably meant to be: the nearest by edits (insert, delete, replace),
/// upper and lower case being one, if that is near enough.
func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    guard wanted.count <= 255 else { return nil }
    let limit = (wanted.count + 2) / 3
    let distances = candidates.map { (name: $0, edits: edits(from: wanted, to: Array($0.lowercased().utf8))) }
    return distances.filter { $0.edits <= limit }.min { $0.edits < $1.edits }?.name
}

/// The Levenshtein distance, one row of the table at a time.
private func edits(from one: [UInt8], to other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in other.indices {
            let replaced = diagonal + (byte == other[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row[other.count]
}
