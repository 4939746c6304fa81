internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let insert = Command(
        .insert, summary: "Puts items into a list, behind those that are there",
        operands: Operands(.listKey, repeated: .value, minimum: 2),
        examples: [
            Example("-a org.example.WorldClock insert zones Europe/Berlin", "adds an item to an application's list")
        ],
        details: """
            All of them in one transaction, and without a look at the list first: what others insert at the same time is \
            there as well. Where each item may be there once, one that is there already stays where it is. A text is taken as \
            it is, everything else as set takes it.
            Prints nothing. With --json: {"revision","values"}, the values being those that have changed.
            """,
        run: { invocation throws(Failure) in
            let items = try invocation.items()
            try invocation.change(invocation.call(items.map { Action.insertValue($0, into: invocation.operands[0]) }))
        })

    static let remove = Command(
        .remove, summary: "Takes items out of a list, wherever they stand",
        operands: Operands(.listKey, repeated: .value, minimum: 2),
        examples: [
            Example("-a org.example.WorldClock remove zones Europe/Berlin", "takes an item out of an application's list")
        ],
        details: """
            All of them in one transaction; one that is not there changes nothing, and is named on standard error. Prints \
            nothing. With --json: {"revision","values"}, the values being those that have changed.
            """,
        run: { invocation throws(Failure) in
            let items = try invocation.items()
            let change = try invocation.report(
                of: invocation.call(items.map { Action.removeValue($0, from: invocation.operands[0]) }))
            invocation.tellAbsent(items, before: change)
        })
}

extension Invocation {
    /// The items that were typed for a list.
    fileprivate func items() throws(Failure) -> [SettingValue] {
        let count = operands.count - 1
        guard count <= Limits.actions else {
            throw Failure(SettingsError(.tooLarge, "\(count) items are given; one command takes \(Limits.actions) at most"))
        }
        let schema = try session.typedSchema()
        return try operands.dropFirst().map { text throws(Failure) in try schema.item(typed: text, of: operands[0]) }
    }

    fileprivate func call(_ actions: [Action]) -> SettingsCall<UInt64> {
        .dispatch(actions, expecting: options.expectedRevision)
    }

    /// Says which items were not in the list.
    ///
    /// - Parameter change: what became of the list; nil: nothing.
    fileprivate func tellAbsent(_ items: [SettingValue], before change: SettingsChange?) {
        let key = session.schema.setting(named: operands[0])?.key ?? operands[0]
        let there = Set(change?.previous[key]?.items ?? [])
        for item in items where !there.contains(item) {
            messages.notice("\(item.text) is not in \(operands[0])", of: command.name)
        }
    }
}
