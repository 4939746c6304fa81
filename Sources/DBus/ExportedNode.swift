/// What answers the calls of an interface.
enum Responder {
    case object
    case properties
    case introspection
    case peer
    case manager
}

/// An interface with its members by name, ready for looking them up.
struct MemberTable {
    let interface: Interface
    let responder: Responder
    let methods: [String: Interface.Method]
    let properties: [String: Interface.Property]

    init(_ interface: Interface, responder: Responder) {
        self.interface = interface
        self.responder = responder
        methods = Dictionary(interface.methods.map { ($0.name.rawValue, $0) }) { first, _ in first }
        properties = Dictionary(interface.properties.map { ($0.name.rawValue, $0) }) { first, _ in first }
    }

    /// What every path answers, and what an object's parents do.
    static let elsewhere = [MemberTable(Peer.interface, responder: .peer)]
    static let parent = [MemberTable(Introspection.interface, responder: .introspection)] + elsewhere
    static let standard = [MemberTable(Properties.interface, responder: .properties)] + parent
    /// What an object answers besides that lists the objects below it.
    static let manager = MemberTable(ObjectManager.interface, responder: .manager)
}

/// An object at its path.
struct ExportedNode {
    let object: any ExportedObject
    let interfaces: [Interface]
    /// Whether it lists the objects below it.
    let isManager: Bool
    /// The object's own interfaces, then the standard ones.
    let tables: [MemberTable]

    init(object: any ExportedObject, interfaces: [Interface], isManager: Bool) {
        self.object = object
        self.interfaces = interfaces
        self.isManager = isManager
        let own = interfaces.map { MemberTable($0, responder: .object) }
        tables = own + (isManager ? [MemberTable.manager] : []) + MemberTable.standard
    }

    /// What Introspect lists beside Properties, Introspectable and Peer.
    var introspected: [Interface] { interfaces + (isManager ? [ObjectManager.interface] : []) }

    /// The one interface of that name; all of them for the empty name, as the Properties methods have it.
    func tables(named name: String) throws(BusError) -> [MemberTable] {
        guard !name.isEmpty else { return tables }
        let named = tables.filter { $0.interface.name.rawValue == name }
        guard !named.isEmpty else { throw .unknownInterface("the object has no interface \"\(name)\"") }
        return named
    }
}
