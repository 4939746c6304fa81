/// What reads texts that anybody may have written, and what it promises for every sequence of bytes.
enum FuzzTarget: String, CaseIterable, Sendable {
    case document
    case journal
    case `import`
    case message
    case schema

    /// Reads the bytes and checks what came of it.
    ///
    /// - Throws: `BrokenPromise`.
    func check(_ bytes: [UInt8]) throws {
        switch self {
        case .document: try DocumentCheck.check(bytes)
        case .journal: try JournalCheck.check(bytes)
        case .import: try ImportCheck.check(bytes)
        case .message: try MessageCheck.check(bytes)
        case .schema: try SchemaCheck.check(bytes)
        }
    }
}

/// What a reader has not kept.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Throws where a promise does not hold.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    if !holds { throw BrokenPromise(description: sentence()) }
}
