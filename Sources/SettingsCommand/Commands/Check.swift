internal import Glibc
internal import JSON
internal import SettingsModel
internal import SettingsSchemas

extension Command {
    static let check = Command(
        .check, summary: "Says whether an application's schema file is right, before it is installed",
        operands: Operands(.file),
        examples: [
            Example("check org.example.WorldClock.json", "finds everything that is wrong with the file"),
            Example("check --json org.example.WorldClock.json", "tells it to an editor"),
        ],
        details: """
            The file's name is the application's id and .json; installed, it lies in ~/.local/share/settingsd/schemas or \
            in the same place below another data folder. For - the text comes from standard input, and its name does not count. \
            No daemon is asked.
            Prints FILE:LINE:COLUMN: WHAT for each fault, and nothing for a file that is right. With --json: \
            {"faults","file"}, each fault being {"column","line","message"}.
            """,
        run: { invocation throws(Failure) in
            let path = invocation.operands[0]
            let faults = try faults(of: path)
            let name = UserFile.name(of: path)
            if invocation.options.json {
                invocation.output.line(["file": .string(name), "faults": .array(faults.map(\.json))])
            } else {
                for fault in faults {
                    invocation.output.line(invocation.output.shown("\(name):\(fault.place): \(fault.message)"))
                }
            }
            guard faults.isEmpty else {
                throw Failure(SettingsError(.invalidValue, "\(name) has \(faults.count.counted("fault"))"))
            }
        })

    private static func faults(of path: String) throws(Failure) -> [SchemaFault] {
        if path == "-" { return SchemaFile.faults(in: try UserFile.read(path), application: nil) }
        guard unsafe access(path, R_OK) == 0 else { throw .failed("cannot read \(path): \(systemMessage(errno))") }
        return SchemaFile.faults(ofFile: path, application: application(path))
    }

    /// The application whose schema a file of this name would be.
    private static func application(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        return name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name
    }
}

extension SchemaFault {
    /// What concerns the file as a whole is shown at its start.
    private var start: JSONPosition { position ?? JSONPosition(line: 1, column: 1) }

    fileprivate var place: String { "\(start.line):\(start.column)" }

    fileprivate var json: JSONValue {
        ["line": JSONValue(Int64(start.line)), "column": JSONValue(Int64(start.column)), "message": .string(message)]
    }
}
