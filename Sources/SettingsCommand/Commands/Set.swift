internal import JSON
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let set = Command(
        name: "set", summary: "Changes settings, all or none, in one transaction",
        operands: Operands([.key], repeated: .assignment, minimum: 1, usage: "KEY VALUE | KEY=VALUE…"),
        examples: [
            Example("set profile.name 'Ada Lovelace'", "changes one setting"),
            Example("set provider.id=spotify provider.account=ada", "changes several together"),
            Example("set profile.name -- -x-", "takes a value that begins with -"),
        ],
        details: """
            Prints nothing; the change is stored when the command ends. With --json: {"revision","values"}, the values \
            being those that have changed.
            """,
        run: { invocation throws(Failure) in
            let values = try assignments(invocation)
            try invocation.change(.write(values, expecting: invocation.options.expectedRevision))
        })

    private static func assignments(_ invocation: Invocation) throws(Failure) -> [String: SettingValue] {
        let words = invocation.operands
        if !words[0].utf8.contains(UInt8(ascii: "=")) {
            if words.count == 1 { throw invocation.usage("VALUE is missing") }
            if words.count > 2 { throw invocation.usage("too many words", hint: quoting(words)) }
            return [words[0]: .string(words[1])]
        }
        var values: [String: SettingValue] = [:]
        for word in words {
            guard let (key, value) = word.assignment else {
                throw invocation.usage("\(word.quoted()) is not KEY=VALUE")
            }
            guard values.updateValue(.string(value), forKey: key) == nil else {
                throw invocation.usage("\(key) is given twice")
            }
        }
        return values
    }

    /// The hint for `set profile.name Ada Lovelace`.
    private static func quoting(_ words: [String]) -> String {
        if let second = words.dropFirst().first(where: { $0.utf8.contains(UInt8(ascii: "=")) }) {
            return "to set several settings write each as KEY=VALUE, the first too, as \(second.quoted()) is"
        }
        return "quote a value of several words: settingsctl set \(words[0]) '\(words.dropFirst().joined(separator: " "))'"
    }
}

extension String {
    /// What stands before the first `=` and behind it; nil where nothing stands before it or there is none.
    var assignment: (name: String, value: String)? {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")), sign > startIndex else { return nil }
        return (String(self[..<sign]), String(self[utf8.index(after: sign)...]))
    }
}

extension Invocation {
    /// Makes a change: one call, and nothing printed but with `--json`.
    func change(_ call: SettingsCall<UInt64>) throws(Failure) {
        guard options.json else {
            _ = try session.answer(to: call)
            return
        }
        let (revision, change) = try session.report(of: call)
        output.line(JSONValue(revision: revision, change: change))
    }
}
