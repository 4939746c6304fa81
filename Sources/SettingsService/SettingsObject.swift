internal import DBus
internal import SettingsBus
internal import SettingsModel
internal import SettingsStore

/// A store on the bus: answers the calls of one schema's object and announces what the store commits. Loop-confined.
///
/// Everything here is derived from the schema and its face; nothing knows a particular setting or action.
final class SettingsObject {
    let store: SettingsStore
    private(set) var face: SettingsFace
    /// What is wrong beside the store's own problems.
    var furtherProblems: () -> [String] = { [] }
    private let server: ObjectServer
    private let identity: CallerIdentity
    private let log: ServiceLog
    private var readyLists = ReadyLists()
    /// New at each start.
    private let instance: String
    /// Reads every file anew and calls back when that is done.
    private let reload: (@escaping () -> Void) -> Void

    init(
        store: SettingsStore, server: ObjectServer, identity: CallerIdentity, log: ServiceLog,
        reload: @escaping (@escaping () -> Void) -> Void
    ) {
        self.store = store
        face = .of(store.schema)
        self.server = server
        self.identity = identity
        self.log = log
        self.reload = reload
        instance = Self.newInstance()
    }

    var schema: Schema { store.schema }

    var path: ObjectPath { face.path }

    /// Puts the object on the bus, as its schema is now, and follows the store from now on.
    ///
    /// - Parameter isManager: whether it lists the objects below it.
    func export(isManager: Bool = false) {
        face = .of(schema)
        store.onCommit = { [weak self] commit, origin in self?.announce(commit, origin) }
        server.export(path, interfaces: interfaces, object: self, isManager: isManager)
    }

    private var interfaces: [Interface] { SettingsInterfaces.interfaces(for: schema, face: face) }

    /// What is wrong now, one sentence each.
    var problems: [String] { store.problems + furtherProblems() }

    /// What is served, for the log.
    var greeting: String { "serving \(store.paths.document), revision \(store.document.revision)" }

    /// Announces that the store has other problems than before.
    func announceProblems() {
        announce { server throws(BusError) in
            try server.propertiesChanged(
                at: face.path, interface: SettingsNames.interface,
                changed: [(SettingsProperty.problems.rawValue, .strings(problems))])
        }
    }

    private static func newInstance() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

// MARK: Calls

extension SettingsObject: ExportedObject {
    func handle(_ call: MethodCall) {
        guard call.interface != face.actionsInterface else { return act(call) }
        do throws(BusError) {
            switch SettingsMethod(rawValue: call.member) {
            case .readAll: call.reply([.uint64(store.document.revision), readyLists.settings(store.values, order: schema.keys)])
            case .read: call.reply([.variant(try read(call.arguments[0].string ?? ""))])
            case .describe: try describe(call)
            case .listActions: call.reply([.named(schema.actions.map { ($0.name, ActionDescription($0).wire) })])
            case .changesSince: changesSince(call)
            case .preview: try preview(call)
            case .reload: reload { call.reply([]) }
            case .write: try change(call, .setValues)
            case .reset: try change(call, .resetValues)
            case .dispatch: try dispatch(call)
            case nil: throw .unknownMethod("\(call.interface) has no method \(call.member)")
            }
        } catch {
            call.fail(error)
        }
    }

    private func read(_ key: String) throws(BusError) -> Value {
        do throws(SettingsError) {
            return readyLists.value(try store.resolve(key).value, of: try schema.setting(key).key)
        } catch {
            throw BusError(error)
        }
    }

    private func describe(_ call: MethodCall) throws(BusError) {
        let names = call.arguments[0].strings ?? []
        do throws(SettingsError) {
            var entries: [(String, Value)] = []
            var seen: Set<String> = []
            for name in names.isEmpty ? schema.keys : names {
                let setting = try schema.setting(name)
                guard seen.insert(setting.key).inserted else { continue }
                let description = SettingDescription(
                    setting, try store.resolve(setting.key), problem: store.problem(of: setting))
                entries.append((setting.key, description.wire))
            }
            call.reply([.uint64(store.document.revision), .named(entries)])
        } catch {
            throw BusError(error)
        }
    }

