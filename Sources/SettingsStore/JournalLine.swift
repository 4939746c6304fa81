internal import JSON
internal import SettingsJSON
internal import SettingsModel

/// The first line of a journal: where its history begins.
struct Checkpoint: Sendable {
    var document: Document
    /// What the document holds beside the values in force.
    var kept = JSONObject()
    /// The revision up to which the document had been brought up to date; nil: there was none.
    var documentRevision: UInt64?
    /// The effective values of the settings that cascades watch; empty where they are not known.
    var watched: [String: SettingValue] = [:]
}

/// A transaction as the journal has it.
struct JournalEntry: Sendable {
    var transaction: Transaction
    /// The actions as they were carried out; none for files and layers.
    var actions: [Action]
    /// The revision up to which the document had been brought up to date.
    var documentRevision: UInt64
    /// The revision of the transaction before it; nil: the one before its own. Others are passed over where somebody has
    /// written a larger revision into the document, and no transaction is missing there.
    var since: UInt64?
    /// The effective values after it of the settings that cascades watch, where its own values and the lines before it do not
    /// tell: somebody has changed the layers while no daemon ran.
    var watched: [String: SettingValue] = [:]

    var revision: UInt64 { transaction.change.revision }

    /// What it tells of the settings that cascades watch.
    ///
    /// - Parameter known: what is told of them before it. Of others its values are no proof: they may have changed since.
    func watchedValues(after known: [String: SettingValue]) -> [String: SettingValue] {
        watched.merging(transaction.change.values.filter { known[$0.key] != nil }) { told, _ in told }
    }
}

/// One line of the journal.
enum JournalLine: Sendable {
    case checkpoint(Checkpoint)
    case entry(JournalEntry)

    /// The version of the journal's format that this code writes.
    static let format: UInt64 = 1
}

// MARK: Writing

extension Checkpoint {
    /// The line, its newline included.
    var line: [UInt8] {
        var line = JSONObject()
        line["format"] = .number(JSONNumber(JournalLine.format))
        line["revision"] = .number(JSONNumber(document.revision))
        line["values"] = document.values.json
        line["unknown"] = .object(kept)
        line["document"] = documentRevision.map { .number(JSONNumber($0)) } ?? .null
        line["watched"] = watched.isEmpty ? nil : watched.json
        return JSONWriter.line(.object(line)) + [UInt8(ascii: "\n")]
    }
}

extension JournalEntry {
    /// The line, its newline included.
    var line: [UInt8] {
        let change = transaction.change
        var before = JSONObject()
        var after = JSONObject()
        for edit in transaction.edits {
            before[edit.key] = edit.before?.json ?? .null
            after[edit.key] = edit.after?.json ?? .null
        }
        var line = JSONObject()
        line["revision"] = .number(JSONNumber(change.revision))
        line["time"] = .number(JSONNumber(change.time))
        line["origin"] = .string(change.origin.rawValue)
        line["application"] = .string(change.application)
        line["actions"] = .array(actions.map(\.json))
        line["values"] = change.values.json
        line["previous"] = change.previous.json
        line["before"] = .object(before)
        line["after"] = .object(after)
        line["document"] = .number(JSONNumber(documentRevision))
        line["since"] = since.map { .number(JSONNumber($0)) }
        line["watched"] = watched.isEmpty ? nil : watched.json
        return JSONWriter.line(.object(line)) + [UInt8(ascii: "\n")]
    }
}

extension Action {
    fileprivate var json: JSONValue { .object(["name": .string(name), "arguments": arguments.json]) }
}

extension [String: SettingValue] {
    fileprivate var json: JSONValue { SettingValue.record(self).json }
}

// MARK: Reading

