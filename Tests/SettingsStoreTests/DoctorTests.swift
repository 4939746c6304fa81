import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

@Suite struct DoctorTests {
    @Test func aDamagedDocumentIsMovedAsideAndWrittenFromTheJournal() throws {
        let bed = try StoreBed()
        try bed.write(#"{"profile": {"name": "Ada"}, "mine": 1.0}"#, to: bed.documentPath)
        try bed.open()
        try bed.set("provider", "spotify")
        let good = { try bed.documentText() }
        bed.close()
        let before = try good()
        for number in 1...2 {
            try bed.write("{ damaged \(number)", to: bed.documentPath)
            let done = try Doctor.repair(paths: bed.paths, schema: .builtIn)
            #expect(done.count == 1)
            #expect(done.first?.contains("settings.json.damaged-\(number)") == true)
            #expect(try bed.text(bed.documentPath + ".damaged-\(number)") == "{ damaged \(number)")
            #expect(try bed.documentText() == before)
        }
        #expect(try Doctor.repair(paths: bed.paths, schema: .builtIn) == [])
    }

    @Test func aRunningStoreTakesTheRepairIn() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        try bed.save("", to: bed.documentPath)
        #expect(bed.refusal("profile.name", "Grace")?.name == .documentDamaged)
        #expect(try Doctor.repair(paths: bed.paths, schema: .builtIn).count == 1)
        bed.wait(for: "no problem") { bed.store.problems == [] }
        #expect(bed.store.document.revision == 1)
        try bed.set("profile.name", "Grace")
    }

    @Test func aDamagedLineOfTheJournalIsMovedAside() throws {
        let bed = try StoreBed()
        try bed.open()
        for name in ["Ada", "Grace", "Edsger"] { try bed.set("profile.name", name) }
        bed.close()
        var lines = try bed.journalLines()
        lines[2] = "{"
        let damaged = lines.joined(separator: "\n") + "\n"
        try bed.write(damaged, to: bed.journalPath)
        #expect(try Doctor.repair(paths: bed.paths, schema: .builtIn).count == 1)
        #expect(try bed.text(bed.journalPath + ".damaged-1") == damaged)
        try bed.open()
        #expect(bed.store.problems == [])
        #expect(try bed.value("profile.name") == "Edsger")
    }

    @Test func whatIsWellIsLeftAlone() throws {
        let bed = try StoreBed()
        #expect(try Doctor.repair(paths: bed.paths, schema: .builtIn) == [])
        #expect(try bed.fileNames() == [])
    }
}
