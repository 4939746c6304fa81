import EventLoop
import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// What keeps the document from being replaced, or the files from being reached.
@Suite struct AccessTests {
    private func bedWithAda() throws -> StoreBed {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitUntilIdle()
        return bed
    }

    private static let grace = [Action("SetValues", ["values": .record(["profile.name": "Grace"])])]

    private func expectRefusal(_ bed: StoreBed, _ name: SettingsError.Name, naming text: String) throws {
        let journal = try bed.text(bed.journalPath)
        let error = bed.refusal("profile.name", "Grace")
        #expect(error?.name == name)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        let preview = #expect(throws: SettingsError.self) { try bed.store.preview(Self.grace) }
        #expect(preview?.name == name)
        #expect(bed.store.problems.count == 1 && bed.store.problems.first?.contains(text) == true, "\(bed.store.problems)")
        #expect(try bed.text(bed.journalPath) == journal)
    }

    @Test(arguments: [false, true]) func aDocumentThatMayNotBeWrittenIsAProblemAndNoPreviewPromisesAChange(isRunning: Bool) throws
    {
        let bed = try bedWithAda()
        if !isRunning { bed.close() }
        chmod(bed.documentPath, 0o444)
        if !isRunning { try bed.open() }
        if isRunning { #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly) }
        try expectRefusal(bed, .readOnly, naming: bed.documentPath)
        chmod(bed.documentPath, 0o600)
        try bed.set("profile.name", "Grace")
        #expect(bed.store.problems == [])
    }

    /// The same where nothing was in the way of the change before, and the document has not been written since.
    @Test(arguments: ["", "settings.json"]) func whatComesInTheWayBetweenTwoChangesIsSeen(name: String) throws {
        let bed = try bedWithAda()
        let folder = (bed.documentPath as NSString).deletingLastPathComponent
        let path = name.isEmpty ? folder : bed.documentPath
        let ways = [
            ("mode", { chmod(path, $0 ? 0o555 : 0o700) == 0 }),
            ("attribute", { self.change($0 ? "+a" : "-a", path) }),
        ]
        for (way, hinder) in ways {
            try bed.set("profile.name", "\(way) 0")
            bed.waitForDocument(containing: "\(way) 0")
            // Until then the times of files do not tell everything.
            var isTime = false
            bed.loop.schedule(after: .milliseconds(30)) { isTime = true }
            bed.wait(for: "files to settle") { isTime }
            for number in 1...3 { try bed.set("profile.name", "\(way) \(number)") }
            guard hinder(true) else {
                print("NOT PROVEN HERE: chattr(1) may not set attributes.")
                continue
            }
            #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly, "\(way) of \(path)")
            #expect(hinder(false))
            try bed.set("profile.name", "\(way) 4")
        }
    }

    private func change(_ attribute: String, _ path: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
        process.arguments = [attribute, path]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(arguments: ["a", "i"]) func aDocumentThatMayNotBeReplacedIsReadOnlyBeforeTheJournalLine(attribute: String) throws {
        let bed = try bedWithAda()
        let folder = (bed.documentPath as NSString).deletingLastPathComponent
        for path in [bed.documentPath, folder] {
            guard change("+\(attribute)", path) else {
                print("NOT PROVEN HERE: chattr(1) may not set attributes.")
                return
            }
            #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
            try expectRefusal(bed, .readOnly, naming: path)
            #expect(change("-\(attribute)", path))
        }
        try bed.set("profile.name", "Grace")
        bed.waitForDocument(containing: "Grace")
        #expect(bed.store.problems == [])
    }

    @Test func aLinkToAPathThatIsNotUTF8IsReadOnlyAndReadAllTheSame() throws {
        let bed = try StoreBed()
        let target = Array((bed.root + "/caf").utf8) + [0xE9, 0]
        let text = #"{"profile": {"name": "Ada"}}"#
        let file = target.withUnsafeBytes { open($0.bindMemory(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        #expect(write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
        try FileManager.default.createDirectory(
            atPath: (bed.documentPath as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        #expect(target.withUnsafeBytes { symlink($0.bindMemory(to: CChar.self).baseAddress!, bed.documentPath) } == 0)
        try bed.open()
        #expect(try bed.value("profile.name") == "Ada")
        #expect(bed.refusal("profile.name", "Grace")?.name == .readOnly)
        #expect(bed.store.problems.first?.contains("\(bed.documentPath) leads to a path that is not valid UTF-8") == true)
        bed.close()
        #expect(try bed.documentText() == text)
        #expect(!bed.exists(bed.journalPath))
    }

    @Test(arguments: ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"])
    func aFolderWhosePathIsNotUTF8IsNotMistakenForAnother(variable: String) {
        // As the bytes of another encoding are read.
        let environment = ["HOME": NSTemporaryDirectory()].merging([variable: "/tmp/caf\u{FFFD}"]) { $1 }
        let error = #expect(throws: StoreError.self) { try StorePaths.standard(environment: environment) }
        #expect(error?.message.contains("\(variable), /tmp/caf\u{FFFD}, is not valid UTF-8") == true)
    }

    @Test func aLockHeldElsewhereIsAProblemUntilTheEditIsTakenIn() throws {
        let bed = try bedWithAda()
        let other = StoreLock(path: bed.paths.lock)
        #expect(try other.acquire())
        try bed.save(#"{"profile": {"name": "Grace"}}"#, to: bed.documentPath)
        bed.wait(for: "the problem") { bed.store.problems.first?.contains(bed.paths.lock) == true }
        #expect(try bed.value("profile.name") == "Ada")
        other.release()
        bed.wait(for: "the edit") { try bed.value("profile.name") == "Grace" }
        #expect(bed.store.problems == [])
    }
}
