internal import CLinux
internal import Glibc
internal import SettingsModel
internal import Spelling

/// A command line taken apart: operands in order, and options by name wherever they stand.
struct ParsedLine {
    private(set) var operands: [String] = []
    /// The options and their values, empty for those that take none; of one that is given twice the last counts.
    private(set) var options: [OptionName: String] = [:]

    /// Takes arguments apart by getopt_long(3); `--` ends the options.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `Usage` for an unknown or ambiguous option, a missing value, or one too many.
    init(_ arguments: [String]) throws(Failure) {
        let words = CStrings(["settingsctl"] + arguments)
        let names = CStrings(OptionTable.all.map(\.name.rawValue))
        let table =
            unsafe OptionTable.all.indices.map { index in
                let takesValue = OptionTable.all[index].value == nil ? no_argument : required_argument
                let value = Self.firstLongValue + Int32(index)
                return unsafe CLinux.option(name: names.pointers[index], has_arg: takesValue, flag: nil, val: value)
            } + [CLinux.option()]
        linux_getopt_restart()
        var list = unsafe words.pointers
        let count = Int32(arguments.count + 1)
        while true {
            let found = unsafe getopt_long(count, &list, Self.shortOptions, table, nil)
            let value = unsafe linux_optarg().map { unsafe String(cString: $0) }
            if found == -1 { break }
            if found == 1, let value {
                operands.append(value)
            } else if let option = Self.option(for: found) {
                options[option.name] = value ?? ""
            } else {
                // getopt has not stepped over a group of short options yet, and over a long one it has.
                throw Self.fault(in: arguments[min(max(Int(linux_optind()) - 2, 0), arguments.count - 1)], found)
            }
        }
        operands += arguments[min(Int(linux_optind()) - 1, arguments.count)...]
    }

    /// The number that stands for the table's first option where a long name was given.
    private static let firstLongValue: Int32 = 256

    /// `-`: operands come as options of the number 1, in order; `:`: a missing value is told apart.
    private static let shortOptions = OptionTable.all.reduce(into: "-:") { text, option in
        guard let short = option.short else { return }
        text.unicodeScalars.append(short)
        if option.value != nil { text += ":" }
    }

    private static func option(for value: Int32) -> CommandOption? {
        if value >= firstLongValue { return OptionTable.all[Int(value - firstLongValue)] }
        return OptionTable.all.first { $0.short.map { Int32($0.value) == value } ?? false }
    }

    private static func fault(in word: String, _ found: Int32) -> Failure {
        let culprit = linux_optopt()
        if let option = option(for: culprit) {
            let name = culprit >= firstLongValue ? "--\(option.name.rawValue)" : option.usage.prefix(2).description
            return found == Int32(UInt8(ascii: ":"))
                ? .usage("\(name) needs a value: \(option.value ?? "")") : .usage("\(name) takes no value")
        }
        let toPass = "to pass a value that begins with -, put -- before it"
        if culprit > 0, let letter = Unicode.Scalar(UInt32(culprit)) {
            return .usage("there is no option -\(letter)", hint: toPass)
        }
        let name = String(word.dropFirst(2).prefix { $0 != "=" })
        let names = OptionName.allCases.map(\.rawValue)
        let possible = names.filter { $0.hasPrefix(name) }.map { "--\($0)" }
        if !name.isEmpty, possible.count > 1 {
            return .usage("--\(name) is ambiguous: \(possible.joined(separator: ", "))")
        }
        let nearest = Suggestion.nearest(to: name, among: names).map { "did you mean --\($0)?" }
        return .usage("there is no option \(("--" + name).quoted())", hint: nearest ?? toPass)
    }
}
