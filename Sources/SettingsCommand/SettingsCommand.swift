internal import DBus
internal import Glibc
internal import SettingsBus
internal import SettingsModel

/// The command line `settingsctl`.
public enum SettingsCommand {
    /// Carries out a command line.
    ///
    /// - Parameters:
    ///   - count: the number of arguments.
    ///   - arguments: as main(3) gets them, the program's name first.
    /// - Returns: the exit status.
    public static func main(
        _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
        ProcessEnvironment.claimStandardStreams()
        var command: Command?
        var messages = Messages()
        do throws(Failure) {
            let arguments = unsafe try text(of: arguments, count: Int(count))
            messages.json = arguments.prefix { $0 != "--" }.contains("--json")
            let line = try ParsedLine(arguments)
            messages.isQuiet = line.options[.quiet] != nil
            try run(line, command: &command, messages: messages)
            return ExitStatus.done.rawValue
        } catch {
            messages.report(error, of: command?.name)
            return error.status.rawValue
        }
    }

    private static func run(_ line: ParsedLine, command: inout Command?, messages: Messages) throws(Failure) {
        let output = Output()
        if line.options[.version] != nil {
            output.line("settingsctl \(SettingsVersion.current)")
            return try output.flush()
        }
        let application = line.options[.app] ?? ""
        let found = try CommandTable.command(named: line.name, followedBy: line.operands, application: application)
        if line.options[.help] != nil {
            Help.print(line.name == nil ? nil : found, on: output)
            return try output.flush()
        }
        command = found
        do throws(Failure) {
            let options = try Options(line, of: found)
            try found.operands.check(line.operands, of: found.name)
            let session = Session(options)
            // The connection ends with the process, faster than it could be taken apart before that.
            _ = unsafe Unmanaged.passRetained(session)
            try found.run(
                Invocation(
                    command: found, operands: line.operands, options: options, output: output, messages: messages,
                    session: session))
        } catch {
            // What was found out before the failure is worth seeing.
            try output.flush()
            throw error.hinting(at: application)
        }
        try output.flush()
    }

    /// The arguments without the program's name.
    ///
    /// - Throws: `Usage` for one that is not UTF-8.
    private static func text(
        of arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int
    ) throws(Failure) -> [String] {
        var result: [String] = []
        for index in 1..<max(count, 1) {
            guard let argument = unsafe arguments[index] else { break }
            // What is not UTF-8 is repaired, and then another text.
            let text = unsafe String(copying: argument)
            guard unsafe text.withCString({ unsafe strcmp($0, argument) }) == 0 else {
                throw .usage(
                    "argument \(index), \(text.quoted()), is not valid UTF-8",
                    hint: "settings are UTF-8; convert the text, as with iconv")
            }
            result.append(text)
        }
        return result
    }
}
