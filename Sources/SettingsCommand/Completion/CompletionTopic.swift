internal import SettingsModel
internal import SettingsSchemas

/// The words that a shell offers in one place of a command line. Every shell's script holds the same topics, made from
/// the table of commands and the schema, so that completing needs no daemon.
struct CompletionTopic: Sendable {
    struct Word: Sendable {
        /// What is to be typed; one that ends with = or : is to go on.
        let text: String
        let summary: String

        init(_ text: String, _ summary: String) {
            self.text = text
            self.summary = summary
        }
    }

    /// How the script asks for the topic.
    let name: String
    let words: [Word]

    init(_ name: String, _ words: [Word]) {
        self.name = name
        self.words = words
    }
}

extension CompletionTopic {
    /// Every topic. Their names, KIND being the raw value of an operand's kind:
    ///
    /// - `KIND`: all operands of the kind.
    /// - `operands COMMAND`: the kinds of a command's operands in order, the last with `...` where more may follow.
    /// - `options COMMAND`, and `options ` where no command is given yet.
    /// - `value of OPTION`: the word for the option's value; no topic where it takes none.
    /// - `KEY=`: the values of a setting. `item of KEY`: the items of a list.
    /// - `ACTION`: its arguments. `ACTION NAME=`: the values of one.
    static func all(_ schema: Schema) -> [CompletionTopic] {
        commandTopics + optionTopics + kindTopics(schema) + valueTopics(schema) + actionTopics(schema)
    }

    /// The words of one topic for the settings of an application; `APP`: the applications.
    ///
    /// - Throws: where the application's schema file is not there, or is none.
    static func words(of topic: String, application: String) throws(Failure) -> [Word] {
        if topic == OptionTable[.app].value {
            return InstalledSchemas.folders.listing().entries.map { Word($0.application, "") }
        }
        return all(try InstalledSchemas.schema(of: application)).first { $0.name == topic }?.words ?? []
    }

    private static var commandTopics: [CompletionTopic] {
        let commands = CommandTable.all.map { Word($0.name, $0.summary) }
        return [CompletionTopic(Operands.Kind.command.rawValue, commands)]
            + CommandTable.all.map { command in
                CompletionTopic("operands \(command.name)", command.operands.completed.map { Word($0, "") })
            }
    }

    private static var optionTopics: [CompletionTopic] {
        let global = OptionTable.all.filter(\.isGlobal)
        let owners = [("", global)] + CommandTable.all.map { ($0.name, $0.options.map { OptionTable[$0] } + global) }
        return owners.map { name, options in
            CompletionTopic(
                "options \(name)", options.flatMap { option in option.spellings.map { Word($0, option.summary) } })
        }
            + OptionTable.all.flatMap { option in
                option.spellings.compactMap { spelling in
                    option.value.map { CompletionTopic("value of \(spelling)", [Word($0, "")]) }
                }
            }
    }

    private static func kindTopics(_ schema: Schema) -> [CompletionTopic] {
        func words(of settings: [Setting]) -> [Word] {
            settings.flatMap { setting in setting.names.map { Word($0, setting.summary) } }
        }
        let keys = words(of: schema.settings)
        let sections = schema.sections.filter { schema.setting(named: $0) == nil }
        let links = schema.actions.filter { $0.name == Command.openingAction }.flatMap { action in
            action.arguments.flatMap { action.words(of: $0, in: schema) }
        }
        return [
            CompletionTopic(Operands.Kind.key.rawValue, keys),
            CompletionTopic(Operands.Kind.listKey.rawValue, words(of: schema.settings.filter { $0.rule.list != nil })),
            CompletionTopic(
                Operands.Kind.sectionOrKey.rawValue, sections.map { Word($0, "The section \($0)") } + keys),
            CompletionTopic(Operands.Kind.action.rawValue, schema.actions.map { Word($0.name, $0.summary) }),
            CompletionTopic(Operands.Kind.link.rawValue, links),
            CompletionTopic(Operands.Kind.shell.rawValue, Shell.allCases.map { Word($0.rawValue, "") }),
        ]
    }

    private static func valueTopics(_ schema: Schema) -> [CompletionTopic] {
        schema.settings.flatMap { setting in
            setting.names.map { name in
                setting.rule.list.map { CompletionTopic("item of \(name)", $0.item.words) }
                    ?? CompletionTopic("\(name)=", setting.rule.words)
            }
        }
    }

    private static func actionTopics(_ schema: Schema) -> [CompletionTopic] {
        schema.actions.flatMap { action in
            [CompletionTopic(action.name, action.arguments.map { Word("\($0.name)=", $0.summary) })]
                + action.arguments.map { argument in
                    CompletionTopic("\(action.name) \(argument.name)=", action.words(of: argument, in: schema))
                }
        }
    }
}

extension Operands {
    /// The kinds in order, for scripts.
    fileprivate var completed: [String] {
        // Of assignments the first may stand in two words: KEY VALUE.
        guard repeated != .assignment else { return ["\(Kind.assignment.rawValue)..."] }
        return leading.map(\.rawValue) + (repeated.map { ["\($0.rawValue)..."] } ?? [])
    }
}

extension CommandOption {
    fileprivate var spellings: [String] { ["--\(name.rawValue)"] + (short.map { ["-\($0)"] } ?? []) }
}

extension Setting {
    fileprivate var names: [String] { (alias.map { [$0] } ?? []) + [key] }
}

extension ValueRule {
    /// The values that are known by name.
    fileprivate var words: [CompletionTopic.Word] {
        switch self {
        case .boolean: [.init("true", ""), .init("false", "")]
        case .integer(let bounds): bounds.choices.map { .init("\($0)", "") }
        case .number(let bounds): bounds.choices.map { .init(String(written: $0), "") }
        case .string(let rule): rule.words
        // They are typed as JSON text.
        case .list, .record, .unchecked: []
        }
    }
}

extension StringRule {
    fileprivate var words: [CompletionTopic.Word] {
        if case .uri(let schemes) = format { return schemes.map { .init("\($0):", "") } }
        let known = choices?.known.map { CompletionTopic.Word($0.id, $0.name) } ?? []
        return known + (choices?.customPrefix.map { [.init($0, "Another one: \($0)NAME")] } ?? [])
    }
}

extension ActionDeclaration {
    /// The values of an argument that are known by name.
    fileprivate func words(of argument: Argument, in schema: Schema) -> [CompletionTopic.Word] {
        let own = argument.rule.words
        if !own.isEmpty { return own }
        for step in steps {
            switch step {
            case .set(.key(let key), to: .argument(argument.name)): return schema.setting(named: key)?.rule.words ?? []
            case .set(.member(let section, argument: argument.name), _),
                .answer(_, .member(let section, argument: argument.name), _):
                return schema.settings.filter { $0.section == section }.map { .init($0.name, $0.summary) }
            case .set(.member(let section, _), to: .argument(argument.name)):
                return schema.settings.first { $0.section == section }?.rule.words ?? []
            case .insert(.key(let key), .argument(argument.name), _), .remove(.key(let key), .value(.argument(argument.name))):
                return schema.setting(named: key)?.rule.list?.item.words ?? []
            default: continue
            }
        }
        return []
    }
}
