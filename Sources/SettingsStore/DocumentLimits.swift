/// How large documents and the files of layers may be. What is within these limits can be written again, and the journal can
/// carry it.
public enum DocumentLimits {
    /// The largest file that is read, in MiB.
    public static let size = 16
    /// The most that what the schema does not know may take in normal form, in MiB: less than a file, for values come on top.
    public static let kept = 12
    /// The number of levels that arrays and objects may be nested, far below what the journal can carry; each indents
    /// everything in it.
    public static let depth = 128

    static func refusal(_ path: String, bytes: Int) -> String? {
        if bytes <= size << 20 { return nil }
        return "\(path) has \(mebibytes(bytes)) MiB, more than the \(size) MiB that are read; make it smaller, or move it away"
    }

    static func refusal(_ path: String, keptBytes: Int) -> String? {
        if keptBytes <= kept << 20 { return nil }
        return
            "\(path) holds \(mebibytes(keptBytes)) MiB (indented) besides the settings, more than the \(kept) MiB that can be kept; "
            + "make it smaller, or move it away"
    }

    private static func mebibytes(_ bytes: Int) -> Int { (bytes - 1) >> 20 + 1 }
}
