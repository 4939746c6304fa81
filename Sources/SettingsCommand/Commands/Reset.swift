internal import SettingsClient
internal import SettingsModel

extension Command {
    static let reset = Command(
        .reset, summary: "Takes values back, so that the layers below decide",
        operands: Operands(repeated: .sectionOrKey, usage: "SECTION|KEY… | --all"), options: [.all],
        examples: [
            Example("reset profile.avatar", "goes back to the default, or what an administrator says"),
            Example("reset support", "resets the settings of one section, together"),
            Example("reset --all", "resets everything that is not locked"),
        ],
        details: "Prints nothing. With --json: {\"revision\",\"values\"}, the values being those that have changed.",
        run: { invocation throws(Failure) in
            let (keys, options) = (invocation.operands, invocation.options)
            guard keys.isEmpty == options.all else {
                throw invocation.usage(options.all ? "--all goes without keys" : "SECTION|KEY is missing, or --all")
            }
            try invocation.change(
                options.all
                    ? .dispatch([.resetAll], expecting: options.expectedRevision)
                    : .reset(keys.flatMap(invocation.session.keys), expecting: options.expectedRevision))
        })
}
