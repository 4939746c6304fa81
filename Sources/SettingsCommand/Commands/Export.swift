internal import SettingsClient
internal import SettingsModel

extension Command {
    static let export = Command(
        .export, summary: "Writes your own values as a file in the document's shape",
        operands: Operands(.file, minimum: 0),
        examples: [
            Example("export", "prints the values that are yours, not the defaults and not the administrator's"),
            Example("export settings.json", "writes them into a file that only you can read"),
        ],
        details: """
            The file holds no revision, so that import takes it anywhere. A file that is there is replaced at once or, when \
            something fails, not at all. A value of yours is there even where a lock keeps it from having an effect. \
            What the daemon does not know is not part of it. \
            A value that is refused in the document is not written; it is told, and the exit status is 4. A file that is \
            there stays as it is then.
            """,
        run: { invocation throws(Failure) in
            let text = SettingsText.render(try invocation.session.answer(to: .describe()).userValues)
            let missing = try invocation.session.answer(to: .status).refusedValues
            let path = invocation.operands.first ?? "-"
            let isWritten = missing.isEmpty || !UserFile.exists(path)
            if path == "-" {
                invocation.output.write(text)
            } else if isWritten {
                try UserFile.write(text, to: path)
            }
            if missing.isEmpty { return }
            let count = missing.count == 1 ? "a value" : "\(missing.count) values"
            let what =
                isWritten ? "written without \(count) of the document" : "\(path) would lack \(count) of the document and stays"
            var failure = Failure(SettingsError(.invalidValue, what))
            failure.further = missing
            failure.hint = "mend the document and export again"
            throw failure
        })
}

extension ServiceStatus {
    /// A sentence for each place of the document that has no effect.
    fileprivate var refusedValues: [String] {
        guard let document = files["document"] else { return [] }
        return problems.filter { $0.utf8.starts(with: "\(document), line ".utf8) }
    }
}
