internal import SettingsClient

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
            something fails, not at all. A value of yours is there even where a lock keeps it from having an effect. What the daemon does not know is not part of it.
            """,
        run: { invocation throws(Failure) in
            let text = SettingsText.render(try invocation.session.answer(to: .describe()).userValues)
            if let path = invocation.operands.first, path != "-" {
                try UserFile.write(text, to: path)
            } else {
                invocation.output.write(text)
            }
        })
}
