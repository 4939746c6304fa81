import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

@Suite struct DocumentTests {
    @Test(arguments: ["18446744073709551615", "18446744073709551614", "9007199254740992", "-1", "1.5", "1e400", "\"x\"", "null"])
    func aRevisionThatNoDaemonCanHaveReachedCountsAsNone(revision: String) throws {
        let bed = try StoreBed()
        try bed.write(#"{"revision": \#(revision), "profile": {"name": "Ada"}}"#, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        try bed.set("profile.name", "Grace")
        try bed.set("profile.name", "Zoë")
        bed.close()
        try bed.open()
        #expect(try bed.value("profile.name") == "Zoë")
        #expect(try bed.documentText().contains("\"revision\": 2,"))
    }

    @Test func numbersThatTheSchemaDoesNotKnowAreNeverRounded() throws {
        let bed = try StoreBed()
        try bed.write(
            """
            {"$schema": "x", "profile": {"name": "Ada", "age": 9007199254740993}, "other": [1.0, 1e400, 3.14159265358979323846],
             "a": {}, "revision": 4}
            """, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        try bed.set("profile.name", "Grace")
        bed.close()
        #expect(
            try bed.documentText() == """
                {
                  "$schema": "x",
                  "format": 1,
                  "revision": 5,
                  "profile": {
                    "name": "Grace",
                    "age": 9007199254740993
                  },
                  "other": [
                    1.0,
                    1e400,
                    3.14159265358979323846
                  ],
                  "a": {}
                }

                """)
        #expect(try bed.journalLines().first?.contains("9007199254740993") == true)
    }

    @Test func aSingleBadValueFallsBackForItsKeyAloneAndStaysUntilThatKeyIsSet() throws {
        let bed = try StoreBed()
        try bed.write(
            #"{"profile": {"name": "Ada", "email": null}, "provider": {"id": "myspace"}, "support": 5}"#, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        #expect(try bed.value("profile.email") == "")
        #expect(try bed.value("provider.id") == "none")
        #expect(bed.store.problems.count == 3)
        #expect(bed.store.problems.first?.contains("settings.json, line 1, column") == true)
        #expect(bed.store.problems.contains { $0.contains("profile.email takes a string, found null") })
        try bed.set("profile.name", "Grace")
        bed.waitForDocument(containing: "Grace")
        #expect(try bed.documentText().contains("\"email\": null"))
        #expect(try bed.documentText().contains("myspace"))
        #expect(try bed.documentText().contains("\"support\": 5"))
        try bed.set("provider", "deezer")
        try bed.set("support.help", "https://example.org/")
        bed.close()
        #expect(try bed.documentText().contains("\"email\": null"))
        #expect(try !bed.documentText().contains("myspace"))
        #expect(try !bed.documentText().contains("\"support\": 5"))
    }

    @Test func aDocumentOfANewerVersionIsReadButNotWritten() throws {
        let bed = try StoreBed()
        let text = #"{"format": 2, "profile": {"name": "Ada"}}"#
        try bed.write(text, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
        #expect(bed.refusal("profile.name", "Ada") == nil, "A no-op succeeds.")
        #expect(try bed.documentText() == text)
        #expect(!bed.exists(bed.journalPath))
    }

    @Test func aDamagedDocumentAtStartIsLeftWhereItIs() throws {
        for damage in ["", #"{"format": 1, "revision": 1, "profile": {"na"#, "[]", #"{"a": 1, "a": 2}"#, "{} // mine"] {
            let bed = try StoreBed()
            try bed.open()
            try bed.set("profile.name", "Ada")
            bed.close()
            try bed.write(damage, to: bed.documentPath)
            try bed.open()
            #expect(try bed.value("profile.name") == "Ada")
            let error = bed.refusal("profile.name", "Grace")
            #expect(error?.name == .documentDamaged)
            #expect(error?.message.contains("line 1, column") == true)
            #expect(bed.store.problems.first?.contains("doctor --repair") == true)
            bed.close()
            #expect(try bed.documentText() == damage)
        }
    }

    @Test func aMissingDocumentIsALossAndNoWish() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.close()
        try FileManager.default.removeItem(atPath: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        bed.waitForDocument(containing: "Ada")
        #expect(bed.store.document.revision == 1)
    }

    @Test func aDocumentEditedWhileNothingRanIsAnEdit() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        try bed.set("provider", "spotify")
        try bed.set("provider.account", "ada@example.org")
        bed.close()
        let old = try bed.documentText()
        // An edit that keeps the revision.
        try bed.write(old.replacingOccurrences(of: "\"spotify\"", with: "\"deezer\""), to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("provider.id") == "deezer")
        #expect(try bed.value("provider.account") == "", "The account goes with its provider.")
        #expect(bed.store.document.revision == 4)
        #expect(try bed.journalLines().last?.contains(#""origin":"file","application":"","actions":[]"#) == true)
        bed.waitForDocument(containing: "\"revision\": 4")
        bed.close()
        // An older copy put back.
        try bed.write(old, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("provider.id") == "spotify")
        #expect(try bed.value("provider.account") == "ada@example.org", "It is given in the same edit.")
        #expect(bed.store.document.revision == 5)
        bed.close()
        // A reset of all.
        try bed.write("{}", to: bed.documentPath)
        try bed.open()
        #expect(bed.store.document == Document(values: [:], revision: 6))
        try bed.reopen()
        #expect(bed.store.document == Document(values: [:], revision: 6))
        #expect(bed.store.problems == [])
    }

    @Test func aDocumentThatLagsBehindTheJournalIsOurs() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.close()
        let lagging = try bed.documentText()
        try bed.open()
        try bed.set("profile.name", "Grace")
        let journal = try bed.text(bed.journalPath)
        bed.close()
        // As a kill between the journal and the document leaves them.
        try bed.write(lagging, to: bed.documentPath)
        try bed.write(journal, to: bed.journalPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Grace")
        #expect(bed.store.document.revision == 2)
        bed.waitForDocument(containing: "\"revision\": 2")
    }

    @Test func aDocumentWithoutARevisionThatNobodyHasWrittenYetIsOurs() throws {
        let bed = try StoreBed()
        let original = #"{"profile": {"name": "Ada"}}"#
        try bed.write(original, to: bed.documentPath)
        try bed.open()
        try bed.set("profile.name", "Grace")
        let journal = try bed.text(bed.journalPath)
        bed.close()
        try bed.write(original, to: bed.documentPath)
        try bed.write(journal, to: bed.journalPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Grace")
        bed.close()
        // Once it has been written, the same text is an edit.
        try bed.write(original, to: bed.documentPath)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
    }

    @Test func anEmptyObjectResetsAllEvenWhereThereWasNoDocumentAtFirst() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        let journal = try bed.text(bed.journalPath)
        bed.close()
        // As after a kill.
        try bed.write(journal, to: bed.journalPath)
        try bed.write("{}", to: bed.documentPath)
        try bed.open()
        #expect(bed.store.document == Document(values: [:], revision: 2))
    }

    @Test func aReadOnlyDocumentIsServedAndNothingIsCreatedBesideIt() throws {
        let bed = try StoreBed()
        try bed.write(#"{"profile": {"name": "Ada"}}"#, to: bed.documentPath)
        chmod(bed.documentPath, 0o444)
        let folder = (bed.documentPath as NSString).deletingLastPathComponent
        chmod(folder, 0o555)
        defer { chmod(folder, 0o755) }
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        let error = bed.refusal("profile.name", "Grace")
        #expect(error?.name == .readOnly)
        #expect(error?.message.contains(bed.documentPath) == true)
        #expect(try bed.value("profile.name") == "Ada")
        bed.close()
        #expect(try bed.fileNames() == ["config/settingsd/settings.json"])
    }

    @Test func theModeOfAnExistingDocumentIsKept() throws {
        let bed = try StoreBed()
        try bed.write("{}", to: bed.documentPath)
        for mode in [0o640, 0o666] {
            chmod(bed.documentPath, mode_t(mode))
            try bed.open()
            try bed.set("profile.name", "mode \(mode)")
            bed.close()
            #expect(try bed.documentText().contains("mode \(mode)"))
            #expect(try bed.permissions(bed.documentPath) == mode)
        }
    }

    @Test func aLinkStaysALinkAndItsTargetHoldsTheValue() throws {
        let bed = try StoreBed()
        for dangles in [false, true] {
            let target = bed.root + "/dotfiles-\(dangles)/settings.json"
            if !dangles { try bed.write(#"{"profile": {"name": "Ada"}}"#, to: target) }
            let folder = (bed.documentPath as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(atPath: bed.documentPath)
            symlink("../../dotfiles-\(dangles)/settings.json", bed.documentPath)
            try bed.open()
            try bed.set("profile.name", "Grace \(dangles)")
            bed.close()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bed.documentPath).hasPrefix("../../dotfiles"))
            #expect(try bed.text(target).contains("Grace \(dangles)"))
        }
    }
}
