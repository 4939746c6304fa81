internal import SettingsModel
internal import Spelling

/// A command line taken apart: the command, its operands in order, and options by name wherever they stand.
///
/// A long option counts by its whole name alone, lest a slip of the finger be taken for another option.
struct ParsedLine {
    /// The first word that is no option: the command's name.
    private(set) var name: String?
    /// The words behind that.
    private(set) var operands: [String] = []
    /// The options and their values, empty for those that take none; of one that is given twice the last counts.
    private(set) var options: [OptionName: String] = [:]
    /// How the options were written: `-n`, `--number`.
    private(set) var spellings: [OptionName: String] = [:]
    private var rest: ArraySlice<String>

    /// Takes arguments apart; `--` ends the options.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `Usage` for an unknown option, a missing value, or one too many.
    init(_ arguments: [String]) throws(Failure) {
        rest = arguments[...]
        while let word = rest.popFirst() {
            if word.utf8.elementsEqual("--".utf8) {
                for word in rest { add(word) }
                return
            }
            if word.utf8.starts(with: "--".utf8) {
                try takeLong(word)
            } else if word.utf8.count > 1, word.utf8.first == UInt8(ascii: "-") {
                try takeShort(word)
            } else {
                add(word)
            }
        }
    }

    private mutating func add(_ word: String) {
        if name == nil { name = word } else { operands.append(word) }
    }

    private mutating func takeLong(_ word: String) throws(Failure) {
        let name = word.utf8.firstIndex(of: UInt8(ascii: "=")).map { String(word[..<$0]) } ?? word
        guard let option = OptionTable.all.first(where: { "--\($0.name.rawValue)".utf8.elementsEqual(name.utf8) }) else {
            throw unknown(long: name)
        }
        let value = name.utf8.count < word.utf8.count ? String(word.utf8.dropFirst(name.utf8.count + 1)) : nil
        if option.value == nil, value != nil { throw usage("\(name) takes no value") }
        try take(option, written: name, value: value)
    }

    private mutating func takeShort(_ word: String) throws(Failure) {
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = OptionTable.all.first(where: { $0.short == letter }) else { throw unknown(letter, in: word) }
            if option.value == nil {
                try take(option, written: "-\(letter)", value: nil)
            } else {
                try take(option, written: "-\(letter)", value: letters.isEmpty ? nil : String(letters))
                return
            }
        }
    }

    private mutating func take(_ option: CommandOption, written: String, value: String?) throws(Failure) {
        spellings[option.name] = written
        guard let word = option.value else {
            options[option.name] = ""
            return
        }
        guard let value = value ?? rest.popFirst() else { throw usage("\(written) needs a value: \(word)") }
        options[option.name] = value
    }

    // MARK: What is wrong

    /// A failure whose hint is the usage line, as far as the command and the application are known.
    private func usage(_ message: String) -> Failure {
        Failure.usage(message, of: name).hinting(at: options[.app] ?? "")
    }

    private func unknown(long name: String) -> Failure {
        let typed = String(name.dropFirst(2))
        let command = self.name.flatMap { CommandTable.command($0) }
        let own = OptionTable.all.filter { $0.isGlobal || command?.options.contains($0.name) ?? true }.map(\.name.rawValue)
        let message = "there is no option \(name.quoted())"
        if let hint = hintForValue(name) { return .usage(message, hint: hint) }
        if let nearest = Suggestion.nearest(to: typed, among: own) { return .usage(message, hint: "did you mean --\(nearest)?") }
        let others = OptionTable.all.map(\.name).filter { !own.contains($0.rawValue) }
        if let command, let nearest = Suggestion.nearest(to: typed, among: others.map(\.rawValue)),
            let option = others.first(where: { $0.rawValue == nearest })
        {
            return .usage(message, hint: option.ownership(otherwiseThan: command))
        }
        return usage(message)
    }

    private func unknown(_ letter: Unicode.Scalar, in word: String) -> Failure {
        let message = "there is no option -\(letter)"
        if let hint = hintForValue(word) { return .usage(message, hint: hint) }
        let number = word.dropFirst()
        if number.allSatisfy({ ("0"..."9").contains($0) }),
            name.flatMap({ CommandTable.command($0) })?.takesNumber ?? false
        {
            return .usage(message, hint: "did you mean -n \(number)?")
        }
        return usage(message)
    }

    /// What to do where the word was not meant as an option of ours.
    private func hintForValue(_ word: String) -> String? {
        if let command = options[.exec] {
            return "quote the command: --exec \(([command, word] + rest).joined(separator: " ").quotedForShell)"
        }
        let takers = [Command.set.name, Command.insert.name, Command.remove.name]
        guard let name, takers.contains(name), !operands.isEmpty else { return nil }
        return "to pass a value that begins with -, put -- before it"
    }
}

extension Command {
    fileprivate var takesNumber: Bool { options.contains(.number) }
}

extension OptionName {
    /// Who has the option in place of a command that has not: `import has --dry-run, set has not`.
    func ownership(otherwiseThan command: Command) -> String {
        let owners = CommandTable.all.filter { $0.options.contains(self) }.map(\.name)
        return "\(owners.joined(separator: ", ")) \(owners.count == 1 ? "has" : "have") --\(rawValue), \(command.name) has not"
    }
}
