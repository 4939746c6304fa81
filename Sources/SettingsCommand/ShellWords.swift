extension String {
    /// The text as one word of a shell's command line, for hints: in single quotes where it needs them.
    var quotedForShell: String {
        let isPlain =
            !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                !scalar.isASCII ? !scalar.properties.isWhitespace : Self.plainInShell.contains(scalar)
            }
        if isPlain { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static let plainInShell = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@=+,%".unicodeScalars)
}
