internal import SettingsClient
internal import SettingsModel

extension Command {
    static let insert = Command(
        .insert, summary: "Puts items into a list, behind those that are there",
        operands: Operands(.key, repeated: .value, minimum: 2),
        examples: [
            Example("-a org.example.WorldClock insert zones Europe/Berlin", "adds an item to an application's list")
        ],
        details: """
            All of them in one transaction, and without a look at the list first: what others insert at the same time is \
            there as well. Where each item may be there once, one that is there already stays where it is. A text is taken as \
            it is, everything else as set takes it.
            Prints nothing. With --json: {"revision","values"}, the values being those that have changed.
            """,
        run: { invocation throws(Failure) in try invocation.changeItems(by: Action.insertValue) })

    static let remove = Command(
        .remove, summary: "Takes items out of a list, wherever they stand",
        operands: Operands(.key, repeated: .value, minimum: 2),
        examples: [
            Example("-a org.example.WorldClock remove zones Europe/Berlin", "takes an item out of an application's list")
        ],
        details: """
            All of them in one transaction; one that is not there changes nothing. Prints nothing. With --json: \
            {"revision","values"}, the values being those that have changed.
            """,
        run: { invocation throws(Failure) in try invocation.changeItems(by: Action.removeValue) })
}

extension Invocation {
    fileprivate func changeItems(by action: (SettingValue, _ key: String) -> Action) throws(Failure) {
        let schema = try session.typedSchema()
        let key = operands[0]
        var actions: [Action] = []
        for text in operands.dropFirst() {
            actions.append(action(try schema.item(typed: text, of: key), key))
        }
        try change(.dispatch(actions, expecting: options.expectedRevision))
    }
}
