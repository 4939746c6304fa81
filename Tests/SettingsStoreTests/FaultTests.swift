import EventLoop
import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// A small file system of its own, full when a test wants it to be.
final class SmallDisk {
    let path: String

    static let isPossible = SmallDisk(kilobytes: 16) != nil

    /// nil where mounting is not permitted.
    init?(kilobytes: Int) {
        path = NSTemporaryDirectory() + "disk-" + UUID().uuidString
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    func fill() {
        guard let file = fopen(path + "/filler", "a") else { return }
        let block = [UInt8](repeating: 0, count: 4096)
        while fwrite(block, 1, block.count, file) == block.count, fflush(file) == 0 {}
        fclose(file)
    }

    func free() { unlink(path + "/filler") }
}

private let needsDisk = ConditionTrait.enabled(
    if: SmallDisk.isPossible, "Mounting a small tmpfs is not permitted here; run as root to test a full disk.")

@Suite struct FaultTests {
    @Test(needsDisk) func aFullDiskRefusesLeavesEverythingAsItWasAndHeals() throws {
        let disk = try #require(SmallDisk(kilobytes: 256))
        let bed = try StoreBed(root: disk.path + "/home")
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        disk.fill()
        var error: SettingsError?
        var last = "Ada"
        // What is left of the journal's last block may still take a few.
        for number in 1...200 where error == nil {
            let name = "\(number) " + String(repeating: "x", count: 90)
            error = bed.refusal("profile.name", name)
            if error == nil { last = name }
        }
        let journal = try bed.text(bed.journalPath)
        #expect(error?.name == .storageFailed)
        #expect(error?.message.contains("\(bed.journalPath): No space left on device") == true)
        #expect(try bed.value("profile.name") == last)
        #expect(bed.refusal("profile.name", String(repeating: "y", count: 100))?.name == .storageFailed)
        #expect(try bed.text(bed.journalPath) == journal)
        #expect(try bed.documentText().contains("\"name\""))
        #expect(bed.store.problems.contains { $0.contains("free some space") })
        disk.free()
        try bed.set("profile.name", "Grace")
        bed.waitForDocument(containing: "Grace")
        bed.wait(for: "no problem") { bed.store.problems == [] }
        try bed.reopen()
        #expect(try bed.value("profile.name") == "Grace")
    }

    @Test(needsDisk) func whenTheCauseIsGoneTheProblemGoesByItself() throws {
        let disk = try #require(SmallDisk(kilobytes: 64))
        disk.fill()
        let bed = try StoreBed(root: disk.path)
        try bed.open()
        #expect(bed.refusal("profile.name", "Ada")?.name == .storageFailed)
        #expect(bed.store.problems.count == 1)
        disk.free()
        bed.wait(for: "the problem to go") { bed.store.problems == [] }
    }

    @Test(needsDisk) func aFlushThatFailsRefusesItsOwnAndTriesTheNextAgain() throws {
        let disk = try #require(SmallDisk(kilobytes: 64))
        let bed = try StoreBed(root: disk.path)
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        disk.fill()
        // More than what is left of a block.
        let long = "https://example.org/" + String(repeating: "x", count: 6000)
        var results: [String: Result<UInt64, SettingsError>] = [:]
        func submit(_ key: String, _ value: String) {
            bed.store.submit(Request(actions: [Action("SetValues", ["values": .record([key: .string(value)])])])) {
                results[key] = $0.map(\.revision)
                if key == "support.help" { disk.free() }
            }
        }
        submit("support.help", long)
        bed.loop.afterTurn {
            // The first is on its way to the disk by now; these two queue behind it.
            submit("support.terms", long)
            submit("profile.name", "Ada")
        }
        bed.wait(for: "every answer") { results.count == 3 }
        #expect(throws: SettingsError.self) { try results["support.help"]?.get() }
        #expect(results["support.terms"] == .success(2))
        #expect(results["profile.name"] == .success(2))
        try bed.reopen()
        #expect(try bed.value("support.help") == "")
        #expect(try bed.value("support.terms") == long)
    }

    @Test(needsDisk) func fullOnlyWhereTheDocumentIsTheChangeIsStoredAndTheLagIsAProblem() throws {
        let disk = try #require(SmallDisk(kilobytes: 64))
        let bed = try StoreBed()
        try FileManager.default.createDirectory(atPath: bed.root + "/config", withIntermediateDirectories: true)
        symlink(disk.path, bed.root + "/config/settingsd")
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        disk.fill()
        try bed.set("support.help", "https://example.org/" + String(repeating: "x", count: 9000))
        bed.wait(for: "the problem") { bed.store.problems.contains { $0.contains("lags behind") } }
        #expect(try bed.documentText().contains("Ada"))
        disk.free()
        bed.wait(for: "the document to make it up") { try bed.documentText().contains("\"revision\": 2") }
        bed.wait(for: "the problem to go") { bed.store.problems == [] }
    }

    @Test func vanishedFoldersAreMadeAgain() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitUntilIdle()
        try FileManager.default.removeItem(atPath: bed.root + "/config")
        try FileManager.default.removeItem(atPath: bed.root + "/state")
        try bed.set("profile.name", "Grace")
        bed.waitForDocument(containing: "Grace")
        #expect(try bed.journalLines().count == 3)
        #expect(bed.store.problems == [])
    }

    @Test func aFolderThatMayNotBeWrittenRefusesBeforeTheJournal() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        let journal = try bed.text(bed.journalPath)
        let folder = (bed.documentPath as NSString).deletingLastPathComponent
        chmod(folder, 0o555)
        #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
        #expect(try bed.text(bed.journalPath) == journal)
        chmod(folder, 0o700)
        try bed.set("profile.name", "Grace")
    }

    @Test func aFileThatSomebodyHalfWroteBesideTheDocumentIsRemoved() throws {
        let bed = try StoreBed()
        let left = (bed.documentPath as NSString).deletingLastPathComponent + "/.settings.json.1234-1.new"
        try bed.write("half", to: left)
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.close()
        #expect(!bed.exists(left))
    }
}
