internal import JSON
internal import SettingsJSON
internal import SettingsModel
internal import SettingsStore

/// The JSON Schema (2020-12) of documents and layers, for editors.
///
/// It takes every value that the daemon takes, and refuses what the daemon refuses as far as a JSON Schema can say so:
/// lengths in grapheme clusters and in bytes it cannot.
enum DocumentSchema {
    static func json(for schema: Schema) -> JSONValue {
        var properties: JSONObject = [
            "$schema": ["description": "Where this JSON Schema is, for editors; settingsd keeps it", "type": "string"],
            "format": [
                "description": "The version of the file's format; written by settingsd", "type": "integer", "minimum": whole(0),
            ],
            "revision": [
                "description": "The revision of the values; written by settingsd, to be left alone", "type": "integer",
                "minimum": whole(0),
            ],
        ]
        for section in schema.sections {
            let settings = schema.settings.filter { $0.section == section }
            let members = settings.map { (key: $0.name, value: json(for: $0)) }
            properties[section] = ["type": "object", "properties": .object(JSONObject(members))]
        }
        let names = schema.keys + schema.settings.compactMap(\.alias)
        properties["locked"] = [
            "description": "In an administrator's file: the settings that users cannot change",
            "type": "array", "items": ["enum": .array(names.map { .string($0) })],
        ]
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Settings of settingsd",
            "description": "A user's document, or the file of an administrator or vendor; what is not known here is kept",
            "type": "object",
            "properties": .object(properties),
        ]
    }

    private static func json(for setting: Setting) -> JSONValue {
        var object = setting.rule.keywords
        object["description"] = .string(setting.summary)
        object["default"] = setting.defaultValue.json
        return .object(object)
    }
}

extension ValueRule {
    /// The keywords that find values which the rule refuses.
    fileprivate var keywords: JSONObject {
        var object: JSONObject
        switch self {
        case .boolean: object = ["type": "boolean"]
        case .integer(let bounds): object = bounds.keywords("integer") { JSONNumber($0) }
        case .number(let bounds): object = bounds.keywords("number") { JSONNumber($0) }
        case .string(let rule):
            object = ["type": "string"]
            let conditions = rule.conditions
            if !conditions.isEmpty { object["allOf"] = .array(conditions.map { .object($0) }) }
        case .list(let rule):
            object = ["type": "array", "items": .object(rule.item.keywords)]
            if rule.minimumCount > 0 { object["minItems"] = whole(rule.minimumCount) }
            object["maxItems"] = rule.maximumCount.map { whole($0) }
            if rule.isUnique { object["uniqueItems"] = .boolean(true) }
        case .record(let rule):
            let required = rule.fields.filter(\.isRequired).map { JSONValue.string($0.name) }
            object = [
                "type": "object",
                "properties": .object(JSONObject(rule.fields.map { ($0.name, JSONValue.object($0.rule.keywords)) })),
                "required": .array(required), "additionalProperties": .boolean(false),
            ]
        case .unchecked: object = [:]
        }
        return object
    }
}

extension Bounds {
    fileprivate func keywords(_ type: String, _ json: (Number) -> JSONNumber) -> JSONObject {
        var object: JSONObject = ["type": .string(type)]
        object["minimum"] = minimum.map { .number(json($0)) }
        object["maximum"] = maximum.map { .number(json($0)) }
        if !choices.isEmpty { object["enum"] = .array(choices.map { .number(json($0)) }) }
        return object
    }
}

extension StringRule {
    /// What all must hold.
    fileprivate var conditions: [JSONObject] {
        var found: [JSONObject] = [["maxLength": whole(maximumBytes)]]
        if minimumLength > 0 { found.append(["minLength": whole(minimumLength)]) }
        if let maximumLength {
            // A grapheme cluster may have any number of code points, but each of these begins one.
            let own = Class.ownCluster
            found.append(["not": ["pattern": .string("(?:[^\(own)]*[\(own)]){\(maximumLength + 1)}")]])
        }
        if isLabel { found.append(["not": ["pattern": .string("[\(Class.control)]")]]) }
        if let format { found += format.conditions }
        if let choices {
            let known: JSONValue = ["enum": .array(choices.known.map { .string($0.id) })]
            let others: [JSONValue] =
                choices.customPrefix == nil ? [] : patternSource.map { [["pattern": .string("^\($0)$")]] } ?? []
            found += [["anyOf": .array([known] + others)], ["not": ["pattern": "\\n"]]]
        }
        if let pattern { found.append(["pattern": .string(pattern.source)]) }
        return found
    }
}

extension StringFormat {
    fileprivate var conditions: [JSONObject] {
        let gaps = "\(Class.white)\(Class.control)"
        switch self {
        case .email:
            let local = "[^\(Class.notInLocal)]+"
            let part = "[^\(Class.notInLabel)-]"
            let label = "(?![A-Za-z0-9-]{64,}(?:\\.|$))\(part)(?:(?:\(part)|-)*\(part))?"
            let address = "^(?:\(local)(?:\\.\(local))*@(?![0-9]+(?:\\.[0-9]+){3}$)\(label)(?:\\.\(label))*)?$"
            return [
                ["maxLength": whole(EmailRule.maximumBytes)], ["not": ["pattern": .string("[\(gaps)]")]],
                ["pattern": .string(address)],
            ]
        case .uri(let schemes):
            let marks: JSONObject = ["not": ["pattern": .string("[\(gaps)\\u200E\\u200F\\uFEFF]")]]
            guard !schemes.isEmpty else { return [marks] }
            let links = schemes.map { Self.pattern(scheme: $0) }.joined(separator: "|")
            return [marks, ["pattern": .string("^(?:\(links))?$")]]
        case .uuid, .date, .dateTime: return [["format": .string(name)]]
        case .timeZone: return []
        }
    }

    /// A regular expression for links with a scheme.
    private static func pattern(scheme: String) -> String {
        let letters = scheme.map { "[\($0.uppercased())\($0)]" }.joined()
        switch scheme {
        case "http", "https":
            let host = "[^/?#@:\\[\\]\\\\\"<>^`{|}]+"
            return "\(letters)://(?:[^/?#]*@)?(?:\(host)|\\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\\])(?:\(port))?(?:[/?#].*)?"
        case "file": return "\(letters):(?://[^/]*/|/(?!/)).*"
        default: return "\(letters):.+"
        }
    }

    /// A regular expression for an empty port, or a number that a port can have.
    private static let port =
        ":0*(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])?"
}

private func whole(_ value: Int) -> JSONValue { .number(JSONNumber(UInt64(value))) }

/// Sets of characters for regular expressions of ECMA-262, written so that no editor changes them.
private enum Class {
    /// C0, DEL, C1, the line and paragraph separators, and the bidirectional embeddings, overrides and isolates.
    static let control = #"\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069"#
    /// The Unicode property White_Space without what is in `control`.
    static let white = #"\u0020\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000"#
    /// ASCII and Latin letters, each a grapheme cluster of its own.
    static let ownCluster = #"\u0020-\u007E\u00C0-\u024F"#
    /// ASCII that does not stand before the @ of an address; the dot only between other characters.
    static let notInLocal = #"\u0022(),.:;<>@\[\\\]"#
    /// ASCII that does not stand in a domain's label, but for the hyphen.
    static let notInLabel = #"!-,./:-@\[-`{-~"#
}
