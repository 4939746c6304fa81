import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// Files that are larger, or nested deeper, than anybody means them to be.
@Suite struct LimitTests {
    private func bedWithAda() throws -> StoreBed {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.email", "ada@example.org")
        try bed.set("profile.name", "Ada")
        bed.waitUntilIdle()
        return bed
    }

    private func nested(_ depth: Int) -> String {
        "{\"profile\": {\"name\": \"Grace\"}, \"mine\": " + String(repeating: "[", count: depth - 1) + "1"
            + String(repeating: "]", count: depth - 1) + "}"
    }

    /// Makes a file that is 8 TiB long and takes no space, without touching what it begins with.
    private func stretch(_ path: String) throws {
        let file = open(path, O_WRONLY)
        defer { close(file) }
        try #require(ftruncate(file, 1 << 43) == 0)
    }

    // MARK: Depth

    @Test func whatIsNestedAsDeepAsAllowedSurvivesTheJournalsBeginningAndALostDocument() throws {
        let bed = try bedWithAda()
        try bed.save(nested(DocumentLimits.depth), to: bed.documentPath)
        bed.wait(for: "the edit") { try bed.value("profile.name") == "Grace" }
        bed.waitUntilIdle()
        for number in 1...1300 { try bed.set("support.help", "https://example.org/\(number)") }
        bed.wait(for: "a shorter journal") { try bed.journalLines().count < 1270 }
        bed.close()
        unlink(bed.documentPath)
        try bed.open()
        #expect(bed.store.problems == [])
        #expect(try bed.value("profile.name") == "Grace")
        bed.waitUntilIdle()
        let deepest = String(repeating: " ", count: 2 * DocumentLimits.depth) + "1\n"
        #expect(try bed.documentText().contains(deepest))
    }

    @Test(arguments: [129, 2047, 2048, 2049, 100_000]) func whatIsNestedDeeperIsDamageWithItsPlace(depth: Int) throws {
        let bed = try bedWithAda()
        let text = nested(depth)
        try bed.save(text, to: bed.documentPath)
        bed.wait(for: "the problem") { !bed.store.problems.isEmpty }
        // There are 39 characters before the second level.
        #expect(bed.store.problems.first?.contains("line 1, column 167: arrays and objects are nested more than 128") == true)
        #expect(bed.refusal("profile.name", "Edsger")?.name == .documentDamaged)
        bed.close()
        #expect(try bed.documentText() == text)
        try bed.write(text, to: bed.adminPath)
        unlink(bed.documentPath)
        try bed.open()
        #expect(bed.store.problems.first?.contains("\(bed.adminPath), line 1, column 167") == true)
    }

    // MARK: Size

    @Test(arguments: [false, true]) func aDocumentOfEightTebibytesIsAProblemAndNotRead(isRunning: Bool) throws {
        let bed = try bedWithAda()
        if !isRunning { bed.close() }
        try stretch(bed.documentPath)
        if !isRunning { try bed.open() }
        bed.wait(for: "the problem") { !bed.store.problems.isEmpty }
        #expect(bed.store.problems.first?.hasPrefix("\(bed.documentPath) has 8388608 MiB, more than the 16 MiB") == true)
        #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
        #expect(try bed.value("profile.name") == "Ada")
        unlink(bed.documentPath)
        bed.waitForDocument(containing: "Ada")
        bed.wait(for: "the problem to go") { bed.store.problems == [] }
    }

    @Test func aLayerOfEightTebibytesKeepsItsLastGoodContent() throws {
        let bed = try StoreBed()
        try bed.write(#"{"profile": {"name": "Guest"}}"#, to: bed.adminPath)
        try bed.open()
        try stretch(bed.adminPath)
        bed.waitUntilReloaded()
        #expect(bed.store.problems.first?.hasPrefix("\(bed.adminPath) has 8388608 MiB, more than the 16 MiB") == true)
        #expect(try bed.value("profile.name") == "Guest")
    }

    @Test(arguments: [false, true]) func aJournalThatEndsInAHoleOfEightTebibytesGoesOn(isRunning: Bool) throws {
        let bed = try bedWithAda()
        if !isRunning { bed.close() }
        try stretch(bed.journalPath)
        if !isRunning { try bed.open() }
        try bed.set("profile.name", "Grace")
        #expect(try bed.journalLines().count == 4)
        try bed.reopen()
        #expect(bed.store.document.revision == 3)
        #expect(bed.store.problems == [])
    }

    @Test func whatWouldOnlyBeTooLargeWithItsIndentsIsNotTakenInEither() throws {
        let bed = try bedWithAda()
        let text = "{\"mine\": [" + String(repeating: "[1],", count: 700_000) + "1]}"
        try bed.save(text, to: bed.documentPath)
        bed.wait(for: "the problem", timeout: .seconds(60)) { !bed.store.problems.isEmpty }
        #expect(bed.store.problems.first?.contains("more than the 12 MiB that can be kept") == true)
        #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
        #expect(try bed.value("profile.name") == "Ada")
        #expect(try bed.documentText() == text)
    }

    @Test func fiftyThousandKeysAndAllValuesAtTheirLargestAreFarFromTheLimits() throws {
        let bed = try StoreBed()
        let keys = (0..<50_000).map { "\"org.example.key\($0)\": \"\(String(repeating: "v", count: 100))\"" }
        let uri = "https://example.org/" + String(repeating: "x", count: 65_000)
        let links = ["help", "contact", "feedback", "community", "terms", "privacy", "imprint", "licenses"]
        let support = links.map { "\"\($0)\": \"\(uri)\"" }.joined(separator: ", ")
        try bed.write("{\(keys.joined(separator: ", ")), \"support\": {\(support)}}", to: bed.documentPath)
        try bed.open()
        #expect(bed.store.problems == [])
        #expect(try bed.value("support.licenses") == uri)
        try bed.set("profile.name", "Ada")
        bed.close()
        #expect(try bed.documentText().utf8.count < DocumentLimits.size << 19)
    }

    @Test func ofManyDamagedLinesOnlyTheFirstAreNamed() throws {
        let bed = try bedWithAda()
        bed.close()
        let text = try bed.text(bed.journalPath)
        try bed.write(text + String(repeating: "\n", count: 100_000), to: bed.journalPath)
        try bed.open()
        #expect(bed.store.problems.count == 11)
        #expect(bed.store.problems.last?.contains("line 100003 is damaged too, the last of 100000 such lines") == true)
        #expect(try bed.value("profile.name") == "Ada")
    }
}
