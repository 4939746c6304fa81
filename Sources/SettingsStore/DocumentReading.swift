internal import JSON
internal import SettingsModel

/// What was found at the document's path, read and judged.
struct DocumentReading: Sendable {
    private let path: String
    private var parsed: JSONDocument?
    /// nil where there is nothing that can be read.
    private(set) var text: DocumentText?
    private(set) var condition = DocumentCondition.good
    /// A sentence for each single value that has no effect.
    private(set) var problems: [String] = []

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
                problems = text.faults.map { "\(path), \($0); until that is mended, the value applies that would without it" }
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

    /// A sentence for each thing that is wrong and leaves the rest in force.
    ///
    /// - Parameter values: the user's values.
    func problems(by layers: Layers, values: [String: SettingValue]) -> [String] {
        problems + locked(by: layers, values: values)
    }

    /// A sentence for each value that has no effect because its key is locked and would change the user's.
    func locked(by layers: Layers, values: [String: SettingValue]) -> [String] {
        guard let parsed, let text else { return [] }
        return text.values.keys.sorted().compactMap { key in
            guard let file = layers.lock(on: key), text.values[key] != values[key] else { return nil }
            let fault = DocumentText.fault(parsed, Setting.path(of: key), "\(key) is locked by \(file.path)")
            let message = "\(path), \(fault.message), so that what stands here has no effect; remove it"
            return OddValue(path: Setting.path(of: key), message: message)
        }
    }
}
