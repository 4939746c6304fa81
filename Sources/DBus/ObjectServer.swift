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
    /// Looks at every method call before anything else does; an error that it returns is the answer.
    public var refuse: ((Message) -> BusError?)?

    private let connection: Connection
    private var nodes: [String: ExportedNode] = [:]

    public init(connection: Connection) {
        self.connection = connection
        connection.onMethodCall = { [weak self, weak connection] message in
            if let self {
                self.route(message)
            } else {
                connection?.answerWithoutObjects(message)
            }
        }
    }

    /// Puts an object at a path, in place of one that is there.
    public func export(_ path: ObjectPath, interfaces: [Interface], object: any ExportedObject) {
        nodes[path.rawValue] = ExportedNode(object: object, interfaces: interfaces)
    }

    /// Takes the object at a path away, if there is one.
    public func withdraw(_ path: ObjectPath) {
        nodes[path.rawValue] = nil
    }

    // MARK: Signals

    /// Sends a signal to whoever listens.
    ///
    /// - Throws: what `Message.append` and `Connection.send` do.
    public func emit(
        _ signal: MemberName, of interface: InterfaceName, at path: ObjectPath, _ values: [Value]
    ) throws(BusError) {
        let message = Message.signal(path: path, interface: interface, member: signal)
        try message.append(values)
        try connection.send(message)
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
            }
        } catch {
            connection.answer(message, with: error)
        }
    }

    private func children(of path: String) -> [String] {
        guard let path = ObjectPath(path) else { return [] }
        return ObjectPath.children(of: path, among: nodes.keys.lazy.map { ObjectPath(valid: $0) })
    }

    private func introspect(_ path: String, _ node: ExportedNode?) -> String {
        let own = node?.interfaces ?? MemberTable.parent.map(\.interface)
        return Introspection.document(
            interfaces: own, children: children(of: path), includeStandard: node != nil)
    }
}
