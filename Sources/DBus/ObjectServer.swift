/// What a service puts at a path. Loop-confined.
public protocol ExportedObject: AnyObject {
    /// Carries out a call of a declared method and answers it, now or later.
    func handle(_ call: MethodCall)

    /// The value of a declared property, of its declared type.
    func value(of property: String, interface: InterfaceName) throws(BusError) -> Value

    /// Sets a declared, writable property and answers the call with nothing or an error, now or later.
    ///
    /// - Parameter value: what the caller's variant holds, of whatever type.
    func set(_ property: String, interface: InterfaceName, to value: Value, call: MethodCall)
}

/// The objects of a connection: routes calls to them by their declared tables and answers Peer, Introspectable and
/// Properties itself.
///
/// Loop-confined. It takes the connection's `onMethodCall`, and answers as long as its owner keeps it.
public final class ObjectServer {
    /// Looks at every method call before it is carried out; an error that it returns is the answer.
    public var refuse: ((Message) -> BusError?)?
    /// Called with the unique name of a caller of whom too many calls wait, so that the newest are refused.
    public var onOverload: ((String) -> Void)?

    /// Is called when a path is called where no object is: it may export one for the call to reach.
    public var lookAgain: ((ObjectPath) -> Void)?

    /// Says why there is no object at a path where one might be, for the answer to a call of it; nil: nobody knows.
    public var reasonForAbsence: ((ObjectPath) -> String?)?

    let connection: Connection
    private(set) var nodes: [String: ExportedNode] = [:]
    /// Objects that nobody has asked for yet, each with what makes it.
    private(set) var unmade: [String: () -> Void] = [:]
    /// The introspection data of the paths where there is any.
    private var introspected: [String: String] = [:]
    let queue: CallQueue

    public init(connection: Connection) {
        self.connection = connection
        queue = CallQueue(connection: connection)
        queue.begin = { [weak self] in self?.route($0) }
        queue.onOverload = { [weak self] in self?.onOverload?($0) }
        connection.onTransfer = { [weak queue] in queue?.resume() }
        connection.onMethodCall = { [weak queue, weak connection] message in
            if let queue {
                queue.add(message)
            } else {
                connection?.answerWithoutObjects(message)
            }
        }
    }

    /// Comes to an end: refuses the calls that come from now on, and after a while those that still wait.
    ///
    /// - Parameters:
    ///   - error: what they are answered with.
    ///   - patience: for those that wait.
    ///   - completion: is called once no call waits or is under way, at the latest when patience has run out.
    public func close(with error: BusError, patience: Duration, completion: @escaping () -> Void) {
        queue.close(with: error, patience: patience, completion: completion)
    }

    /// Puts an object at a path, in place of one that is there.
    ///
    /// - Parameter isManager: whether the object lists those below it (ObjectManager); see `announceAdded`.
    public func export(
        _ path: ObjectPath, interfaces: [Interface], object: any ExportedObject, isManager: Bool = false
    ) {
        unmade[path.rawValue] = nil
        nodes[path.rawValue] = ExportedNode(object: object, interfaces: interfaces, isManager: isManager)
        introspected = [:]
    }

    /// Has an object at a path that is made when somebody first calls it or lists the objects.
    ///
    /// - Parameter make: exports the object, or does not where it cannot be made; called once at most.
    public func export(_ path: ObjectPath, whenAsked make: @escaping () -> Void) {
        nodes[path.rawValue] = nil
        unmade[path.rawValue] = make
        introspected = [:]
    }

    /// Takes the object at a path away, if there is one.
    public func withdraw(_ path: ObjectPath) {
        unmade[path.rawValue] = nil
        nodes[path.rawValue] = nil
        introspected = [:]
    }

    func make(_ path: String) {
        guard let make = unmade.removeValue(forKey: path) else { return }
        introspected = [:]
        make()
    }

    // MARK: Signals

    /// Lets the answers of this turn go before the signals about the same are made, which takes a while.
    public func sendAnswers() { connection.writeAnswers() }

    /// Sends a signal to whoever listens.
    ///
    /// - Throws: what `Message.append` does, and `Disconnected`.
    public func emit(
        _ signal: MemberName, of interface: InterfaceName, at path: ObjectPath, _ values: [Value]
    ) throws(BusError) {
        try connection.send(try .signal(path: path, interface: interface, member: signal, values))
    }

    /// Sends PropertiesChanged, unless there is nothing to tell.
    ///
    /// - Parameters:
    ///   - changed: properties with their new values.
    ///   - invalidated: names of properties that changed, whose values are to be asked for.
    /// - Throws: as `emit` does.
    public func propertiesChanged(
        at path: ObjectPath, interface: InterfaceName, changed: [(String, Value)], invalidated: [String] = []
    ) throws(BusError) {
        guard !changed.isEmpty || !invalidated.isEmpty else { return }
        try emit(
            "PropertiesChanged", of: Properties.interface.name, at: path,
            [.string(interface.rawValue), .variants(changed), .strings(invalidated)])
    }

    // MARK: Calls

    private func route(_ message: Message) {
        if let error = refuse?(message) { return connection.answer(message, with: error) }
        let path = message.path ?? ""
        make(path)
        if nodes[path] == nil, let lookAgain, let absent = ObjectPath(path) { lookAgain(absent) }
        let node = nodes[path]
        do throws(BusError) {
            let children = node == nil ? self.children(of: path) : []
            let tables = node?.tables ?? (children.isEmpty ? MemberTable.elsewhere : MemberTable.parent)
            let (responder, call) = try connection.resolve(message, in: tables, isObject: node != nil)
            switch responder {
            case .object: node?.object.handle(call)
            case .properties: if let node { Properties.answer(call, on: node) }
            case .introspection: call.reply([.string(introspect(path, node))])
            case .peer: Peer.answer(call)
            case .manager: if let path = ObjectPath(path) { answerManagedObjects(call, below: path) }
            }
        } catch {
            connection.answer(message, with: explained(error, path))
        }
    }

    private func explained(_ error: BusError, _ path: String) -> BusError {
        guard error.name == .unknownObject, let path = ObjectPath(path), let reason = reasonForAbsence?(path) else {
            return error
        }
        return .unknownObject("\(error.message): \(reason)")
    }

    private func children(of path: String) -> [String] {
        guard let path = ObjectPath(path) else { return [] }
        return ObjectPath.children(of: path, among: (Array(nodes.keys) + unmade.keys).lazy.map { ObjectPath(valid: $0) })
    }

    private func introspect(_ path: String, _ node: ExportedNode?) -> String {
        if let known = introspected[path] { return known }
        let own = node?.introspected ?? MemberTable.parent.map(\.interface)
        let text = Introspection.document(
            interfaces: own, children: children(of: path), includeStandard: node != nil)
        introspected[path] = text
        return text
    }
}
