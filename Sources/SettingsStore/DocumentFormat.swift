/// The version of the document's format, for other files of the same shape.
package enum DocumentFormat {
    /// The newest version that this code reads, and the one that it writes.
    package static var newest: UInt64 { DocumentText.format }
}
