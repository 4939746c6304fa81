internal import Spelling

/// The standard interface for properties (D-Bus specification, "org.freedesktop.DBus.Properties").
enum Properties {
    static let interface = Interface(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Interface.Method(
                "Get", inputs: [Interface.Argument("interface_name", "s"), Interface.Argument("property_name", "s")],
                outputs: [Interface.Argument("value", "v")]),
            Interface.Method(
                "GetAll", inputs: [Interface.Argument("interface_name", "s")],
                outputs: [Interface.Argument("properties", "a{sv}")]),
            Interface.Method(
                "Set",
                inputs: [
                    Interface.Argument("interface_name", "s"), Interface.Argument("property_name", "s"),
                    Interface.Argument("value", "v"),
                ]),
        ],
        signals: [
            Interface.Signal(
                "PropertiesChanged",
                arguments: [
                    Interface.Argument("interface_name", "s"), Interface.Argument("changed_properties", "a{sv}"),
                    Interface.Argument("invalidated_properties", "as"),
                ])
        ])

    /// Carries out a call of one of the interface's methods, whose arguments are of the declared types.
    static func answer(_ call: MethodCall, on node: ExportedNode) {
        let interfaceName = call.arguments[0].string ?? ""
        do throws(BusError) {
            let tables = try node.tables(named: interfaceName)
            if call.member == "GetAll" {
                var values: [(String, Value)] = []
                for table in tables { values += try node.values(of: table.interface) }
                call.reply([.variants(values)])
                return
            }
            let (property, interface) = try find(call.arguments[1].string ?? "", in: tables)
            if call.member == "Get" {
                let value = try node.object.value(of: property.name.rawValue, interface: interface)
                call.reply([.variant(value)])
            } else {
                guard property.access == .readWrite else {
                    throw .propertyReadOnly("\(interface).\(property.name) cannot be set")
                }
                let value = call.arguments[2].unwrapped
                node.object.set(property.name.rawValue, interface: interface, to: value, call: call)
            }
        } catch {
            call.fail(error)
        }
    }

    private static func find(
        _ name: String, in tables: [MemberTable]
    ) throws(BusError) -> (Interface.Property, InterfaceName) {
        for table in tables {
            if let property = table.properties[name] { return (property, table.interface.name) }
        }
        let names = tables.flatMap { $0.interface.properties.map(\.name.rawValue) }
        let hint = Suggestion.hint(for: name, among: names)
        throw .unknownProperty("there is no property \"\(name)\"" + hint)
    }
}

extension ExportedNode {
    /// The properties of one of the object's interfaces.
    func values(of interface: Interface) throws(BusError) -> [(String, Value)] {
        var values: [(String, Value)] = []
        for property in interface.properties {
            let name = property.name.rawValue
            values.append((name, try object.value(of: name, interface: interface.name)))
        }
        return values
    }
}
