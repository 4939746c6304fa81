import Foundation
import TestSupport
import Testing

/// An edit of the document that was taken in, while the document could not be written since: what is stored after it stays.
@Suite(.logsOnFailure) struct SeenEditTests {
    private let bed: FaultBed

    init() throws { bed = try FaultBed() }

    enum Edit: CaseIterable {
        case withoutRevision, ofAnOldRevision, ofTheNewestRevision, ofTheFormAlone

        var text: String {
            switch self {
            case .withoutRevision: #"{"profile": {"name": "Edited", "email": "ada@example.org"}}"#
            case .ofAnOldRevision: #"{"revision": 1, "profile": {"name": "Edited", "email": "ada@example.org"}}"#
            case .ofTheNewestRevision: #"{"revision": 2, "profile": {"name": "Edited", "email": "ada@example.org"}, "mine": 1}"#
            case .ofTheFormAlone: #"{"profile": {"email": "ada@example.org", "name": "Ada"}}"#
            }
        }

        var name: String { self == .ofTheFormAlone ? "Ada" : "Edited" }
    }

    private func save(_ text: String) throws {
        let path = bed.session.folder.path(TestSession.document)
        try text.write(toFile: path + "~", atomically: false, encoding: .utf8)
        try #require(rename(path + "~", path) == 0)
    }

    /// Has a document of two revisions, and then none that can be written.
    private func startAndBlock() throws {
        try bed.start(isFaulty: true)
        try bed.client.set(["profile.name": "Ada"])
        try bed.client.set(["profile.email": "ada@example.org"])
        try bed.waitForDocument(
            Snapshot(revision: 2, values: ["profile.name": "Ada", "profile.email": "ada@example.org"]))
        bed.faults.arm(FaultPlan(call: .renameat2, occurrences: 1 ... .max, fault: .error(ENOSPC)))
    }

    @Test(arguments: [SIGKILL, SIGTERM], Edit.allCases)
    func whatIsStoredAfterItOutlivesTheDaemon(signal: Int32, edit: Edit) throws {
        try startAndBlock()
        try save(edit.text)
        try bed.client.reload()
        #expect(try bed.client.value("profile.name") == edit.name)
        try bed.client.set(["profile.name": "Later"])
        try bed.client.set(["support.help": "https://example.org/"])
        let known = try bed.client.snapshot()
        try bed.end(signal)
        try #require(bed.session.folder.read(TestSession.document) == edit.text)
        try bed.start()
        #expect(try bed.client.snapshot() == known)
        try bed.waitForDocument(known)
        try bed.endWell(at: known)
        // The document has followed: the same text is an edit now.
        try save(edit.text)
        try bed.start()
        #expect(try bed.client.value("profile.name") == edit.name)
        #expect(try bed.client.value("support.help") == "")
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func anotherEditWhileNoDaemonRunsIsOne(signal: Int32) throws {
        try startAndBlock()
        try save(Edit.withoutRevision.text)
        try bed.client.reload()
        try bed.client.set(["support.help": "https://example.org/"])
        try bed.end(signal)
        try save(Edit.withoutRevision.text.replacingOccurrences(of: "Edited", with: "Grace"))
        try bed.start()
        #expect(try bed.client.value("profile.name") == "Grace")
    }

    @Test func theTextBeforeItThatIsPutBackIsAnEdit() throws {
        try startAndBlock()
        let before = try #require(bed.session.folder.read(TestSession.document))
        try save(Edit.withoutRevision.text)
        try bed.client.reload()
        #expect(try bed.client.value("profile.name") == "Edited")
        try save(before)
        try bed.client.reload()
        #expect(try bed.client.value("profile.name") == "Ada")
        bed.faults.disarm()
        let known = try bed.client.snapshot()
        try bed.endWell(at: known)
    }
}
