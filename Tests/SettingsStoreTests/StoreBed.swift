import EventLoop
import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// A home of its own for one test, and a store in it that a real loop serves.
final class StoreBed {
    let root: String
    /// What the store is opened with.
    var schema = Schema.builtIn
    let loop: EventLoop
    private(set) var store: SettingsStore!
    private(set) var commits: [(commit: Commit, origin: Origin)] = []
    private(set) var log: [String] = []

    /// - Parameters:
    ///   - root: a folder that outlives the bed; nil: one that goes with it.
    ///   - loop: serves another bed already; nil: one of its own.
    init(root: String? = nil, loop: EventLoop? = nil) throws {
        self.root = root ?? NSTemporaryDirectory() + "store-" + UUID().uuidString
        ownsRoot = root == nil
        self.loop = try loop ?? EventLoop()
        try FileManager.default.createDirectory(atPath: self.root, withIntermediateDirectories: true)
    }

    private let ownsRoot: Bool

    deinit {
        if store != nil { close() }
        if ownsRoot { try? FileManager.default.removeItem(atPath: root) }
    }

    /// The folders of document and admin layer in the root.
    var documentFolder = "config/settingsd"
    var adminFolder = "etc/settingsd"

    var documentPath: String { "\(root)/\(documentFolder)/settings.json" }
    var journalPath: String { root + "/state/settingsd/journal.jsonl" }
    var adminPath: String { "\(root)/\(adminFolder)/settings.json" }
    var vendorPath: String { root + "/share/settingsd/settings.json" }

    var paths: StorePaths {
        StorePaths(
            document: documentPath, journal: journalPath, lock: root + "/state/settingsd/lock", admin: [adminPath],
            vendor: [vendorPath])
    }

    // MARK: The store

    func open() throws {
        commits = []
        store = try SettingsStore(paths: paths, schema: schema, loop: loop) { [weak self] in self?.log.append("\($0) \($1)") }
        store.onCommit = { [weak self] in self?.commits.append(($0, $1)) }
    }

    /// Stops the store as the daemon does when it is asked to.
    func close() {
        var isDone = false
        store.finish { isDone = true }
        #expect(loop.run(until: { isDone }, timeout: .seconds(30)), "The store does not finish.")
        store = nil
    }

    func reopen() throws {
        close()
        try open()
    }

    func submit(
        _ actions: [Action], expecting revision: UInt64? = nil, application: String = "test"
    ) -> Result<Commit, SettingsError> {
        var result: Result<Commit, SettingsError>?
        store.submit(Request(actions: actions, expectedRevision: revision, application: application)) { result = $0 }
        #expect(loop.run(until: { result != nil }, timeout: .seconds(60)), "No answer came.")
        return result ?? .failure(SettingsError(.storageFailed, "no answer"))
    }

    @discardableResult
    func set(_ key: String, _ value: String, expecting revision: UInt64? = nil) throws -> Commit {
        try submit([Action("SetValues", ["values": .record([key: .string(value)])])], expecting: revision).get()
    }

    func refusal(_ key: String, _ value: String) -> SettingsError? {
        do {
            try set(key, value)
            return nil
        } catch {
            return error as? SettingsError
        }
    }

    func value(_ key: String) throws -> String? { try store.resolve(key).value.string }

    /// Serves the loop until the condition holds.
    func wait(
        for what: String, timeout: Duration = .seconds(60), _ location: SourceLocation = #_sourceLocation,
        until condition: () throws -> Bool
    ) {
        // Files change behind the loop's back, so that nothing else might end its sleep.
        let loop = loop
        var stop = {}
        func tick() { stop = loop.schedule(after: .milliseconds(2), handler: tick).cancel }
        tick()
        defer { stop() }
        let holds = loop.run(until: { (try? condition()) ?? false }, timeout: timeout)
        #expect(holds, "Waited in vain for \(what).", sourceLocation: location)
    }

    /// Serves the loop until the document holds a text.
    func waitForDocument(containing text: String, _ location: SourceLocation = #_sourceLocation) {
        wait(for: "\(text) in the document", location) { try documentText().contains(text) }
    }

    /// Serves the loop until the document is up to date and nothing more is done with the files.
    func waitUntilIdle(_ location: SourceLocation = #_sourceLocation) {
        waitForDocument(containing: "\"revision\": \(store.document.revision),", location)
        waitUntilReloaded(location)
    }

    /// Serves the loop until nothing more comes of what has happened so far.
    func waitUntilReloaded(_ location: SourceLocation = #_sourceLocation) {
        var isDone = false
        store.reload { isDone = true }
        wait(for: "the reload", location) { isDone }
    }

    // MARK: The files

    func documentText() throws -> String { try text(documentPath) }

    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func write(_ text: String, to path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Saves as most editors do: a new file takes the old one's name.
    func save(_ text: String, to path: String) throws {
        try write(text, to: path + "~new")
        #expect(rename(path + "~new", path) == 0)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    func journalLines() throws -> [String] {
        try text(journalPath).split(separator: "\n").map(String.init)
    }

    func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// The names in the document's and the journal's folders.
    func fileNames() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root).filter { !isFolder(root + "/" + $0) }.sorted()
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
