internal import JSON
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let set = Command(
        .set, summary: "Changes settings, all or none, in one transaction",
        operands: Operands(.key, repeated: .assignment, minimum: 1, usage: "KEY VALUE | KEY=VALUE…"),
        examples: [
            Example("set profile.name 'Ada Lovelace'", "changes one setting"),
            Example("set provider.id=spotify provider.account=ada", "changes several together"),
            Example("set profile.name -- -x-", "takes a value that begins with -"),
        ],
        details: """
            A text is taken as it is; of an application's settings a boolean is true, on or yes, or false, off or no, and \
            everything else is JSON text.
            Prints nothing; the change is stored when the command ends. With --json: {"revision","values"}, the values \
            being those that have changed.
            """,
        run: { invocation throws(Failure) in
            let entries = try assignments(invocation)
            let values = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
            do throws(Failure) {
                try invocation.change(.write(values, expecting: invocation.options.expectedRevision))
            } catch {
                var failure = error
                if entries.count > 1, [.unknownName, .refused, .lockedOrReadOnly].contains(failure.status) {
                    let refused = try invocation.session.refusals(of: entries[...]).map(\.error.message)
                    failure.further = refused.filter { $0 != failure.message }
                }
                if failure.status == .refused, failure.hint == nil {
                    failure.hint = invocation.session.schema.choicesHint(for: values)
                }
                throw failure
            }
        })

    private static func assignments(_ invocation: Invocation) throws(Failure) -> [SettingsText.Entry] {
        let words = invocation.operands
        let session = invocation.session
        if words.count == 2, !words[0].hasSign {
            return [SettingsText.Entry(key: words[0], value: try session.value(typed: words[1], of: words[0]))]
        }
        if words.count == 1, !words[0].hasSign { throw invocation.usage("VALUE is missing") }
        if let fault = words.first(where: { $0.assignment == nil }) {
            let message = words[0].hasSign ? "\(fault.quoted()) is not KEY=VALUE" : "too many words"
            throw invocation.usage(message, hint: meant(by: words, try session.typedSchema()))
        }
        var values: [SettingsText.Entry] = []
        var keys: Set<String> = []
        var refused: [Failure] = []
        for (key, value) in words.compactMap(\.assignment) {
            guard keys.insert(key).inserted else { throw invocation.usage("\(key) is given twice") }
            do throws(Failure) {
                values.append(SettingsText.Entry(key: key, value: try session.value(typed: value, of: key)))
            } catch {
                guard [.unknownName, .refused].contains(error.status) else { throw error }
                refused.append(error)
            }
        }
        if var failure = refused.first {
            failure.further = refused.dropFirst().map(\.message) + (try session.refusals(of: values[...]).map(\.error.message))
            throw failure
        }
        return values
    }

    /// What somebody has meant who has put spaces where none belong.
    private static func meant(by words: [String], _ schema: Schema) -> String? {
        if words.count == 3, words[1] == "=" { return unspaced(words[0], words[2]) }
        guard words[0].assignment == nil else { return quoting(words) }
        let keys = stride(from: 0, to: words.count, by: 2)
        if words.count.isMultiple(of: 2), keys.allSatisfy({ schema.setting(named: words[$0]) != nil }) {
            let pairs = keys.map { key in
                "\(words[key])=\(schema.list(ofItems: words[key + 1], of: words[key]) ?? words[key + 1])".quotedForShell
            }
            return "for several settings write KEY=VALUE…: settingsctl set \(pairs.joined(separator: " "))"
        }
        if words[0].hasSign { return nil }
        if let second = words.first(where: \.hasSign) {
            return "for several settings write KEY=VALUE…, each of them as \(second.quotedForShell) is"
        }
        let value = words.dropFirst().joined(separator: " ")
        if let list = schema.list(ofItems: value, of: words[0]) {
            return "a list is JSON text: settingsctl set \(words[0]) \(list.quotedForShell)"
        }
        return "quote a value of several words: settingsctl set \(words[0]) \(value.quotedForShell)"
    }

    /// Puts the words together that follow an assignment and are none.
    private static func quoting(_ words: [String]) -> String? {
        guard let fault = words.firstIndex(where: { $0.assignment == nil }), let start = words[fault - 1].assignment else {
            return nil
        }
        let rest = words[fault...].prefix { $0.assignment == nil }
        if start.value.isEmpty, rest.count == 1 { return unspaced(start.name, words[fault]) }
        return "quote a value of several words: \((words[fault - 1] + " " + rest.joined(separator: " ")).quotedForShell)"
    }

    private static func unspaced(_ key: String, _ value: String) -> String {
        "write \("\(key)=\(value)".quotedForShell), without spaces around ="
    }
}

extension String {
    fileprivate var hasSign: Bool { utf8.contains(UInt8(ascii: "=")) }

    /// What stands before the first `=` and behind it; nil where nothing stands before it or there is none.
    var assignment: (name: String, value: String)? {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")), sign > startIndex else { return nil }
        return (String(self[..<sign]), String(self[utf8.index(after: sign)...]))
    }
}

extension Invocation {
    /// Makes a change: without `--json` one call, and nothing printed.
    func change(_ call: SettingsCall<UInt64>) throws(Failure) {
        if options.json { _ = try report(of: call) } else { _ = try session.answer(to: call) }
    }

    /// Makes a change and asks what it did; nothing printed but with `--json`.
    ///
    /// - Returns: nil where nothing changed.
    func report(of call: SettingsCall<UInt64>) throws(Failure) -> SettingsChange? {
        let (revision, change) = try session.report(of: call)
        if options.json { output.line(JSONValue(revision: revision, change: change)) }
        return change
    }
}
