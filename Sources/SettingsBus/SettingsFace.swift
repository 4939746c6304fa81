public import DBus
public import SettingsModel

/// Where a schema appears on the bus: its object, the interface of its actions, and a property for each setting.
public struct SettingsFace: Sendable {
    /// The property of one setting.
    public struct Property: Hashable, Sendable {
        public let key: String
        public let interface: InterfaceName
        public let name: MemberName
    }

    public let path: ObjectPath
    public let actionsInterface: InterfaceName
    /// The interfaces that hold the properties, in schema order.
    public let propertyInterfaces: [InterfaceName]
    /// In schema order.
    public let properties: [Property]
    private let byKey: [String: Property]
    private let byName: [InterfaceName: [String: Property]]

    /// - Parameters:
    ///   - propertyInterfaces: those that are there whatever settings the schema has.
    ///   - name: the interface and name of a setting's property; no two settings may share them.
    public init(
        path: ObjectPath, actionsInterface: InterfaceName, propertyInterfaces: [InterfaceName] = [], schema: Schema,
        name: (Setting) -> (interface: InterfaceName, property: MemberName)
    ) {
        self.path = path
        self.actionsInterface = actionsInterface
        properties = schema.settings.map { setting in
            let (interface, property) = name(setting)
            return Property(key: setting.key, interface: interface, name: property)
        }
        self.propertyInterfaces = properties.reduce(into: propertyInterfaces) { found, property in
            if !found.contains(property.interface) { found.append(property.interface) }
        }
        byKey = Dictionary(uniqueKeysWithValues: properties.map { ($0.key, $0) })
        byName = Dictionary(grouping: properties, by: \.interface).mapValues { properties in
            Dictionary(uniqueKeysWithValues: properties.map { ($0.name.rawValue, $0) })
        }
    }

    /// The face of a schema: the daemon's own, or that of an application.
    public static func of(_ schema: Schema) -> SettingsFace {
        schema.application.isEmpty ? .builtIn(schema) : .application(schema)
    }

    /// The face of the daemon's own settings: an interface for each section.
    public static func builtIn(_ schema: Schema) -> SettingsFace {
        SettingsFace(path: SettingsNames.path, actionsInterface: SettingsNames.actionsInterface, schema: schema) {
            (SettingsNames.interface(forSection: $0.section), SettingsNames.propertyName(forKey: $0.key))
        }
    }

    /// The face of an application's settings: one interface for all of them.
    ///
    /// - Parameter schema: one with an application's id.
    public static func application(_ schema: Schema) -> SettingsFace {
        let interface = SettingsNames.settingsInterface(ofApplication: schema.application)
        return SettingsFace(
            path: SettingsNames.path(ofApplication: schema.application),
            actionsInterface: SettingsNames.actionsInterface(ofApplication: schema.application),
            propertyInterfaces: [interface], schema: schema
        ) { (interface, MemberName(stringLiteral: $0.propertyName)) }
    }

    /// The object's own interfaces, in the order in which the XML file shows them.
    public var interfaces: [InterfaceName] { [SettingsNames.interface, actionsInterface] + propertyInterfaces }

    /// Values of settings by key, as properties of each interface.
    public func properties(_ values: [(String, Value)]) -> [(interface: InterfaceName, values: [(String, Value)])] {
        var found: [(interface: InterfaceName, values: [(String, Value)])] = []
        for (key, value) in values {
            guard let property = byKey[key] else { continue }
            if let place = found.firstIndex(where: { $0.interface == property.interface }) {
                found[place].values.append((property.name.rawValue, value))
            } else {
                found.append((property.interface, [(property.name.rawValue, value)]))
            }
        }
        return found
    }

    /// The property of a setting; nil for a key that the schema does not have.
    public func property(ofKey key: String) -> Property? { byKey[key] }

    /// The key whose value a property is, or nil.
    public func key(ofProperty name: String, in interface: InterfaceName) -> String? { byName[interface]?[name]?.key }
}
