internal import DBus
internal import EventLoop
internal import SettingsBus
internal import SettingsModel
internal import SettingsSchemas
internal import SettingsStore

/// The applications whose schema is installed, each with its object; they come, change and go with the schema files.
/// Loop-confined.
///
/// Nobody looks into a schema file, or at an application's own files, before somebody asks for the application's object.
final class Applications {
    /// What is wrong with schemas, one sentence each; of those that nobody has asked for nobody knows.
    private(set) var problems: [String] = [] {
        didSet { if problems != oldValue { onProblemsChanged?() } }
    }
    /// Is called when a problem with schemas, or of an application's own, comes or goes.
    var onProblemsChanged: (() -> Void)?

    /// Is called when an application's object has been made.
    var onOpen: (() -> Void)?

    private let folders: SchemaFolders
    private let host: StoreHost
    private let server: ObjectServer
    private let log: ServiceLog
    /// Makes the object of an application; nil where nobody serves any more.
    private let open: (Schema) throws(StoreError) -> SettingsObject?

    private var applications: [String: Application] = [:]
    /// What is being finished because its schema is gone.
    private var leaving: [String: SettingsObject] = [:]
    private var listingProblems: [String] = []
    /// Those of folders that could not be listed just now.
    private var missedFolders: [String] = []
    private var watch: FileWatch?
    /// The kernel has not given a watch when it was asked last.
    private var isUnwatched = false
    private var isRefreshScheduled = false

    /// - Parameter open: makes the object of an application, which is not exported yet; nil where nobody serves any more.
    init(
        folders: SchemaFolders, host: StoreHost, server: ObjectServer, log: ServiceLog,
        open: @escaping (Schema) throws(StoreError) -> SettingsObject?
    ) {
        self.folders = folders
        self.host = host
        self.server = server
        self.log = log
        self.open = open
    }

    /// Puts an object for each schema on the bus and follows the folders from now on.
    func start() {
        startWatching()
        for entry in list().entries { expect(entry) }
        server.lookAgain = { [weak self] in self?.lookAgain(for: $0) }
        server.reasonForAbsence = { [weak self] path in
            guard let self, let id = SettingsNames.application(ofPath: path) else { return nil }
            return applications[id]?.problems.first ?? absence(of: id)
        }
    }

    /// Why an application without a schema file has no object.
    private func absence(of id: String) -> String? {
        guard SchemaFolders.isApplication(id) else { return nil }
        if let missed = missedFolders.first { return missed }
        return "there is no \(id).json in \(folders.paths.joined(separator: ", ")); "
            + "`settingsctl check FILE` says whether a schema is right"
    }

    /// The objects of the applications that somebody has asked for.
    var objects: [SettingsObject] { applications.values.compactMap(\.object) + leaving.values }

    // MARK: The folders

    private func startWatching() {
        do {
            watch = try host.watch(folders: folders.paths) { [weak self] in self?.foldersChanged() }
            isUnwatched = false
        } catch {
            if !isUnwatched {
                log.write(.warning, "schemas that come and go are noticed at the next reload only: \(error), ignoring")
            }
            isUnwatched = true
        }
    }

    /// Files are replaced in several steps; the folders are read when whoever does that is through.
    private func foldersChanged(patience: Duration = .milliseconds(50)) {
        guard !isRefreshScheduled else { return }
        isRefreshScheduled = true
        host.loop.schedule(after: patience) { [weak self] in
            self?.isRefreshScheduled = false
            self?.refresh()
        }
    }

    /// Who has just put a schema file in its place need not wait until somebody tells of it.
    private func lookAgain(for path: ObjectPath) {
        guard let id = SettingsNames.application(ofPath: path) else { return }
        if applications[id]?.isChanged ?? (folders.path(of: id) != nil) { refresh() }
    }

    /// Looks for schemas that have come, changed or gone.
    func refresh() {
        if watch == nil { startWatching() }
        let listing = list()
        let entries = listing.entries
        // What is in a folder that could not be listed just now is not gone.
        let installed = Set(!listing.missed.isEmpty ? Array(applications.keys) : entries.map(\.application))
        for id in applications.keys.filter({ !installed.contains($0) }).sorted() { remove(id) }
        for entry in entries {
            guard let application = applications[entry.application] else {
                add(entry)
                continue
            }
            // One that counts for more may be in a folder that could not be listed.
            if listing.missed.isEmpty { application.file = entry.path }
            if application.isDue { load(application) }
        }
        collectProblems()
    }

    /// Looks again a while later, since nothing tells when a cause is gone.
    private func lookAgain() { foldersChanged(patience: .seconds(1)) }

    private func list() -> SchemaFolders.Listing {
        let listing = folders.listing()
        listingProblems = listing.problems
        missedFolders = listing.missed
        collectProblems()
        if !listing.missed.isEmpty { lookAgain() }
        return listing
    }

    /// What comes while the daemon runs is announced with its values, so that it is looked at at once.
    private func add(_ entry: SchemaFolders.Entry) {
        // Its files are not free before what was there is finished, which refreshes once more.
        guard leaving[entry.application] == nil else { return }
        expect(entry)
        if let application = applications[entry.application] { load(application) }
    }

