internal import SettingsModel

/// The options of one invocation, checked.
struct Options: Sendable {
    /// The id of the application that the command is about; empty: the daemon's own settings.
    var application = ""
    var json = false
    var isQuiet = false
    var startsDaemon = true
    /// The revision that a change is to be made at.
    var expectedRevision: UInt64?
    /// For everything that the command does but following.
    var timeout = Duration.seconds(10)

    var all = false
    var print = false
    var exec: String?
    var number: Int?
    var dryRun = false
    var skipsLocked = false
    var merges = false
    var replaces = false
    var repairs = false

    init() {}

    /// - Throws: `Usage` for an option that the command does not take, or a value that an option does not take.
    init(_ line: ParsedLine, of command: Command) throws(Failure) {
        let given = line.options
        for name in OptionName.allCases where given[name] != nil && !OptionTable[name].isGlobal {
            guard !command.options.contains(name) else { continue }
            throw .usage(name.ownership(otherwiseThan: command), of: command.name)
        }
        if let id = given[.app] {
            guard !id.isEmpty else {
                throw .usage(
                    "\(line.spellings[.app] ?? "--app") takes the id of an application", hint: "settingsctl apps lists them")
            }
            application = id
        }
        json = given[.json] != nil
        isQuiet = given[.quiet] != nil
        startsDaemon = given[.noStart] == nil
        all = given[.all] != nil
        print = given[.print] != nil
        dryRun = given[.dryRun] != nil
        skipsLocked = given[.skipLocked] != nil
        merges = given[.merge] != nil
        replaces = given[.replace] != nil
        repairs = given[.repair] != nil
        exec = given[.exec]
        if let text = given[.expect] { expectedRevision = try Self.number(text, line.spellings[.expect]) }
        if let text = given[.number] { number = try Self.number(text, line.spellings[.number]) }
        if let text = given[.timeout] { timeout = try Self.seconds(text) }
    }

    private static func number<Number: FixedWidthInteger>(_ text: String, _ option: String?) throws(Failure) -> Number {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Number(text) else {
            throw .usage("\(option ?? "the option") takes a whole number, not \(text.quoted())")
        }
        return number
    }

    private static func seconds(_ text: String) throws(Failure) -> Duration {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }), let seconds = Double(text),
            seconds > 0
        else { throw .usage("--timeout takes seconds above 0, as in 10 or 0.5, not \(text.quoted())") }
        return .seconds(min(seconds, longestTimeout))
    }

    /// Seconds; what is longer is as good as for ever.
    private static let longestTimeout = 1e9
}
