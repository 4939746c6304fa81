import EventLoop
import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// What people and their editors do to the document while the store runs.
@Suite struct HandEditTests {
    private func bed(_ text: String? = nil) throws -> StoreBed {
        let bed = try StoreBed()
        if let text { try bed.write(text, to: bed.documentPath) }
        try bed.open()
        return bed
    }

    private func bedWithAda() throws -> StoreBed {
        let bed = try bed()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        return bed
    }

    @Test func anEditorThatReplacesTheFileTwiceWithinMillisecondsIsSeenTwiceAndNeverEmpty() throws {
        let bed = try bedWithAda()
        var names: [String] = []
        bed.store.onCommit = { commit, _ in names.append(commit.transaction?.change.values["profile.name"]?.string ?? "-") }
        try bed.save(#"{"profile": {"name": "Grace"}}"#, to: bed.documentPath)
        try bed.save(#"{"profile": {"name": "Edsger"}}"#, to: bed.documentPath)
        bed.wait(for: "the second save") { try bed.value("profile.name") == "Edsger" }
        bed.waitForDocument(containing: "\"revision\"")
        #expect(names == ["Edsger"] || names == ["Grace", "Edsger"])
        #expect(try bed.documentText().contains("Edsger"))
    }

    @Test func everyWayToSaveIsSeen() throws {
        let bed = try bedWithAda()
        let path = bed.documentPath
        let ways: [(String, (String) throws -> Void)] = [
            ("in place", { try bed.write($0, to: path) }),
            ("new file renamed over", { try bed.save($0, to: path) }),
            (
                "old file renamed away first",
                {
                    rename(path, path + "~")
                    try bed.write($0, to: path)
                }
            ),
            (
                "removed and made again",
                {
                    unlink(path)
                    try bed.write($0, to: path)
                }
            ),
            (
                "linked",
                {
                    try bed.write($0, to: path + ".tmp")
                    unlink(path)
                    link(path + ".tmp", path)
                    unlink(path + ".tmp")
                }
            ),
            (
                "the folder replaced",
                {
                    let folder = (path as NSString).deletingLastPathComponent
                    rename(folder, folder + "-old-\($0.count)")
                    try bed.write($0, to: path)
                }
            ),
        ]
        for (index, (name, save)) in ways.enumerated() {
            let before = bed.commits.count
            try save(#"{"profile": {"name": "\#(name)"}, "pad": "\#(String(repeating: "x", count: index))"}"#)
            bed.wait(for: name) { try bed.value("profile.name") == name }
            bed.waitForDocument(containing: "\"revision\": \(bed.store.document.revision)")
            bed.waitUntilReloaded()
            #expect(bed.commits.count == before + 1, "\(name)")
            #expect(bed.commits.last?.origin == .file)
            #expect(bed.commits.last?.commit.transaction?.change.application == "")
        }
        bed.wait(for: "no problem") { bed.store.problems == [] }
        let left = try bed.fileNames().filter { $0.contains(".new") }
        #expect(left == [])
    }

    @Test func aToolThatTruncatesAndWritesInTwoStepsMakesOneChange() throws {
        let bed = try bedWithAda()
        let file = try #require(fopen(bed.documentPath, "w"))
        fputs(#"{"profile": {"name": "Gr"#, file)
        fflush(file)
        var isWritten = false
        bed.loop.schedule(after: .milliseconds(50)) {
            fputs(#"ace"}}"#, file)
            fclose(file)
            isWritten = true
        }
        bed.store.reload()
        var problems: [[String]] = []
        bed.store.onProblemsChanged = { problems.append($0) }
        bed.wait(for: "the rest") { try isWritten && bed.value("profile.name") == "Grace" }
        bed.waitForDocument(containing: "\"revision\": 2")
        #expect(bed.commits.count == 2)
        #expect(problems == [], "The half is nobody's business.")
    }

    @Test func anInvalidEditLeavesTheLastGoodValuesAndIsNeverOverwritten() throws {
        let faults = [
            "{\n  \"profile\": {\"name\": \"Grace\",}\n}": "line 2, column 30", "": "line 1, column 1",
            "{\"profile\": {}, \"profile\": {}}": "line 1, column 17", "{} // mine": "line 1, column 4",
        ]
        for (text, place) in faults {
            let bed = try bedWithAda()
            try bed.save(text, to: bed.documentPath)
            // Asked at once, before anybody could have told.
            let error = bed.refusal("profile.name", "Edsger")
            #expect(error?.name == .documentDamaged)
            #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
            #expect(bed.store.problems.contains { $0.contains(bed.documentPath) && $0.contains(place) })
            #expect(try bed.value("profile.name") == "Ada")
            bed.waitUntilReloaded()
            #expect(try bed.documentText() == text)
            // Mended, and asked at once again.
            try bed.save(#"{"profile": {"name": "Barbara"}}"#, to: bed.documentPath)
            try bed.set("profile.email", "b@example.org")
            #expect(try bed.value("profile.name") == "Barbara")
            #expect(bed.store.problems == [])
            bed.close()
            #expect(try bed.documentText().contains("b@example.org"))
        }
    }

    @Test func duplicateKeysAreDamageWithBothPositions() throws {
        let bed = try bed("{\"profile\": {},\n\"profile\": {}}")
        #expect(bed.store.problems.first?.contains("line 2, column 1") == true)
        #expect(bed.store.problems.first?.contains("line 1, column 2") == true)
    }

    @Test func byteOrderMarkAndCarriageReturnsLoad() throws {
        let bed = try bedWithAda()
        try bed.save("\u{FEFF}{\r\n  \"profile\": {\r\n    \"name\": \"Grace\"\r\n  }\r\n}\r\n", to: bed.documentPath)
        bed.wait(for: "the edit") { try bed.value("profile.name") == "Grace" }
        bed.waitForDocument(containing: "\"revision\": 2")
        #expect(try bed.documentText().hasPrefix("{\n  \"format\": 1,"))
    }

    @Test func anEditNeverTakesAnAcknowledgedValueBack() throws {
        let bed = try bedWithAda()
        let old = try bed.documentText()
        try bed.set("provider", "spotify")
        try bed.set("profile.email", "a@example.org")
        // An edit of what was visible, while the document lags.
        try bed.save(old.replacingOccurrences(of: "Ada", with: "Grace"), to: bed.documentPath)
        bed.wait(for: "the edit") { try bed.value("profile.name") == "Grace" }
        #expect(try bed.value("profile.email") == "a@example.org")
        #expect(try bed.value("provider.id") == "spotify")
        bed.close()
        for text in ["Grace", "a@example.org", "spotify"] { #expect(try bed.documentText().contains(text)) }
    }

    @Test func onlyContentInAnotherFormIsRewritten() throws {
        let bed = try bedWithAda()
        let normal = try bed.documentText()
        try bed.save(normal.replacingOccurrences(of: "  ", with: "\t"), to: bed.documentPath)
        bed.wait(for: "the normal form") { try bed.documentText() == normal }
        #expect(bed.store.document.revision == 1, "Nothing has changed.")
        let inode = try FileManager.default.attributesOfItem(atPath: bed.documentPath)[.systemFileNumber] as? Int
        try bed.write(normal, to: bed.documentPath)
        bed.waitUntilReloaded()
        #expect(try FileManager.default.attributesOfItem(atPath: bed.documentPath)[.systemFileNumber] as? Int == inode)
    }

    @Test func unknownContentOfAnEditIsKeptAndReachesTheJournal() throws {
        let bed = try bedWithAda()
        try bed.save(#"{"profile": {"name": "Ada"}, "mine": [1.50]}"#, to: bed.documentPath)
        bed.waitForDocument(containing: "\"format\"")
        bed.wait(for: "the journal") { try bed.journalLines().first?.contains("\"mine\":[1.50]") == true }
        #expect(bed.store.document.revision == 1)
        #expect(try bed.journalLines().count == 2)
    }

    @Test func aBadValueByHandIsOneChangeAndStaysUntilTheKeyIsSet() throws {
        let bed = try bedWithAda()
        try bed.save(#"{"profile": {"name": 7}}"#, to: bed.documentPath)
        bed.wait(for: "the edit") { bed.store.document.revision == 2 }
        #expect(try bed.value("profile.name") == "")
        #expect(bed.store.problems.count == 1)
        try bed.set("profile.email", "a@example.org")
        bed.waitForDocument(containing: "a@example.org")
        #expect(try bed.documentText().contains("\"name\": 7"))
        bed.wait(for: "the new position") { bed.store.problems.first?.contains("line 5, column 13") == true }
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        bed.wait(for: "the problem to go") { bed.store.problems == [] }
    }

    @Test func aMissingDocumentIsWrittenAgainAndItsFolderToo() throws {
        let bed = try bedWithAda()
        for _ in 0..<2 {
            bed.waitUntilIdle()
            try FileManager.default.removeItem(atPath: (bed.documentPath as NSString).deletingLastPathComponent)
            bed.waitForDocument(containing: "Ada")
        }
        #expect(bed.store.document.revision == 1)
        bed.waitUntilIdle()
        try FileManager.default.removeItem(atPath: (bed.documentPath as NSString).deletingLastPathComponent)
        try bed.set("profile.name", "Grace")
        bed.waitForDocument(containing: "Grace")
    }

    @Test func theTargetOfALinkIsWatchedAndReplaced() throws {
        let bed = try StoreBed()
        let target = bed.root + "/dotfiles/settings.json"
        try bed.write(#"{"profile": {"name": "Ada"}}"#, to: target)
        let folder = (bed.documentPath as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        symlink(target, bed.documentPath)
        try bed.open()
        try bed.save(#"{"profile": {"name": "Grace"}}"#, to: target)
        bed.wait(for: "the edit of the target") { try bed.value("profile.name") == "Grace" }
        bed.wait(for: "the rewritten target") { try bed.text(target).contains("\"revision\"") }
        // The link itself is pointed elsewhere.
        try bed.write(#"{"profile": {"name": "Edsger"}}"#, to: bed.root + "/other/settings.json")
        symlink(bed.root + "/other/settings.json", bed.documentPath + ".link")
        rename(bed.documentPath + ".link", bed.documentPath)
        bed.wait(for: "the other target") { try bed.value("profile.name") == "Edsger" }
        try bed.save(#"{"profile": {"name": "Barbara"}}"#, to: bed.root + "/other/settings.json")
        bed.wait(for: "the edit of the other target") { try bed.value("profile.name") == "Barbara" }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bed.documentPath) == bed.root + "/other/settings.json")
    }

    @Test func whatIsNoRegularFileIsAProblemAndReadOnly() throws {
        let makers: [(String) -> Void] = [
            { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }, { symlink("/dev/null", $0) }, { symlink("settings.json", $0) },
        ]
        for make in makers {
            let bed = try bedWithAda()
            bed.close()
            unlink(bed.documentPath)
            make(bed.documentPath)
            try bed.open()
            #expect(try bed.value("profile.name") == "Ada")
            #expect(bed.store.problems.first?.contains(bed.documentPath) == true)
            #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
            remove(bed.documentPath)
            try bed.set("profile.name", "Grace")
            bed.waitForDocument(containing: "Grace")
            #expect(bed.store.problems == [])
            // While it runs, too.
            unlink(bed.documentPath)
            make(bed.documentPath)
            #expect(bed.refusal("profile.name", "Edsger")?.name == .readOnly)
        }
    }

    @Test func aReformattingOwnWriteDoesNotWakeTheStoreIntoWork() throws {
        let bed = try bedWithAda()
        for number in 1...20 { try bed.set("profile.name", "\(number)") }
        bed.waitForDocument(containing: "\"20\"")
        var events = 0
        bed.store.onCommit = { _, _ in events += 1 }
        bed.waitUntilReloaded()
        #expect(events == 0)
        #expect(bed.store.document.revision == 21)
    }
}
