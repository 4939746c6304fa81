import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// The contract's example of an application, with an action for every kind of edit.
enum WorldClock {
    static let id = "org.example.WorldClock"
    static let settings = SettingsNames.settingsInterface(ofApplication: id)
    static let actions = SettingsNames.actionsInterface(ofApplication: id)
    static let path = SettingsNames.path(ofApplication: id)
    static let document = "home/.config/settingsd/apps/\(id).json"
    static let journal = "home/.local/state/settingsd/apps/\(id).jsonl"

    /// - Parameters:
    ///   - properties: further settings, each with a comma behind it.
    ///   - latest: the last hour that a meeting can begin at.
    static func schema(_ properties: String = "", latest: Int = 23) -> String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "World Clock", "type": "object",
          "properties": {
            \(properties)
            "zones": { "type": "array", "items": { "type": "string", "format": "time-zone" }, "uniqueItems": true,
              "default": [], "description": "Selected time zones" },
            "meeting": { "type": "object", "properties": {
              "start": { "type": "integer", "minimum": 0, "maximum": \(latest), "default": 8, "description": "First hour" } } },
            "scale": { "type": "number", "minimum": 0.5, "default": 1, "description": "Size of the faces" },
            "seconds": { "type": "boolean", "default": false, "description": "Whether seconds are shown" },
            "alarms": { "type": "array", "default": [], "description": "Alarms", "items": { "type": "object",
              "properties": { "id": { "type": "string", "format": "uuid" }, "name": { "type": "string" },
                "on": { "type": "boolean" }, "made": { "type": "integer" } } } }
          },
          "actions": {
            "AddZone": { "summary": "Selects a time zone", "arguments": { "zone": { "type": "string", "format": "time-zone" } },
              "edits": [ { "insert": "zones", "value": { "argument": "zone" } } ] },
            "AddZoneAt": { "arguments": { "zone": { "type": "string", "format": "time-zone" }, "at": { "type": "integer" } },
              "edits": [ { "insert": "zones", "value": { "argument": "zone" }, "at": { "argument": "at" } } ] },
            "DropZone": { "arguments": { "zone": { "type": "string" } },
              "edits": [ { "remove": "zones", "value": { "argument": "zone" } } ] },
            "SetMeeting": { "arguments": { "hour": { "type": "integer", "optional": true } },
              "edits": [ { "set": "meeting.start", "to": { "argument": "hour" } } ] },
            "Forget": { "edits": [ { "reset": "zones" }, { "reset": "meeting.start" } ] },
            "AddAlarm": { "arguments": { "name": { "type": "string" } },
              "edits": [ { "insert": "alarms", "at": 0, "value":
                { "id": { "uuid": true }, "name": { "argument": "name" }, "made": { "now": true } } } ] },
            "RenameAlarm": { "arguments": { "name": { "type": "string" }, "to": { "type": "string" } },
              "edits": [ { "update": "alarms", "where": { "name": { "argument": "name" } }, "with": { "name": { "argument": "to" } } } ] },
            "ToggleAlarm": { "arguments": { "name": { "type": "string" } },
              "edits": [ { "toggle": "alarms", "where": { "name": { "argument": "name" } }, "field": "on" } ] },
            "RemoveAlarm": { "arguments": { "name": { "type": "string" } },
              "edits": [ { "remove": "alarms", "where": { "name": { "argument": "name" } } } ] },
            "ToggleSeconds": { "edits": [ { "toggle": "seconds" } ] },
            "Grow": { "arguments": { "by": { "type": "number" } }, "edits": [ { "add": "scale", "value": { "argument": "by" } } ] },
            "Ring": { "summary": "Asks whoever shows the clock to ring" }
          }
        }
        """
    }
}

extension TestSession {
    /// The folder of the user's own schemas, and that of the machine's.
    static let userSchemas = "home/.local/share/settingsd/schemas"
    static let sharedSchemas = "share/settingsd/schemas"

    /// Installs a schema file as package managers do, in one step.
    @discardableResult
    func install(
        _ schema: String = WorldClock.schema(), as application: String = WorldClock.id, in schemas: String = userSchemas
    ) throws -> String {
        try folder.write(schema, to: "\(schemas)/\(application).json")
    }
}

extension InterfaceName {
    static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
}

extension Caller {
    /// The paths of the objects that the daemon lists.
    func managed() throws -> [String] {
        let answer = try ask("GetManagedObjects", [], .objectManager, path: SettingsNames.path)
        guard case .dictionary(_, _, let entries)? = answer.first else { return [] }
        return entries.compactMap { if case .objectPath(let path) = $0.key { path.rawValue } else { nil } }
    }

    /// Waits until the daemon has told that interfaces of an object have come or gone, and returns the signal.
    @discardableResult
    func waitForObject(_ member: String, _ path: ObjectPath = WorldClock.path) throws -> [Value] {
        func found() -> [Value]? { events.first { $0.name == member && $0.arguments.first == .objectPath(path) }?.arguments }
        try wait("\(member) of \(path)") { found() != nil }
        return found() ?? []
    }

    /// Waits until the problems of an object are as they should be.
    func waitForProblems(of path: ObjectPath = SettingsNames.path, _ condition: ([String]) -> Bool) throws {
        var last: [String] = []
        let interface = Value.string(SettingsNames.interface.rawValue)
        try within(.seconds(20), "the problems of \(path), which are \(last)") {
            last = try ask("Get", [interface, .string("Problems")], .properties, path: path).first?.unwrapped.strings ?? []
            return condition(last)
        }
    }

    /// What the object answers to Introspect.
    func introspection(_ path: ObjectPath? = nil) throws -> String {
        try #require(try ask("Introspect", [], .introspectable, path: path).first?.string)
    }

    /// The values that ReadAll answers.
    func values() throws -> [String: SettingValue] { try #require(try ask("ReadAll").last?.settings) }

    /// Waits until the object's revision is at least this one.
    func waitForRevision(_ revision: UInt64) throws {
        try within(.seconds(20), "revision \(revision) of \(path)") { try self.revision() ?? 0 >= revision }
    }
}
