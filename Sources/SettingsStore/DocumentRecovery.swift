// What is done about a replacement of the document that a kill has cut short.

/// What a replacement was about: goes into the name of its temporary file, which holds the new text before the exchange of
/// the two files, and afterwards whatever has made room for it.
struct ReplacementMark: Hashable, Sendable, CustomStringConvertible {
    private let known: UInt64
    private let text: UInt64

    /// - Parameters:
    ///   - known: what the document is to say before.
    ///   - text: what it is to say afterwards.
    init(_ known: DocumentFile.Content, _ text: [UInt8]) {
        self.known = known.fingerprint ?? 0
        self.text = DocumentFile.Content.text(text).fingerprint ?? 0
    }

    init?(_ name: String) {
        guard name.utf8.count == 32, let known = UInt64(name.prefix(16), radix: 16), let text = UInt64(name.suffix(16), radix: 16)
        else { return nil }
        self.known = known
        self.text = text
    }

    var description: String {
        [known, text].map { fingerprint in
            let digits = String(fingerprint, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Whether a content is one of the two that the replacement was to exchange.
    func covers(_ content: DocumentFile.Content) -> Bool { content.fingerprint == known || isText(content) }

    func isText(_ content: DocumentFile.Content) -> Bool { content.fingerprint == text }
}

extension DocumentFile.Content {
    /// Tells one text from another (FNV-1a); nil where there is none.
    var fingerprint: UInt64? {
        guard case .text(let bytes) = self else { return nil }
        return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Whether it is the beginning of a document, as one that was just being written.
    fileprivate var isCutShort: Bool {
        guard case .text(let bytes) = self else { return false }
        do {
            _ = try DocumentText.parse(bytes)
            return false
        } catch {
            return true
        }
    }
}

extension DocumentFile {
    /// Removes what daemons that were killed have left beside the document. An edit that such a one has displaced, and not
    /// put back any more, takes its place again.
    ///
    /// - Throws: what keeps them from being found, or an edit from being put back; none is lost.
    func recover() throws(SystemError) {
        let target = try target()
        for leftover in try TemporaryFile.leftovers(beside: target) {
            // Nothing is exchanged under a name without a mark.
            guard let mark = leftover.mark.flatMap(ReplacementMark.init) else {
                leftover.remove()
                continue
            }
            let (content, current) = (try Self.load(leftover.path), try Self.load(target))
            if mark.covers(content) {
                leftover.remove()
            } else if mark.isText(current), case .text(let text) = current {
                _ = try putBack(leftover.path, at: target, inPlaceOf: text)
            } else if content.isCutShort {
                leftover.remove()
            }
            // What else there is has been overtaken by a newer edit, and stays where it is for its author.
        }
    }
}