    private func expect(_ entry: SchemaFolders.Entry) {
        let application = Application(id: entry.application, file: entry.path)
        applications[entry.application] = application
        server.export(
            application.path,
            whenAsked: { [weak self, weak application] in
                guard let self, let application else { return }
                load(application, isAnnounced: false)
                collectProblems()
            })
    }

    private func remove(_ id: String) {
        guard let application = applications.removeValue(forKey: id) else { return }
        server.withdraw(application.path)
        announce { server throws(BusError) in
            try server.announceRemoved(application.interfaces, of: application.path)
        }
        guard let object = application.object else { return }
        log.write(.info, "\(application.file) is gone, and with it the settings of \(id); \(object.store.paths.document) stays")
        leaving[id] = object
        object.store.finish { [weak self] in
            self?.leaving[id] = nil
            self?.foldersChanged()
        }
    }

    // MARK: Schemas

    /// Reads an application's schema and brings its object in line.
    ///
    /// - Parameter isAnnounced: whether those who follow the objects are to be told that one has come.
    private func load(_ application: Application, isAnnounced: Bool = true) {
        guard let schema = application.readSchema() else {
            for problem in application.problems where !problems.contains(problem) { log.write(.error, problem) }
            if application.mayPass { lookAgain() }
            // Whoever asks for what cannot be made is told why.
            if application.object == nil { server.withdraw(application.path) }
            return
        }
        do {
            if let object = application.object {
                change(object, to: schema)
            } else {
                guard let object = try open(schema) else { return }
                application.object = object
                object.export()
                log.write(.info, object.greeting)
                onOpen?()
                if isAnnounced { announce { server throws(BusError) in try server.announceAdded(object.path) } }
            }
        } catch {
            application.fail(error.message)
            if case .unread = error { lookAgain() }
            if !problems.contains(error.message) { log.write(.error, error.message) }
            server.withdraw(application.path)
        }
    }

    private func change(_ object: SettingsObject, to schema: Schema) {
        guard schema != object.schema else { return }
        object.store.adopt(schema) { [weak self, weak object] in
            // It may have gone in the meantime.
            guard let self, let object, applications[schema.application]?.object === object else { return }
            object.export()
            announce { server throws(BusError) in
                try server.announceRemoved(SettingsFace.of(schema).interfaces, of: object.path)
                try server.announceAdded(object.path)
            }
        }
    }

    private func collectProblems() {
        problems = listingProblems + applications.sorted { $0.key < $1.key }.flatMap(\.value.problems)
    }

    private func announce(_ send: (ObjectServer) throws(BusError) -> Void) {
        do throws(BusError) {
            try send(server)
        } catch {
            log.write(.warning, "could not announce which settings there are: \(error), ignoring")
        }
    }
}

/// One application: its schema file, and its object once somebody has asked for it.
private final class Application {
    let id: String
    /// The schema file that counts.
    var file: String
    var object: SettingsObject?
    /// What is wrong with the schema.
    private(set) var problems: [String] = []
    /// Whether the file could not be read for a reason that may pass by itself.
    private(set) var mayPass = false
    /// The file as it was read last; nil before that.
    private var known: Known?

    private struct Known: Equatable {
        let file: String
        let stamp: SchemaFile.Stamp?
    }

    init(id: String, file: String) {
        self.id = id
        self.file = file
    }

    var path: ObjectPath { SettingsNames.path(ofApplication: id) }

    /// The object's interfaces, as far as they are known by its id.
    var interfaces: [InterfaceName] { SettingsFace.application(Schema(application: id, settings: [])).interfaces }

    /// Whether there is another file than the one that was read last, or what was found then came to nothing.
    var isDue: Bool { known != nil && (object == nil || mayPass || isChanged) }

    /// Whether there is another file than the one that was read last.
    var isChanged: Bool { known.map { $0 != current } ?? false }

    private var current: Known { Known(file: file, stamp: SchemaFile.stamp(of: file)) }

    /// - Returns: nil where the file is no schema; `problems` says why.
    func readSchema() -> Schema? {
        // Before it is read: what changes meanwhile is another file.
        known = current
        do throws(SchemaFaults) {
            let schema = try SchemaFile.read(file, application: id)
            (problems, mayPass) = ([], false)
            return schema
        } catch {
            mayPass = error.mayPass
            let consequence =
                object == nil
                ? "its settings are not there until it is mended" : "what it said last while it was good stays in force"
            problems = error.problems(of: file).map { "\($0); \(consequence)" }
            return nil
        }
    }

    func fail(_ reason: String) { problems = [reason] }
}

extension SchemaFaults {
    private static let shown = 3

    /// A clause for each fault, of many the first ones.
    fileprivate func problems(of file: String) -> [String] {
        let more = faults.count - Self.shown
        return faults.prefix(Self.shown).enumerated().map { index, fault in
            let clause = fault.position == nil ? "\(file): \(fault)" : "\(file), \(fault)"
            return index == Self.shown - 1 && more > 0 ? "\(clause) (and \(more) more; `settingsctl check` names them)" : clause
        }
    }
}
