import JSON
import SettingsBus
import SettingsJSON
import SettingsModel
import SettingsSchemas

/// A schema file: it has faults, each with its place, or is a schema whose every part is good.
enum SchemaCheck {
    static func check(_ bytes: [UInt8]) throws {
        let schema: Schema
        do throws(SchemaFaults) {
            schema = try SchemaFile.parse(bytes, application: "org.example.Test")
        } catch {
            try promise(!error.faults.isEmpty, "Refused without a fault")
            for fault in error.faults { try promise(fault.position != nil, "A fault without a place: \(fault)") }
            return
        }
        let names = Set(schema.settings.map(\.propertyName))
        try promise(names.count == schema.settings.count, "Two settings have one name on the bus")
        for setting in schema.settings { try check(setting) }
        try checkActions(of: schema)
    }

    private static func check(_ setting: Setting) throws {
        let value = setting.defaultValue
        try promise(setting.rule.fault(in: value) == nil, "\(setting.key) refuses its default")
        try promise(value.type == setting.type, "\(setting.key)'s default is \(value.type)")
        let written = JSONWriter.line(value.json)
        guard let json = try? JSONParser.parse(written).root else {
            throw BrokenPromise(description: "\(setting.key) is no JSON")
        }
        try promise(SettingValue(json, maybe: setting.rule) == value, "\(setting.key)'s default is another one when read again")
        _ = SettingDescription(setting, Layers().resolve(setting, user: nil)).wire
    }

    /// Carries each action out with values that fit its arguments, as far as they are known.
    private static func checkActions(of schema: Schema) throws {
        let reducer = Reducer(schema: schema, layers: Layers())
        let facts = Facts(time: 1, seed: (1, 2))
        for declaration in schema.actions {
            var action = Action(declaration.name)
            for argument in declaration.arguments { action.arguments[argument.name] = sample(of: argument.type) }
            guard let outcome = try? reducer.reduce(Document(), history: History(), [action], facts: facts) else { continue }
            for edit in outcome.edits {
                guard let after = edit.after, let rule = schema.setting(named: edit.key)?.rule else { continue }
                try promise(rule.fault(in: after) == nil, "\(action.name) gives \(edit.key) a value that it refuses")
            }
        }
    }

    private static func sample(of type: ValueType) -> SettingValue {
        switch type {
        case .string, .variant: "x"
        case .boolean: .boolean(true)
        case .integer: .integer(.max)
        case .number: .number(.greatestFiniteMagnitude)
        case .list(let element): .list(element: element, [])
        case .record: .record([:])
        }
    }
}
