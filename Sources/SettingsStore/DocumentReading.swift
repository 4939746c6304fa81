internal import JSON
internal import SettingsModel

/// What was found at the document's path, read and judged.
struct DocumentReading: Sendable {
    private let path: String
    private var parsed: JSONDocument?
    /// nil where there is nothing that can be read.
    private(set) var text: DocumentText?
    private(set) var condition = DocumentCondition.good
    /// The single values that are refused, each with a sentence.
    private var refused: [OddValue] = []

    init(_ content: DocumentFile.Content, path: String, schema: Schema) {
        self.path = path
        switch content {
        case .absent: break
        case .unreadable(let sentence): condition = .unreadable(sentence)
        case .failing(let sentence): condition = .failing(sentence)
        case .text(let bytes):
            do {
                let parsed = try DocumentText.parse(bytes)
                let text = try DocumentText(parsed, schema: schema)
                if let refusal = DocumentLimits.refusal(path, keptBytes: JSONValue.object(text.kept).prettySize()) {
                    condition = .unreadable(refusal)
                    return
                }
                self.parsed = parsed
                refused = text.faults.map {
                    let message = "\(path), \($0.message); until that is mended, the value applies that would without it"
                    return OddValue(path: $0.path, message: message)
                }
                if text.isNewer {
                    condition = .newer(
                        "\(path) was written by a newer version (format \(DocumentText.format) is the newest known here); "
                            + "update settingsd to change it")
                }
                self.text = text
            } catch {
                condition = .damaged(
                    "\(path) is damaged: \(error.message); mend it, or let `\(schema.command) doctor --repair` put it aside")
            }
        }
    }

    /// A sentence for each single value that is refused.
    var problems: [String] { refused.map(\.message) }

    /// The values that are not in force, each with a sentence; they leave the rest in force.
    ///
    /// - Parameter values: the user's values.
    func oddValues(by layers: Layers, values: [String: SettingValue]) -> [OddValue] {
        refused + locked(by: layers, values: values)
    }

    /// Each value that has no effect because its key is locked and would change the user's.
    func locked(by layers: Layers, values: [String: SettingValue]) -> [OddValue] {
        guard let parsed, let text else { return [] }
        return text.values.keys.sorted().compactMap { key in
            guard let file = layers.lock(on: key), text.values[key] != values[key] else { return nil }
            let fault = DocumentText.fault(parsed, Setting.path(of: key), "\(key) is locked by \(file.path)")
            let message = "\(path), \(fault.message), so that what stands here has no effect; remove it"
            return OddValue(path: Setting.path(of: key), message: message)
        }
    }
}
