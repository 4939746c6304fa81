import EventLoop
import Foundation
import JSON
import SettingsBus
import SettingsModel
import SettingsStore
import TestSupport
import Testing

/// A home, a bus, a client, and daemons one after the other whose calls on files fail where the test says so.
final class FaultBed {
    let session: TestSession
    let client: Client
    let faults: FaultyFiles
    private(set) var daemon: RunningProcess?

    /// - Parameters: as of `FaultyFiles`.
    init(isLogging: Bool = false, isPlain: Bool = false) throws {
        session = try TestSession(folder: Self.folder())
        client = try Client(session)
        faults = try FaultyFiles(below: session.folder.path("home"), isLogging: isLogging, isPlain: isPlain)
    }

    /// A folder in memory, where there is one: what is flushed there is flushed quickly.
    private static func folder() throws -> TemporaryFolder {
        try TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    }

    // MARK: The daemon

    /// Starts a daemon and waits until it serves, or has ended because of a fault.
    ///
    /// - Parameters:
    ///   - isFaulty: whether its calls can be made to fail.
    ///   - plan: what fails from the start on.
    func start(isFaulty: Bool = false, plan: FaultPlan? = nil) throws {
        if let plan { faults.arm(plan) } else { faults.disarm() }
        let environment = session.environment.merging(isFaulty ? faults.environment : [:]) { $1 }
        let daemon = try RunningProcess(Products.path("settingsd"), environment: environment, home: session.folder)
        self.daemon = daemon
        try client.wait("the start\n\(daemon.log)") { try client.isServed() || plan != nil && !daemon.isRunning }
    }

    /// Kills the daemon, whatever it is doing.
    func kill() throws { try end(SIGKILL) }

    /// Ends the daemon as a service manager does, and says how it has ended.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) throws -> TestSupport.ExitStatus? {
        let status = try daemon?.end(signal)
        daemon = nil
        // The next one gets the name only when the bus has seen this one go.
        try session.bus.waitForOwner(of: TestSession.daemonName, isOwned: false)
        return status
    }

    // MARK: The files

    private static let folders = ["home/.config/settingsd", "home/.local/state/settingsd"]

    /// Puts files into the home, in place of all that is there.
    func reset(to files: [String: Data] = [:]) throws {
        let home = session.folder.path("home")
        for name in try FileManager.default.contentsOfDirectory(atPath: home) {
            try FileManager.default.removeItem(atPath: "\(home)/\(name)")
        }
        for (name, content) in files {
            let path = session.folder.path(name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try content.write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
        }
    }

    /// The files in the home by name.
    func files() -> [String: Data] { Self.files(in: path("home")) }

    /// The files in a home that may be elsewhere, by the names that they have in a session.
    static func files(in home: String) -> [String: Data] {
        var files: [String: Data] = [:]
        for folder in folders {
            let path = home + folder.dropFirst("home".count)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
                files["\(folder)/\(name)"] = FileManager.default.contents(atPath: "\(path)/\(name)")
            }
        }
        return files
    }

    /// What lies beside document, journal and lock.
    func leftovers() -> [String] {
        Self.folders.flatMap { names(in: $0) }.filter {
            ![TestSession.document, TestSession.journal, "home/.local/state/settingsd/lock"].contains($0)
        }
    }

    private func path(_ name: String) -> String { session.folder.path(name) }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).map { "\(folder)/\($0)" }
    }

    /// What a daemon that starts now would serve.
    func stored() throws -> Snapshot { try Self.stored(in: files()) }

    /// What a daemon that starts with these files serves.
    static func stored(in files: [String: Data]) throws -> Snapshot {
        let folder = try folder()
        for (name, content) in files {
            try folder.folder((name as NSString).deletingLastPathComponent)
            try content.write(to: URL(fileURLWithPath: folder.path(name)))
        }
        let paths = StorePaths(
            document: folder.path(TestSession.document), journal: folder.path(TestSession.journal),
            lock: folder.path("home/.local/state/settingsd/lock"))
        let loop = try EventLoop()
        let store = try SettingsStore(paths: paths, schema: .builtIn, loop: loop) { _, _ in }
        let snapshot = Snapshot(store)
        var isFinished = false
        store.finish { isFinished = true }
        guard loop.run(until: { isFinished }, timeout: .seconds(20)) else { throw TestFailure("The store does not finish.") }
        return snapshot
    }

    /// Waits until the document is whole and says what the daemon serves.
    func waitForDocument(_ snapshot: Snapshot) throws {
        do {
            try client.wait("the document of \(snapshot)") { try documentRevision() == snapshot.revision }
        } catch {
            throw TestFailure("\(error)\n\(session.folder.read(TestSession.document) ?? "no document")")
        }
        try #require(stored() == snapshot)
    }

    /// Waits until nothing is wrong any more.
    func waitForNoProblem(after plan: FaultPlan) throws {
        do {
            try client.wait("no problem after \(plan)") { try client.problems() == [] }
        } catch {
            throw TestFailure("\(error)\n\(try client.problems())")
        }
    }

    /// Ends the daemon, which leaves a document that says what it has served.
    func endWell(at snapshot: Snapshot) throws {
        try #require(end() == .exited(0))
        try #require(documentRevision() == snapshot.revision)
        try #require(stored() == snapshot)
    }

    /// The document's own revision; nil without a document.
    ///
    /// - Throws: where what is there does not parse.
    func documentRevision() throws -> UInt64? {
        guard let bytes = FileManager.default.contents(atPath: path(TestSession.document)) else { return nil }
        return try JSONParser.parse(Array(bytes)).root.object?["revision"]?.number?.uint64
    }
}

extension Snapshot {
    init(_ store: SettingsStore) {
        let defaults = Dictionary(uniqueKeysWithValues: store.schema.settings.map { ($0.key, $0.defaultValue) })
        self.init(
            revision: store.document.revision,
            values: store.values.filter { $1 != defaults[$0] }.compactMapValues(\.string))
    }
}
