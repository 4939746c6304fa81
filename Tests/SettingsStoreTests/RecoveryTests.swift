import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// What a daemon that was killed while it replaced the document has left beside it.
@Suite struct RecoveryTests {
    private let known = #"{"format": 1, "revision": 1, "profile": {"name": "Ada"}}"#

    /// A home whose document is at the second revision, written in place of the first.
    private func bedWithGrace() throws -> (bed: StoreBed, mark: ReplacementMark) {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        let known = try bed.documentText()
        try bed.set("profile.name", "Grace")
        bed.waitForDocument(containing: "Grace")
        let journal = try bed.text(bed.journalPath)
        bed.close()
        // As a kill leaves it: nothing says how far the document is.
        try bed.write(journal, to: bed.journalPath)
        return (bed, ReplacementMark(.text(Array(known.utf8)), Array(try bed.documentText().utf8)))
    }

    private func leftover(_ bed: StoreBed, _ name: String) -> String {
        (bed.documentPath as NSString).deletingLastPathComponent + "/.settings.json.\(name).new"
    }

    @Test func anEditThatWasDisplacedTakesItsPlaceAgain() throws {
        let (bed, mark) = try bedWithGrace()
        let left = leftover(bed, "4711-1-\(mark)")
        try bed.write(
            #"{"format": 1, "revision": 1, "profile": {"name": "Ada", "email": "a@example.org"}, "mine": 1}"#, to: left)
        try bed.open()
        #expect(try bed.value("profile.email") == "a@example.org")
        #expect(try bed.value("profile.name") == "Grace", "It is no edit of the name.")
        #expect(bed.store.document.revision == 3)
        bed.waitForDocument(containing: "\"revision\": 3")
        #expect(try bed.documentText().contains("\"mine\": 1"))
        #expect(!bed.exists(left))
    }

    @Test func anEditThatWasDisplacedAndDoesNotParseIsNotLostEither() throws {
        let (bed, mark) = try bedWithGrace()
        let left = leftover(bed, "4711-1-\(mark)")
        try bed.write(#"{"mine": "precious",}"#, to: left)
        try bed.open()
        #expect(try bed.documentText() == #"{"mine": "precious",}"#)
        #expect(try bed.value("profile.name") == "Grace")
        #expect(bed.refusal("profile.name", "Edsger")?.name == .documentDamaged)
        #expect(!bed.exists(left))
    }

    @Test func whatWasReplacedAndWhatWasToReplaceItAreRemoved() throws {
        let (bed, mark) = try bedWithGrace()
        let new = try bed.documentText()
        let old = new.replacingOccurrences(of: "Grace", with: "Ada").replacingOccurrences(
            of: "\"revision\": 2", with: "\"revision\": 1")
        let unexchanged = ReplacementMark(.text(Array(new.utf8)), Array(old.utf8))
        for (text, mark) in [
            (old, mark), (new, mark), (old, unexchanged), (String(old.prefix(30)), unexchanged), ("", unexchanged),
        ] {
            let left = leftover(bed, "4711-1-\(mark)")
            try bed.write(text, to: left)
            try bed.open()
            #expect(bed.store.document == Document(values: ["profile.name": "Grace"], revision: 2), "\(text)")
            bed.close()
            #expect(!bed.exists(left), "\(text)")
        }
    }

    @Test func anEditThatANewerOneHasOvertakenStaysForItsAuthor() throws {
        let (bed, mark) = try bedWithGrace()
        let left = leftover(bed, "4711-1-\(mark)")
        try bed.write(#"{"profile": {"name": "older"}}"#, to: left)
        try bed.write(#"{"profile": {"name": "newer"}}"#, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "newer")
        #expect(bed.exists(left))
    }

    @Test(arguments: ["my-backup", "4711-x", "1-2-3-4", "4711", "backup-1"])
    func somebodysOwnFileWithANameLikeOursStays(name: String) throws {
        let (bed, _) = try bedWithGrace()
        try bed.write("mine", to: leftover(bed, name))
        try bed.open()
        try bed.set("profile.name", "Edsger")
        bed.close()
        #expect(try bed.text(leftover(bed, name)) == "mine")
    }

    @Test func whatIsLeftBesideTheTargetOfALinkIsFound() throws {
        let bed = try StoreBed()
        let target = bed.root + "/dotfiles/settings.json"
        try bed.write(#"{"profile": {"name": "Ada"}}"#, to: target)
        try FileManager.default.createDirectory(
            atPath: (bed.documentPath as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        symlink(target, bed.documentPath)
        let left = bed.root + "/dotfiles/.settings.json.4711-1.new"
        try bed.write("half", to: left)
        try bed.open()
        try bed.set("profile.name", "Grace")
        bed.close()
        #expect(!bed.exists(left))
    }
}
