import DBus
import SettingsBus

/// An application's settings: a text, and a list of records with their own actions.
private enum Application {
    static let id = "org.example.Bench"

    static let schema = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
          "properties": {
            "name": { "type": "string", "default": "" },
            "notes": { "type": "array", "default": [], "items": { "type": "object", "properties": {
              "id": { "type": "string", "format": "uuid" }, "title": { "type": "string" },
              "favourite": { "type": "boolean" }, "time": { "type": "string", "format": "date-time" } } } }
          },
          "actions": {
            "SetName": { "arguments": { "name": { "type": "string" } }, "edits": [ { "set": "name", "to": { "argument": "name" } } ] },
            "AddNote": { "arguments": { "title": { "type": "string" } }, "edits": [ { "insert": "notes", "value":
              { "id": { "uuid": true }, "title": { "argument": "title" }, "favourite": false, "time": { "now": true } } } ] },
            "RemoveNote": { "arguments": { "title": { "type": "string" } },
              "edits": [ { "remove": "notes", "where": { "title": { "argument": "title" } } } ] }
          }
        }
        """

    /// A document with so many records.
    static func document(records: Int) -> String {
        let notes = (0..<records).map { index in
            let number = String(index)
            let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
            return """
                { "id": "\(id)", "title": "Note \(number) of many", "favourite": false, "time": "2026-01-01T12:00:00Z" }
                """
        }
        return "{ \"format\": 1, \"revision\": 1, \"notes\": [\n\(notes.joined(separator: ",\n"))\n] }\n"
    }
}

extension Service {
    private static let schemas = "home/.local/share/settingsd/schemas"

    /// - Parameters:
    ///   - records: how many the application's list has.
    ///   - others: how many applications have a schema beside this one.
    fileprivate static func withApplication(records: Int = 0, others: Int = 0) throws -> Service {
        let service = try Service(.settingsd)
        try service.end()
        let folder = service.session.folder
        try folder.write(Application.schema, to: "\(schemas)/\(Application.id).json")
        for index in 0..<others { try folder.write(Application.schema, to: "\(schemas)/org.example.Bench\(index).json") }
        if records > 0 {
            try folder.write(Application.document(records: records), to: "home/.config/settingsd/apps/\(Application.id).json")
        }
        try service.set()
        return service
    }

    /// Carries one action out, on the application's object or the built-in one.
    fileprivate func dispatch(_ action: String, _ argument: String, _ text: String, isBuiltIn: Bool = false) throws {
        let id = Application.id
        let message = Message.methodCall(
            to: name, path: isBuiltIn ? SettingsNames.path : SettingsNames.path(ofApplication: id),
            interface: SettingsNames.interface, member: "Dispatch")
        let actions: Value = .array(element: "(sa{sv})", [.structure([.string(action), .variants([(argument, .string(text))])])])
        try message.append([actions, .variants([])])
        _ = try connection.callAndWait(message)
    }
}

/// The settings of applications beside the built-in ones, and how they grow.
func measureApplications(_ scale: Scale) throws -> [Row] {
    let service = try Service.withApplication()
    let floor = try Service(.disk)
    let (many, none) = (try Service.withApplication(others: scale.schemas - 1), try Service(.settingsd))
    let large = try Service.withApplication(records: scale.records)
    var count = 0
    func dispatch(_ action: String, isBuiltIn: Bool) -> () throws -> Double {
        {
            try microseconds {
                for _ in 0..<scale.operations {
                    count += 1
                    try service.dispatch(action, "name", "v\(count)", isBuiltIn: isBuiltIn)
                }
            } / Double(scale.operations)
        }
    }
    let dispatches = try scale.interleave([
        dispatch("SetName", isBuiltIn: false), dispatch("UpdateProfile", isBuiltIn: true),
    ])
    func replace(in service: Service) throws {
        try service.dispatch("RemoveNote", "title", "new")
        try service.dispatch("AddNote", "title", "new")
    }
    for service in [service, large] { try service.dispatch("AddNote", "title", "new") }
    /// Inserts what was removed just before, once the bus has read what is announced of that.
    func insert(into service: Service) -> () throws -> Double {
        {
            try service.dispatch("RemoveNote", "title", "new")
            try service.get()
            return try microseconds { try service.dispatch("AddNote", "title", "new") }
        }
    }
    let inserts = try scale.interleave([
        insert(into: large), insert(into: service), { try microseconds { try floor.set() } },
    ])
    let changes = 10
    let inARow = try scale.interleave(
        [large, service].map { service in
            { try microseconds { for _ in 0..<changes / 2 { try replace(in: service) } } / Double(changes) }
        })
    let starts = try scale.interleave(
        [many, none].map { service in
            {
                try service.end()
                return try microseconds { try service.get() }
            }
        })
    let (memory, base) = (try large.memory(), try service.memory())
    return [
        Row("dispatch to an application", dispatches[0], unit: "µs", base: ("to the built-in", dispatches[1])),
        Row("insert into a list", inserts[1], unit: "µs", base: ("floor with flush", inserts[2])),
        Row("insert into a list of \(scale.records)", inserts[0], unit: "µs", base: ("of none", inserts[1])),
        Row("change of a list of \(scale.records), in a row", inARow[0], unit: "µs", base: ("of none", inARow[1])),
        Row("start with \(scale.schemas) schemas", starts[0], unit: "µs", base: ("none", starts[1])),
        Row("memory, list of \(scale.records)", memory, unit: "KiB", base: ("of none", base)),
    ]
}
