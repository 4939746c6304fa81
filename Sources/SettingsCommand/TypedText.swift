internal import JSON
internal import SettingsJSON
internal import SettingsModel

/// A text on the command line that is no value of the kind that is wanted.
struct TypedTextFault: Error {
    /// What follows the name of the value in a sentence: ` takes a whole number, not "a"`.
    let message: String
}

extension SettingValue {
    /// Reads what somebody has typed: a string as it is, a boolean in one of several words, everything else as JSON text.
    ///
    /// The value has yet to be checked.
    init(typed text: String, for rule: ValueRule) throws(TypedTextFault) {
        switch rule.type {
        case .string: self = .string(text)
        case .boolean:
            guard let flag = Self.booleans[text.lowercased()] else {
                throw TypedTextFault(message: " takes true or false (on, off, yes, no), not \(text.quoted())")
            }
            self = .boolean(flag)
        case .variant: self = Self.inferred(text)
        case .integer, .number, .list, .record: self = try Self.json(text, for: rule)
        }
    }

    private static let booleans = ["true": true, "on": true, "yes": true, "false": false, "off": false, "no": false]

    private static func json(_ text: String, for rule: ValueRule) throws(TypedTextFault) -> SettingValue {
        let json = try JSONValue(typed: text, as: rule.type, like: rule.example)
        do throws(JSONMisfit) {
            return try SettingValue(json, for: rule)
        } catch {
            if rule.type == .integer, let number = json.number?.double, number == number.rounded() {
                throw TypedTextFault(message: " takes a whole number from \(Int64.min) to \(Int64.max), not \(text.quoted())")
            }
            if rule.type.isNumber { throw TypedTextFault(message: rule.type.refusal(of: text)) }
            throw TypedTextFault(
                message: error.path.isEmpty ? rule.type.shape("it is JSON of another type", like: rule.example) : error.message)
        }
    }

    /// A value whose type nothing but its text shows: JSON where it is some, else the text.
    private static func inferred(_ text: String) -> SettingValue {
        do throws(JSONError) {
            return SettingValue(inferring: try JSONParser.parse(Array(text.utf8)).root) ?? .string(text)
        } catch {
            return .string(text)
        }
    }
}

extension ValueType {
    fileprivate var isNumber: Bool { self == .integer || self == .number }

    fileprivate func refusal(of text: String) -> String { " takes \(name), not \(text.quoted())" }

    fileprivate func shape(_ reason: String, like example: SettingValue?) -> String {
        let form = example.map { ", such as \($0.text.quotedForShell)" } ?? ""
        return " takes JSON text\(form): \(reason)"
    }
}

extension Schema {
    /// The value that somebody has typed for a setting; for one that is not known the text, for the daemon to refuse.
    ///
    /// - Throws: `InvalidValue` with the key and what it takes.
    func value(typed text: String, of name: String) throws(Failure) -> SettingValue {
        guard let setting = setting(named: name) else { return .string(text) }
        do throws(Failure) {
            return try value(typed: text, for: setting.rule, as: setting.key)
        } catch {
            var failure = error
            failure.hint = list(ofItems: text, of: name).map {
                "a list is JSON text: settingsctl set \(name.quotedForShell) \($0.quotedForShell)"
            }
            throw failure
        }
    }

    /// The item that somebody has typed for a setting that is a list.
    ///
    /// - Throws: `InvalidArgument` where the setting is none, `InvalidValue` with the key and what its items are.
    func item(typed text: String, of name: String) throws(Failure) -> SettingValue {
        guard let setting = setting(named: name) else { return .string(text) }
        guard let list = setting.rule.list else {
            var failure = Failure(SettingsError(.invalidArgument, "\(setting.key) is no list"))
            failure.hint = "settingsctl set \(setting.key) VALUE changes it"
            throw failure
        }
        return try value(typed: text, for: list.item, as: "an item of \(setting.key)")
    }

    private func value(typed text: String, for rule: ValueRule, as name: String) throws(Failure) -> SettingValue {
        do throws(TypedTextFault) {
            return try SettingValue(typed: text, for: rule)
        } catch {
            throw Failure(SettingsError(.invalidValue, name + error.message))
        }
    }

    /// The values by key that somebody has typed as a JSON object, each of its setting's kind.
    ///
    /// - Parameter name: what the object is called in messages.
    func values(typed text: String, as name: String) throws(Failure) -> [String: SettingValue] {
        let object: JSONObject
        do throws(TypedTextFault) {
            guard let found = try JSONValue(typed: text, as: .record, like: exampleValues).object else {
                throw TypedTextFault(message: ValueType.record.shape("it is JSON of another type", like: exampleValues))
            }
            object = found
        } catch {
            throw Failure(SettingsError(.invalidArgument, name + error.message))
        }
        var values: [String: SettingValue] = [:]
        for (key, json) in object.members.sorted(by: { $0.key < $1.key }) {
            let setting = setting(named: key)
            do throws(JSONMisfit) {
                values[key] = try SettingValue(json, for: setting?.rule ?? .unchecked(.variant))
            } catch {
                var reason = error.message
                if error.path.isEmpty, let setting, let found = SettingValue(inferring: json) {
                    reason = " takes \(setting.type.words), not \(found.type.words)"
                }
                throw Failure(SettingsError(.invalidValue, (setting?.key ?? key) + reason))
            }
        }
        return values
    }
}

extension JSONValue {
    /// Reads JSON text that is meant as a value of a type.
    fileprivate init(typed text: String, as type: ValueType, like example: SettingValue?) throws(TypedTextFault) {
        do throws(JSONError) {
            self = try JSONParser.parse(Array(text.utf8)).root
        } catch {
            throw TypedTextFault(message: type.isNumber ? type.refusal(of: text) : type.shape(error.message, like: example))
        }
    }
}
