internal import DBus
internal import JSON
internal import SettingsBus
internal import SettingsClient
internal import SettingsJSON
internal import SettingsModel
internal import SettingsStore
internal import Spelling

/// User values as a text in the document's shape, without a revision: what export writes, import reads and edit shows.
struct SettingsText {
    /// One value that the text gives.
    struct Entry {
        let key: String
        let value: SettingValue
    }

    /// One thing that is wrong.
    struct Fault {
        let key: String
        /// Its message begins with the place.
        let error: SettingsError
        /// Whether it is a name that looks like a setting's.
        var isMisspelling = false
        fileprivate let position: JSONPosition
    }

    /// In the order of the text.
    private(set) var entries: [Entry] = []
    private(set) var faults: [Fault] = []

    private let name: String
    private let document: JSONDocument
    private let schema: Schema
    private let rules: [[String]: ValueRule]
    private let sections: Set<[String]>

    // MARK: Writing

    /// The text of values, in the order in which they come.
    static func render(_ values: [Entry]) -> [UInt8] {
        var root: JSONObject = ["format": JSONValue(DocumentFormat.newest)]
        for entry in values { root.setValue(JSONValue(entry.value), at: Setting.path(of: entry.key)[...]) }
        return JSONWriter.pretty(.object(root))
    }

    // MARK: Reading

    /// Takes a text apart.
    ///
    /// - Parameters:
    ///   - name: what the text is called in messages.
    ///   - known: the settings that there are.
    ///   - schema: what is known of their rules beforehand.
    /// - Throws: `InvalidArgument` with the position for what is not JSON or has a newer format. What is wrong with single
    ///   members is in `faults`.
    init(_ bytes: [UInt8], name: String, known: SettingsDescription, schema: Schema) throws(Failure) {
        try self.init(
            bytes, name: name, schema: schema,
            rules: known.settings.map { (Setting.path(of: $0.key), schema.rule(for: $0.key, of: $0.description.value.type)) })
    }

    /// Takes a text apart by the schema alone.
    init(_ bytes: [UInt8], name: String, schema: Schema) throws(Failure) {
        try self.init(bytes, name: name, schema: schema, rules: schema.settings.map { ($0.path, $0.rule) })
    }

    private init(_ bytes: [UInt8], name: String, schema: Schema, rules: [([String], ValueRule)]) throws(Failure) {
        self.name = name
        self.schema = schema
        do throws(JSONError) {
            document = try JSONParser.parse(bytes, depthLimit: DocumentLimits.depth)
        } catch {
            throw Self.refusal("\(name), \(error)")
        }
        self.rules = Dictionary(rules) { first, _ in first }
        sections = Set(self.rules.keys.flatMap { path in (1..<max(path.count, 1)).map { Array(path.prefix($0)) } })
        guard let root = document.root.object else {
            let example =
                schema.exampleObject.map { ", such as \(String(decoding: JSONWriter.sortedLine($0), as: UTF8.self))" } ?? ""
            throw Self.refusal("\(name), \(position(of: [])): the settings are an object\(example)")
        }
        if let format = root["format"] { try check(format) }
        take(root, at: [])
    }

    private static func refusal(_ message: String) -> Failure { Failure(SettingsError(.invalidArgument, message)) }

    private func check(_ format: JSONValue) throws(Failure) {
        guard let number = format.number?.uint64 else {
            throw Self.refusal("\(name), \(position(of: ["format"])): the format is a whole number")
        }
        guard number <= DocumentFormat.newest else {
            let reason = "format \(number) is newer than \(DocumentFormat.newest), the newest that this version reads"
            throw Self.refusal("\(name), \(position(of: ["format"])): \(reason); update settingsd")
        }
    }

    private mutating func take(_ object: JSONObject, at path: [String]) {
        for (name, json) in object.members {
            let here = path + [name]
            if let rule = rules[here] {
                take(json, for: rule, at: here)
            } else if !sections.contains(here) {
                if path.isEmpty, Self.ignored.contains(name) { continue }
                faults.append(unknown(here))
            } else if let members = json.object {
                take(members, at: here)
            } else {
                let section = here.joined(separator: ".")
                let reason = "\(section) is a section and takes an object of settings"
                faults.append(fault(SettingsError(.invalidValue, reason), at: here))
            }
        }
    }

    /// What identifies a document and is no setting.
    private static let ignored: Set = ["$schema", "format", "revision"]

    private mutating func take(_ json: JSONValue, for rule: ValueRule, at path: [String]) {
        let key = path.joined(separator: ".")
        do throws(JSONMisfit) {
            entries.append(Entry(key: key, value: try SettingValue(json, for: rule)))
        } catch {
            let found = SettingValue(inferring: json).map { ", not \($0.type.words)" }
            let hint = json == .null ? "; leave the setting out instead of null" : found ?? ""
            let reason = error.path.isEmpty ? " takes \(rule.type.words)\(hint)" : error.message
            faults.append(fault(SettingsError(.invalidValue, key + reason), at: path + error.path, of: key))
        }
    }

    private func unknown(_ path: [String]) -> Fault {
        if path == ["locked"] {
            return fault(
                SettingsError(
                    .invalidArgument,
                    "\"locked\" has an effect in an administrator's file only, which \(schema.command) status names; remove it"
                ),
                at: path)
        }
        let key = path.joined(separator: ".")
        let meant = meant(by: key)
        var fault = fault(SettingsError(.unknownKey, meant ?? "there is no setting \(key.quoted())"), at: path)
        fault.isMisspelling = meant != nil
        return fault
    }

    /// What is wrong with a name that looks like a setting's or a section's; nil for any other.
    private func meant(by key: String) -> String? {
        let names = Setting.path(of: key)
        if rules[names] != nil {
            let shape = names.map { "{\"\($0)\": " }.joined() + "…" + String(repeating: "}", count: names.count)
            return "\(key.quoted()) is to stand in its section: \(shape)"
        }
        let known = (Array(rules.keys) + sections).map { $0.joined(separator: ".") }.sorted()
        return Suggestion.nearest(to: key, among: known).map {
            "there is no setting \(key.quoted()); did you mean \($0.quoted())?"
        }
    }

    // MARK: Places

    /// What is wrong with a value of this text.
    func fault(_ error: SettingsError, in key: String) -> Fault {
        var effort = Effort.file
        let path = Setting.path(of: key)
        let value = entries.first { $0.key == key }?.value
        let place = value.flatMap { value in rules[path]?.refusal(of: value, &effort)?.path } ?? []
        return fault(error, at: path + place, of: key)
    }

    private func fault(_ error: SettingsError, at path: [String], of key: String? = nil) -> Fault {
        let position = position(of: path)
        return Fault(
            key: key ?? path.joined(separator: "."), error: SettingsError(error.name, "\(name), \(position): \(error.message)"),
            position: position)
    }

    private func position(of path: [String]) -> JSONPosition {
        document.position(of: path) ?? JSONPosition(line: 1, column: 1)
    }
}

extension SettingsText.Fault: Comparable {
    static func == (a: Self, b: Self) -> Bool { a.position == b.position }

    /// Whether it comes first in the text.
    static func < (a: Self, b: Self) -> Bool {
        (a.position.line, a.position.column) < (b.position.line, b.position.column)
    }
}

extension SettingsDescription {
    /// The user's own values, in schema order; those too that a lock keeps from being in force.
    var userValues: [SettingsText.Entry] {
        settings.compactMap { setting in
            setting.description.userValue.map { SettingsText.Entry(key: setting.key, value: $0) }
        }
    }
}