    private func changesSince(_ call: MethodCall) {
        let (revision, isComplete, changes) = store.changes(since: call.arguments[0].uint64 ?? 0)
        call.reply(ChangesAnswer(revision: revision, isComplete: isComplete, changes: changes).wire)
    }

    private func preview(_ call: MethodCall) throws(BusError) {
        if let refusal = CallLimits.refusal(ofActions: call.arguments[0]) { throw refusal }
        do throws(SettingsError) {
            let values = try store.preview(try schema.actions(wire: call.arguments[0]))
            call.reply([.settings(values, order: schema.keys)])
        } catch {
            throw BusError(error)
        }
    }
}

// MARK: Changes

extension SettingsObject {
    /// Carries out an action whose one argument is the call's first.
    private func change(_ call: MethodCall, _ action: ActionDeclaration) throws(BusError) {
        let options = try CallOptions(call.arguments[1])
        submit(call, options) { schema throws(SettingsError) in
            [try schema.action(action.name, wire: action.arguments.map { ($0.name, call.arguments[0]) })]
        }
    }

    private func dispatch(_ call: MethodCall) throws(BusError) {
        if let refusal = CallLimits.refusal(ofActions: call.arguments[0]) { throw refusal }
        let options = try CallOptions(call.arguments[1])
        submit(call, options) { schema throws(SettingsError) in try schema.actions(wire: call.arguments[0]) }
    }

    /// A method of the actions' interface: required arguments one by one, the optional ones together.
    private func act(_ call: MethodCall) {
        guard let declaration = schema.actions.first(where: { $0.name == call.member }) else {
            return call.fail(.unknownMethod("\(call.interface) has no method \(call.member)"))
        }
        var arguments = Array(zip(declaration.positional.map(\.name), call.arguments))
        if call.arguments.count > arguments.count { arguments += call.arguments.last?.variants ?? [] }
        submit(call, answers: declaration.answers) { [arguments] schema throws(SettingsError) in
            [try schema.action(declaration.name, wire: arguments)]
        }
    }

    func set(_ property: String, interface: InterfaceName, to value: Value, call: MethodCall) {
        guard let key = face.key(ofProperty: property, in: interface) else {
            return call.fail(.unknownProperty("\(interface) has no property \(property) that can be set"))
        }
        submit(call, answersRevision: false) { schema throws(SettingsError) in
            [try schema.action(ActionDeclaration.setValues.name, wire: [("values", .variants([(key, value)]))])]
        }
    }

