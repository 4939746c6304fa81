internal import JSON
internal import SettingsJSON
internal import SettingsModel

/// What a document says: values that are in force, and everything else that is kept for its author.
struct DocumentText: Sendable {
    /// The version of the document's format that this code writes.
    static let format: UInt64 = 1

    /// The valid values by key.
    var values: [String: SettingValue] = [:]
    /// nil where the document names none.
    var revision: UInt64?
    /// Whether the format is newer than ours.
    var isNewer = false
    /// What the schema does not know, and single values that are not in force, each at its place.
    var kept = JSONObject()
    /// What is wrong with single values.
    var faults: [OddValue] = []
}

/// A value that is not in force where it stands.
struct OddValue: Hashable, Sendable {
    /// The names by which the document nests it, from the outside in.
    let path: [String]
    /// Why, with the position.
    let message: String
}

/// Why a document cannot be read at all: a clause that begins with the position.
struct DocumentFault: Error, Hashable, Sendable {
    let message: String
}

// MARK: Reading

extension DocumentText {
    /// Reads a document or a layer's file.
    ///
    /// - Throws: what is wrong where the whole cannot be read; what is wrong with single values is in `faults`.
    init(_ bytes: [UInt8], schema: Schema) throws(DocumentFault) {
        try self.init(Self.parse(bytes), schema: schema)
    }

    static func parse(_ bytes: [UInt8], depthLimit: Int = DocumentLimits.depth) throws(DocumentFault) -> JSONDocument {
        do {
            return try JSONParser.parse(bytes, depthLimit: depthLimit)
        } catch {
            throw DocumentFault(message: error.description)
        }
    }

    init(_ document: JSONDocument, schema: Schema) throws(DocumentFault) {
        guard let root = document.root.object else {
            throw Self.fault(document, [], "expected an object, found \(document.root.words)")
        }
        if let format = root["format"] {
            guard let number = format.number?.uint64 else {
                throw Self.fault(document, ["format"], "expected a whole number as the format, found \(format.words)")
            }
            isNewer = number > Self.format
        }
        // What no daemon can have reached counts as no revision, and is put right when the document is written again.
        revision = root["revision"]?.number?.uint64.flatMap { $0 <= Document.largestRevision / 2 ? $0 : nil }
        var effort = Effort.file
        kept = take(root, SettingTree(schema), path: [], of: document, &effort)
        kept["format"] = nil
        kept["revision"] = nil
        takeFormer(of: schema, &effort)
    }

    /// Takes over what stands under former keys of settings that have nothing of their own; what they no longer take stays.
    private mutating func takeFormer(of schema: Schema, _ effort: inout Effort) {
        for setting in schema.settings where values[setting.key] == nil && kept.value(at: setting.path[...]) == nil {
            for key in setting.renamedFrom {
                let path = Setting.path(of: key)
                guard let json = kept.member(at: path[...]), let value = setting.value(json, &effort) else { continue }
                values[setting.key] = value
                kept.setValue(nil, at: path[...])
                break
            }
        }
    }

    /// Takes the valid values out of an object and returns what is left of it.
    private mutating func take(
        _ object: JSONObject, _ tree: SettingTree, path: [String], of document: JSONDocument, _ effort: inout Effort
    ) -> JSONObject {
        var rest: [(key: String, value: JSONValue)] = []
        for (name, json) in object.members {
            switch tree[name] {
            case .setting(let setting):
                do throws(ValueFault) {
                    values[setting.key] = try setting.validValue(json, &effort)
                } catch {
                    let fault = Self.fault(document, path + [name] + error.path, error.message)
                    faults.append(OddValue(path: path + [name], message: fault.message))
                    rest.append((name, json))
                }
            case .section(let section):
                if let members = json.object {
                    let left = take(members, section, path: path + [name], of: document, &effort)
                    if !left.isEmpty { rest.append((name, .object(left))) }
                } else {
                    let key = (path + [name]).joined(separator: ".")
                    let fault = Self.fault(document, path + [name], "\(key) takes an object, found \(json.words)")
                    faults.append(OddValue(path: path + [name], message: fault.message))
                    rest.append((name, json))
                }
            case nil: rest.append((name, json))
            }
        }
        return JSONObject(rest)
    }

    static func fault(_ document: JSONDocument, _ path: [String], _ message: String) -> DocumentFault {
        DocumentFault(message: document.position(of: path).map { "\($0): \(message)" } ?? message)
    }
}

// MARK: Writing

extension DocumentText {
    /// The document's text in normal form.
    ///
    /// - Parameters:
    ///   - values: the user's values. One for which something else is kept is left out: its author decides.
    ///   - kept: as in `DocumentText.kept`.
    static func render(_ document: Document, kept: JSONObject, schema: Schema) -> [UInt8] {
        var root = JSONObject()
        root["$schema"] = kept["$schema"]
        root["format"] = .number(JSONNumber(format))
        root["revision"] = .number(JSONNumber(document.revision))
        put(document.values, kept, SettingTree(schema), into: &root)
        return JSONWriter.pretty(.object(root))
    }

    /// The user's values in the document's shape, without what identifies the document.
    private static func put(
        _ values: [String: SettingValue], _ kept: JSONObject?, _ tree: SettingTree, into object: inout JSONObject
    ) {
        for (name, node) in tree.members {
            switch node {
            case .setting(let setting): object[name] = kept?[name] ?? values[setting.key]?.json
            case .section(let section):
                if let odd = kept?[name], odd.object == nil {
                    object[name] = odd
                } else {
                    var members = JSONObject()
                    put(values, kept?[name]?.object, section, into: &members)
                    object[name] = members.isEmpty ? nil : .object(members)
                }
            }
        }
        for (name, value) in kept?.members ?? [] where object[name] == nil { object[name] = value }
    }

    /// The text that `render` writes, as it reads again.
    init(_ document: Document, kept: JSONObject, schema: Schema) {
        values = document.values
        revision = document.revision
        self.kept = kept
        var effort = Effort.file
        for setting in schema.settings {
            guard let json = kept.value(at: setting.path[...]) else { continue }
            if let value = setting.value(json, &effort) {
                // Valid, but not in force: the key is locked.
                values[setting.key] = value
                self.kept.setValue(nil, at: setting.path[...])
            } else {
                values[setting.key] = nil
            }
        }
    }
}

extension Setting {
    /// The valid value that JSON is, or nil.
    ///
    /// - Parameter effort: what may still be done for all values of the file.
    func value(_ json: JSONValue, _ effort: inout Effort) -> SettingValue? {
        do throws(JSONMisfit) {
            let value = try SettingValue(json, for: rule)
            return rule.fault(in: value, &effort) == nil ? value : nil
        } catch {
            return nil
        }
    }
}
