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
    var transaction: KeptTransaction
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
    /// The mark of what then stood at the document's path where that was somebody's edit, taken in by then and not rewritten;
    /// what comes afterwards is not taken back by it.
    var seen: String?
    /// What it did to settings that the schema does not know, and values that it does not take, each at its place in the
    /// document; an inner nil: there is none any more.
    var strays: [Stray] = []

    struct Stray: Sendable {
        let path: [String]
        let value: JSONValue?
    }

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
        var text = JSONLine()
        text.object { line in
            line.key("revision")
            line.integer(change.revision)
            line.key("time")
            line.integer(change.time)
            line.key("origin")
            line.string(change.origin.rawValue)
            line.key("application")
            line.string(change.application)
            line.key("actions")
            line.array { line in
                for action in actions { line.action(action) }
            }
            line.key("values")
            line.record(change.values)
            line.key("previous")
            line.record(change.previous)
            line.edits(transaction.edits)
            line.key("document")
            line.integer(documentRevision)
            if let since {
                line.key("since")
                line.integer(since)
            }
            if !watched.isEmpty {
                line.key("watched")
                line.record(watched)
            }
            if let seen {
                line.key("seen")
                line.string(seen)
            }
        }
        text.lineFeed()
        return text.bytes
    }
}

extension JSONLine {
    fileprivate mutating func action(_ action: Action) {
        object { line in
            line.key("name")
            line.string(action.name)
            line.key("arguments")
            line.record(action.arguments)
        }
    }

    private mutating func member(_ key: String, _ value: SettingValue?) {
        self.key(key)
        if let value { self.value(value) } else { self.value(.null) }
    }

    /// The user's values before and after, and what is different in long lists.
    fileprivate mutating func edits(_ edits: [KeptEdit]) {
        key("before")
        object { line in
            for case .whole(let edit) in edits { line.member(edit.key, edit.before) }
        }
        key("after")
        object { line in
            for case .whole(let edit) in edits { line.member(edit.key, edit.after) }
        }
        guard edits.contains(where: { !$0.isWhole }) else { return }
        key("splices")
        object { line in
            for case .splice(let key, _, let splice) in edits {
                line.key(key)
                line.value(splice.json)
            }
        }
    }
}

extension Splice {
    /// A change of a long list: of `count` items those from `at` on that are `removed` make room for those that are `inserted`.
    fileprivate var json: JSONValue {
        [
            "count": .number(JSONNumber(Int64(count))), "at": .number(JSONNumber(Int64(place))),
            "removed": .array(removed.map(\.json)), "inserted": .array(inserted.map(\.json)),
        ]
    }

    /// - Parameters:
    ///   - rule: that of the list's items.
    ///   - effort: what may still be done for all values of the journal.
    fileprivate init?(_ json: JSONValue, of rule: ValueRule, _ effort: inout Effort) {
        func items(_ name: String) -> [SettingValue]? {
            let items = json.object?[name]?.array ?? []
            let values = items.compactMap { SettingValue($0, maybe: rule) }.filter { rule.fault(in: $0, &effort) == nil }
            return values.count == items.count ? values : nil
        }
        func number(_ name: String) -> Int? { json.object?[name]?.number?.int64.flatMap { Int(exactly: $0) } }
        guard let count = number("count"), let place = number("at"), let removed = items("removed"),
            let inserted = items("inserted")
        else { return nil }
        self.init(count: count, place: place, removed: removed, inserted: inserted)
    }
}

extension [String: SettingValue] {
    fileprivate var json: JSONValue { SettingValue.record(self).json }
}

// MARK: Reading

extension JournalLine {
    /// Reads a line; settings and values that the schema does not know are passed over.
    ///
    /// - Parameter effort: what may still be done to check the values of the journal.
    /// - Throws: what the line should have been.
    init(_ bytes: [UInt8], schema: Schema, _ effort: inout Effort) throws(DocumentFault) {
        let document = try DocumentText.parse(bytes, depthLimit: JSONParser.deepest)
        guard let line = document.root.object, let revision = line["revision"]?.number?.uint64,
            revision <= Document.largestRevision
        else {
            throw DocumentFault(message: "expected an object with a revision")
        }
        var reader = JournalLineReader(schema: schema, effort: effort)
        defer { effort = reader.effort }
        let documentRevision = line["document"]?.number?.uint64
        if line["format"] != nil {
            let values = reader.userValues(line["values"]?.object ?? [:])
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
        let edits = reader.edits(before: before, after: after) + reader.splices(line["splices"])
        let transaction = KeptTransaction(change: change, edits: edits)
        self = .entry(
            JournalEntry(
                transaction: transaction, actions: actions, documentRevision: documentRevision ?? 0,
                since: line["since"]?.number?.uint64, watched: reader.values(line["watched"]), seen: line["seen"]?.string,
                strays: reader.strays(after)))
    }
}

/// Reads the parts of a line by what the schema says about them.
private struct JournalLineReader {
    let schema: Schema
    var effort: Effort

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
    mutating func userValues(_ object: JSONObject) -> [String: SettingValue] {
        values(.object(object)).filter { key, value in schema.setting(named: key)?.rule.fault(in: value, &effort) == nil }
    }

    mutating func splices(_ json: JSONValue?) -> [KeptEdit] {
        (json?.object?.members ?? []).compactMap { key, json in
            guard let setting = setting(key), let item = setting.rule.list?.item,
                let splice = Splice(json, of: item, &effort)
            else { return nil }
            return .splice(key: setting.key, element: item.type, splice)
        }
    }

    mutating func edits(before: JSONObject, after: JSONObject) -> [KeptEdit] {
        let before = userValues(before)
        let values = userValues(after)
        return after.members.compactMap { key, _ in
            guard let setting = setting(key) else { return nil }
            return .whole(Edit(key: setting.key, before: before[setting.key], after: values[setting.key]))
        }
    }

    mutating func strays(_ after: JSONObject) -> [JournalEntry.Stray] {
        after.members.compactMap { key, json in
            guard let setting = setting(key) else {
                return JournalEntry.Stray(path: Setting.path(of: key), value: json == .null ? nil : json)
            }
            if json == .null || setting.value(json, &effort) != nil { return nil }
            return JournalEntry.Stray(path: setting.path, value: json)
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
