internal import EventLoop

/// The standard interface that lists the objects below a path (D-Bus specification, "org.freedesktop.DBus.ObjectManager").
enum ObjectManager {
    static let interface = Interface(
        name: "org.freedesktop.DBus.ObjectManager",
        methods: [
            Interface.Method(
                "GetManagedObjects",
                outputs: [Interface.Argument("objpath_interfaces_and_properties", "a{oa{sa{sv}}}")])
        ],
        signals: [
            Interface.Signal(
                interfacesAdded,
                arguments: [
                    Interface.Argument("object_path", "o"), Interface.Argument("interfaces_and_properties", "a{sa{sv}}"),
                ]),
            Interface.Signal(
                interfacesRemoved,
                arguments: [Interface.Argument("object_path", "o"), Interface.Argument("interfaces", "as")]),
        ])

    static let interfacesAdded: MemberName = "InterfacesAdded"
    static let interfacesRemoved: MemberName = "InterfacesRemoved"
}

extension ExportedNode {
    /// The object's own interfaces with their properties' values (`a{sa{sv}}`).
    var interfacesAndProperties: Value {
        get throws(BusError) {
            var entries: [Value.Entry] = []
            for interface in interfaces {
                entries.append(Value.Entry(key: .string(interface.name.rawValue), value: .variants(try values(of: interface))))
            }
            return .dictionary(key: "s", value: "a{sv}", entries)
        }
    }
}

extension ObjectServer {
    /// Tells whoever follows the manager of the objects around an object that it has come, or has got other interfaces.
    ///
    /// - Throws: as `emit` does, or what the object cannot tell of its properties.
    public func announceAdded(_ path: ObjectPath) throws(BusError) {
        guard let node = nodes[path.rawValue], let manager = manager(of: path) else { return }
        try emit(
            ObjectManager.interfacesAdded, of: ObjectManager.interface.name, at: manager,
            [.objectPath(path), try node.interfacesAndProperties])
    }

    /// Tells whoever follows the manager of the objects around an object that it has lost interfaces, as when it is gone.
    ///
    /// - Throws: as `emit` does.
    public func announceRemoved(_ interfaces: [InterfaceName], of path: ObjectPath) throws(BusError) {
        guard let manager = manager(of: path) else { return }
        try emit(
            ObjectManager.interfacesRemoved, of: ObjectManager.interface.name, at: manager,
            [.objectPath(path), .strings(interfaces.map(\.rawValue))])
    }

    private func manager(of path: ObjectPath) -> ObjectPath? {
        var above = path.parent
        while let manager = above {
            if nodes[manager.rawValue]?.isManager ?? false { return manager }
            above = manager.parent
        }
        return nil
    }

    /// Answers with all objects below a path. Those that have yet to be made are made one a turn of the loop, so that many
    /// of them do not hold up what else there is to do.
    func answerManagedObjects(_ call: MethodCall, below path: ObjectPath) {
        if let next = unmade.keys.filter({ path.isAbove($0) }).min() {
            make(next)
            return connection.loop.afterTurn { [weak self] in self?.answerManagedObjects(call, below: path) }
        }
        do throws(BusError) {
            var entries: [Value.Entry] = []
            for (other, node) in nodes.sorted(by: { $0.key < $1.key }) where path.isAbove(other) {
                entries.append(
                    Value.Entry(key: .objectPath(ObjectPath(valid: other)), value: try node.interfacesAndProperties))
            }
            call.reply([.dictionary(key: "o", value: "a{sa{sv}}", entries)])
        } catch {
            call.fail(error)
        }
    }
}
