internal import SettingsModel

/// What was found at the document's path, read and judged.
struct DocumentReading {
    /// nil where there is nothing that can be read.
    private(set) var text: DocumentText?
    private(set) var condition = DocumentCondition.good
    /// A sentence for each single value that has no effect.
    private(set) var problems: [String] = []

    init(_ content: DocumentFile.Content, path: String, schema: Schema) {
        switch content {
        case .absent: break
        case .unreadable(let sentence): condition = .readOnly(sentence)
        case .text(let bytes):
            do {
                let text = try DocumentText(bytes, schema: schema)
                problems = text.faults.map { "\(path), \($0); the layers' value applies until it is mended" }
                if text.isNewer {
                    condition = .readOnly(
                        "\(path) was written by a newer version (format \(DocumentText.format) is the newest known here); "
                            + "update settingsd to change it")
                }
                self.text = text
            } catch {
                condition = .damaged(
                    "\(path) is damaged: \(error.message); mend it, or let `settingsctl doctor --repair` put it aside")
            }
        }
    }
}
