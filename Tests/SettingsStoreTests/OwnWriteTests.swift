import Foundation
import JSON
import SettingsModel
import Testing

@testable import SettingsStore

/// Work that was made ready while our own write of the document was under way.
@Suite struct OwnWriteTests {
    private let bed: StoreBed
    private let storage: Storage
    /// The document's stamp before the write; that of none.
    private let known: FileStatus?

    init() throws {
        bed = try StoreBed()
        storage = Storage(paths: bed.paths, schema: .builtIn)
        known = storage.document.stamp()
        let document = Document(values: ["profile.name": .string("Ada")], revision: 1)
        guard case .done(_, let stamp?, _) = storage.write(document, kept: [:], replacing: .absent, judgingBy: nil) else {
            Issue.record("The document was not written.")
            return
        }
        try #require(stamp != known)
    }

    /// Whether a commit of what was made ready before the write has to be judged again.
    private func isJudgedAgain() -> Bool {
        let outcome = storage.commit([], after: 0, nil, isAsked: true, document: .some(known))
        return if case .documentChanged = outcome { true } else { false }
    }

    @Test func itIsNotJudgedAgain() {
        #expect(!isJudgedAgain())
    }

    @Test func anEditBehindTheWriteIsSeen() throws {
        try bed.write(#"{"profile": {"name": "Grace"}}"#, to: bed.documentPath)
        #expect(isJudgedAgain())
    }

    @Test func theSameTextSavedOnceMoreIsLookedAt() throws {
        try bed.save(try bed.documentText(), to: bed.documentPath)
        #expect(isJudgedAgain())
    }

    @Test func aWriteThatGaveWayToAnEditVouchesForNothing() throws {
        try bed.write(#"{"profile": {"name": "Grace"}}"#, to: bed.documentPath)
        guard case .changed = storage.write(Document(revision: 2), kept: [:], replacing: .absent, judgingBy: nil) else {
            Issue.record("The edit was overwritten.")
            return
        }
        #expect(isJudgedAgain())
    }

    @Test func ourFilePutBackAfterAnEditIsLookedAt() throws {
        let aside = bed.documentPath + ".aside"
        try FileManager.default.moveItem(atPath: bed.documentPath, toPath: aside)
        try bed.write(#"{"profile": {"name": "Grace"}}"#, to: bed.documentPath)
        _ = storage.look(since: 0, known, .absent)
        #expect(rename(aside, bed.documentPath) == 0)
        #expect(isJudgedAgain())
    }
}