extension JournalLine {
    /// Reads a line; settings and values that the schema does not know are passed over.
    ///
    /// - Throws: what the line should have been.
    init(_ bytes: [UInt8], schema: Schema) throws(DocumentFault) {
        let document = try DocumentText.parse(bytes, depthLimit: JSONParser.deepest)
        guard let line = document.root.object, let revision = line["revision"]?.number?.uint64,
            revision <= Document.largestRevision
        else {
            throw DocumentFault(message: "expected an object with a revision")
        }
        let reader = JournalLineReader(schema: schema)
        let documentRevision = line["document"]?.number?.uint64
        if line["format"] != nil {
            let values = line["values"]?.object.map(reader.userValues) ?? [:]
            self = .checkpoint(
                Checkpoint(
                    document: Document(values: values, revision: revision), kept: line["unknown"]?.object ?? [:],
                    documentRevision: documentRevision, watched: reader.values(line["watched"])))
            return
        }
        guard let after = line["after"]?.object, let before = line["before"]?.object,
            let origin = line["origin"]?.string.flatMap(Origin.init(rawValue:))
        else { throw DocumentFault(message: "expected a transaction with an origin, before and after") }
        let actions = reader.actions(line["actions"])
        let change = SettingsChange(
            revision: revision, values: reader.values(line["values"]), previous: reader.values(line["previous"]),
            actions: actions.map(\.name), origin: origin, application: line["application"]?.string ?? "",
            time: line["time"]?.number?.uint64 ?? 0)
        let transaction = Transaction(change: change, edits: reader.edits(before: before, after: after))
        self = .entry(
            JournalEntry(
                transaction: transaction, actions: actions, documentRevision: documentRevision ?? 0,
                since: line["since"]?.number?.uint64, watched: reader.values(line["watched"])))
    }
}

/// Reads the parts of a line by what the schema says about them.
private struct JournalLineReader {
    let schema: Schema

    /// Effective values.
    func values(_ json: JSONValue?) -> [String: SettingValue] {
        var values: [String: SettingValue] = [:]
        for (key, value) in json?.object?.members ?? [] {
            if let setting = setting(key) { values[setting.key] = SettingValue(value, maybe: setting.rule) }
        }
        return values
    }

    /// The setting of a key, or of a key that it had when the line was written.
    private func setting(_ key: String) -> Setting? { schema.setting(named: key) ?? schema.setting(formerly: key) }

    /// Values of the user's that the schema still takes.
    func userValues(_ object: JSONObject) -> [String: SettingValue] {
        values(.object(object)).filter { key, value in schema.setting(named: key)?.rule.fault(in: value) == nil }
    }

    func edits(before: JSONObject, after: JSONObject) -> [Edit] {
        let before = userValues(before)
        let values = userValues(after)
        return after.members.compactMap { key, _ in
            guard let setting = setting(key) else { return nil }
            return Edit(key: setting.key, before: before[setting.key], after: values[setting.key])
        }
    }

    func actions(_ json: JSONValue?) -> [Action] {
        (json?.array ?? []).compactMap { item in
            guard let name = item.object?["name"]?.string else { return nil }
            return Action(name, arguments(item.object?["arguments"]?.object ?? [:], of: name))
        }
    }

    private func arguments(_ object: JSONObject, of action: String) -> [String: SettingValue] {
        let declaration = schema.actions.first { $0.name == action }
        var arguments: [String: SettingValue] = [:]
        for (name, value) in object.members {
            let argument = declaration?.arguments.first { $0.name == name }
            let itemRule = declaration?.itemRule(of: name, in: schema) { object[$0]?.string }
            if declaration?.isRecordOfSettings(name) ?? false {
                arguments[name] = .record(record(value))
            } else {
                arguments[name] = SettingValue(value, maybe: itemRule ?? argument?.rule ?? .unchecked(.variant))
            }
        }
        return arguments
    }

    /// A record of settings' values; a field that is no setting shows its type by its text alone.
    private func record(_ json: JSONValue) -> [String: SettingValue] {
        var fields: [String: SettingValue] = [:]
        for (name, value) in json.object?.members ?? [] {
            let known = schema.setting(named: name).flatMap { SettingValue(value, maybe: $0.rule) }
            fields[name] = known ?? SettingValue(inferring: value)
        }
        return fields
    }
}
