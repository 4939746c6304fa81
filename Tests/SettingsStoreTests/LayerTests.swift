import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

@Suite struct LayerTests {
    @Test func aLayerThatChangesIsATransactionWithItsCascade() throws {
        let bed = try StoreBed()
        try bed.write(#"{"provider": {"id": "spotify"}}"#, to: bed.vendorPath)
        try bed.open()
        #expect(try bed.store.resolve("provider").source == .vendor)
        #expect(bed.store.document.revision == 0, "What it says at the start is no change.")
        try bed.set("provider.account", "ada")
        try bed.save(#"{"provider": {"id": "deezer"}}"#, to: bed.vendorPath)
        bed.wait(for: "the layer") { try bed.value("provider.id") == "deezer" }
        #expect(bed.commits.last?.origin == .layer)
        #expect(bed.commits.last?.commit.revision == 2)
        #expect(bed.commits.last?.commit.transaction?.change.values == ["provider.id": "deezer", "provider.account": ""])
        #expect(bed.commits.last?.commit.transaction?.edits.map(\.key) == ["provider.account"])
        try bed.reopen()
        #expect(bed.store.changes(since: 1).changes.map(\.origin) == [.layer])
        #expect(throws: SettingsError.self) { try bed.submit([Action("Redo")]).get() }
    }

    @Test func aLayerThatComesAndGoesIsSeenThroughMissingFolders() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.write(#"{"profile": {"name": "Guest"}}"#, to: bed.adminPath)
        bed.wait(for: "the layer") { try bed.value("profile.name") == "Guest" }
        try FileManager.default.removeItem(atPath: bed.root + "/etc")
        bed.wait(for: "the layer to go") { try bed.value("profile.name") == "" }
        try bed.write(#"{"profile": {"name": "Guest"}}"#, to: bed.adminPath)
        bed.wait(for: "the layer again") { try bed.value("profile.name") == "Guest" }
        #expect(bed.commits.map(\.origin) == [.layer, .layer, .layer])
    }

    @Test func aBrokenLayerKeepsItsLastGoodContentWhole() throws {
        let bed = try StoreBed()
        try bed.write(#"{"profile": {"name": "Guest"}, "locked": ["profile.name", "nosuch"]}"#, to: bed.adminPath)
        try bed.open()
        #expect(bed.store.problems.count == 1)
        #expect(bed.store.problems.first?.contains("settings.json, line 1, column") == true)
        #expect(bed.refusal("profile.name", "Ada")?.name == .locked)
        try bed.save(#"{"profile": {"name": "Gue"#, to: bed.adminPath)
        bed.wait(for: "the problem") {
            bed.store.problems.first?.contains("is not closed") == true || bed.store.problems.count == 1
        }
        bed.waitUntilReloaded()
        #expect(try bed.value("profile.name") == "Guest")
        #expect(bed.refusal("profile.name", "Ada")?.name == .locked)
        #expect(bed.commits.isEmpty)
        #expect(bed.store.problems.first?.contains(bed.adminPath) == true)
        try bed.reopen()
        #expect(try bed.value("profile.name") == "", "At the start there is no last good content.")
        #expect(bed.log.contains { $0.hasPrefix("error") && $0.contains(bed.adminPath) })
    }

    @Test func aLockedKeyIsRefusedInAnEditAloneAndCountsWhenItIsFree() throws {
        let bed = try StoreBed()
        try bed.write(#"{"locked": ["profile.name"]}"#, to: bed.adminPath)
        try bed.open()
        try bed.set("profile.email", "a@example.org")
        bed.waitForDocument(containing: "a@example.org")
        try bed.save(#"{"profile": {"name": "Ada", "email": "b@example.org"}}"#, to: bed.documentPath)
        bed.waitForDocument(containing: "\"revision\": 2")
        #expect(try bed.value("profile.email") == "b@example.org")
        #expect(try bed.value("profile.name") == "")
        #expect(try bed.documentText().contains("Ada"), "The file keeps its text.")
        bed.wait(for: "the problem") { bed.store.problems.count == 1 }
        #expect(bed.store.problems.first?.contains("profile.name is locked by \(bed.adminPath)") == true)
        try bed.reopen()
        #expect(bed.store.problems.count == 1)
        #expect(bed.store.document.revision == 2)
        try bed.save("{}", to: bed.adminPath)
        bed.wait(for: "the value") { try bed.value("profile.name") == "Ada" }
        bed.wait(for: "the problem to go") { bed.store.problems == [] }
        #expect(bed.commits.last?.origin == .file)
    }
}