    /// Hands a change to the store and answers the call when it is durable.
    ///
    /// - Parameters:
    ///   - answersRevision: whether the call answers the revision.
    ///   - answers: the names of what it answers besides.
    ///   - actions: makes the actions; runs once the caller is known.
    private func submit(
        _ call: MethodCall, _ options: CallOptions = CallOptions(), answersRevision: Bool = true, answers: [String] = [],
        actions: @escaping (Schema) throws(SettingsError) -> [Action]
    ) {
        identity.application(of: call.sender) { [self] application in
            var requested: [Action] = []
            do throws(SettingsError) {
                requested = try actions(schema)
            } catch {
                // These messages are about names and types.
                log.writeRefusal(
                    of: [(call.member, [])], in: schema.application, by: application, reason: error.description)
                return call.fail(BusError(error))
            }
            let request = Request(
                actions: requested, expectedRevision: options.expectedRevision, application: application)
            store.submit(request) { [self] result in
                switch result {
                case .success(let commit):
                    let named = answers.map { commit.answers[$0].map(Value.init) ?? .string("") }
                    call.reply((answersRevision ? [.uint64(commit.revision)] : []) + named)
                case .failure(let error):
                    log.writeRefusal(
                        of: requested.map { ($0.name, schema.keys(namedBy: $0)) }, in: schema.application, by: application,
                        reason: error.loggedReason)
                    call.fail(BusError(error))
                }
            }
        }
    }
}

extension Schema {
    /// The settings that an action names, known ones alone: whatever else a caller sends may be private.
    fileprivate func keys(namedBy action: Action) -> [String] {
        let steps = actions.first { $0.name == action.name }?.steps ?? []
        let named = steps.flatMap { step -> [String] in
            switch step {
            case .set(.key(let key), .argument(let argument)): action.arguments[argument] == nil ? [] : [key]
            case .set(let reference, _), .insert(let reference, _, _), .remove(let reference, _), .update(let reference, _, _),
                .toggle(let reference), .toggleField(let reference, _, _), .add(let reference, _):
                [reference.key(in: action)]
            case .answer(_, .member(let section, let argument), _):
                [KeyReference.member(section: section, argument: argument).key(in: action)]
            case .setEach(let argument): action.arguments[argument]?.record?.keys.sorted() ?? []
            case .resetEach(let argument): action.arguments[argument]?.strings ?? []
            default: []
            }
        }
        return named.compactMap { setting(named: $0)?.key }
    }
}

// MARK: Properties

extension SettingsObject {
    func value(of property: String, interface: InterfaceName) throws(BusError) -> Value {
        if let key = face.key(ofProperty: property, in: interface) { return try read(key) }
        guard interface == SettingsNames.interface, let known = SettingsProperty(rawValue: property) else {
            throw .unknownProperty("\(interface) has no property \(property)")
        }
        return switch known {
        case .revision: .uint64(store.document.revision)
        case .version: .string(SettingsVersion.current)
        case .instance: .string(instance)
        case .files: store.paths.wire
        case .problems: .strings(problems)
        }
    }
}

extension StorePaths {
    /// The property `Files`.
    fileprivate var wire: Value {
        let files = [
            ("document", document), ("journal", journal), ("lock", lock), ("admin", admin.joined(separator: ":")),
            ("vendor", vendor.joined(separator: ":")),
        ]
        return .dictionary(
            key: "s", value: "s", files.map { Value.Entry(key: .string($0.0), value: .string($0.1)) })
    }
}

// MARK: Signals

extension SettingsObject {
    /// Announces one durable transaction: Changed, PropertiesChanged of each interface concerned, ActionDispatched.
    private func announce(_ commit: Commit, _ origin: Origin) {
        server.sendAnswers()
        guard let change = commit.transaction?.change else { return announceActions(of: commit) { $0.onlyAnnounces } }
        // What was sent last comes first, since the new values are made of it.
        let previous = readyLists.settings(change.previous, order: schema.keys)
        let values = readyLists.settings(change.values, order: schema.keys)
        announce { server throws(BusError) in
            let arguments = change.wire(values: values, previous: previous)
            try server.emit(SettingsSignal.changed.member, of: SettingsNames.interface, at: face.path, arguments)
            for (interface, changed) in face.properties(values.variants ?? []) {
                try server.propertiesChanged(at: face.path, interface: interface, changed: changed)
            }
        }
        if origin == .bus { announceActions(of: commit) { _ in true } }
    }

    private func announceActions(of commit: Commit, where isAnnounced: (ActionDeclaration) -> Bool) {
        for action in commit.actions {
            guard let declaration = schema.actions.first(where: { $0.name == action.name }), isAnnounced(declaration) else {
                continue
            }
            announce { server throws(BusError) in
                try server.emit(
                    SettingsSignal.actionDispatched.member, of: SettingsNames.interface, at: face.path,
                    [.string(action.name), .settings(action.arguments), .uint64(commit.revision)])
            }
        }
    }

    private func announce(_ send: (ObjectServer) throws(BusError) -> Void) {
        do throws(BusError) {
            try send(server)
        } catch {
            log.write(.warning, "could not announce a change: \(error), ignoring")
        }
    }
}
