internal import Glibc
internal import JSON
internal import SettingsJSON
internal import SettingsModel

/// Reads the files of the admin and vendor layers.
struct LayerReader {
    enum Kind: Sendable {
        case admin
        case vendor
    }

    enum Reading {
        case absent
        /// The file's content, and a sentence for each single value or lock that has no effect.
        case good(LayerFile, problems: [String])
        /// A sentence about a file that cannot be read as a whole.
        case broken(String)
        /// A sentence about a file that could not be read just now.
        case failing(String)
    }

    let schema: Schema

    func read(_ path: String, _ kind: Kind) -> Reading {
        let bytes: [UInt8]
        do {
            let file = try File.open(path, O_RDONLY)
            guard file.isRegular else {
                return .broken("\(path) is no regular file; \(Self.consequence)")
            }
            if let refusal = DocumentLimits.refusal(path, bytes: try file.status().size) {
                return .broken("\(refusal); \(Self.consequence)")
            }
            bytes = try file.readToEnd(limit: DocumentLimits.size << 20)
        } catch {
            if error.isAbsence { return .absent }
            let sentence = "\(error); \(Self.consequence)"
            return error.isPassing ? .failing(sentence) : .broken(sentence)
        }
        do {
            return try parse(bytes, path, kind)
        } catch {
            return .broken("\(path), \(error.message); \(Self.consequence)")
        }
    }

    private static let consequence = "what it said last while it was good stays in force until it is mended"

    private func parse(_ bytes: [UInt8], _ path: String, _ kind: Kind) throws(DocumentFault) -> Reading {
        let document = try DocumentText.parse(bytes)
        let text = try DocumentText(document, schema: schema)
        var faults = text.faults.map(\.message)
        let locked = kind == .admin ? locks(in: document, faults: &faults) : []
        return .good(
            LayerFile(path: path, values: text.values, locked: locked),
            problems: faults.map { "\(path), \($0); this part has no effect until it is mended" })
    }

    private func locks(in document: JSONDocument, faults: inout [String]) -> Set<String> {
        guard let list = document.root.object?["locked"] else { return [] }
        guard let items = list.array else {
            faults.append(DocumentText.fault(document, ["locked"], "locked takes an array of keys, found \(list.words)").message)
            return []
        }
        var keys: Set<String> = []
        for (index, item) in items.enumerated() {
            do throws(SettingsError) {
                guard let name = item.string else {
                    throw SettingsError(.unknownKey, "locked takes keys, found \(item.words)")
                }
                if let renamed = schema.setting(formerly: name) {
                    keys.insert(renamed.key)
                } else {
                    keys.insert(try schema.setting(name).key)
                }
            } catch {
                faults.append(DocumentText.fault(document, ["locked", String(index)], error.message).message)
            }
        }
        return keys
    }
}
