internal import JSON
internal import SettingsBus
internal import SettingsClient

extension Command {
    static let get = Command(
        .get, summary: "Prints the value of a setting, bare",
        operands: Operands(.key, several: "list"),
        examples: [
            Example("get profile.name", "prints the value and nothing else"),
            Example("get provider.id --json", "adds its source and the revision"),
        ],
        details: "An empty value is an empty line. With --json: {\"key\",\"value\",\"source\",\"revision\"}.",
        run: { invocation throws(Failure) in
            let key = invocation.operands[0]
            guard invocation.options.json || invocation.output.isTerminal else {
                return invocation.output.line(try invocation.session.answer(to: .read(key)).text)
            }
            let answer = try invocation.session.answer(to: .describe([key]))
            guard let setting = answer.settings.first else {
                throw .failed("the daemon describes \(key) in a way that this version does not understand")
            }
            guard invocation.options.json else {
                invocation.output.line(invocation.output.shown(setting.description.value.text))
                try invocation.output.flush()
                setting.description.problem.map { invocation.messages.notice($0, of: "get") }
                return
            }
            invocation.output.line([
                "key": .string(setting.key), "value": JSONValue(setting.description.value),
                "source": .string(setting.description.source), "revision": JSONValue(answer.revision),
            ])
        })
}
