internal import JSON
internal import SettingsModel
internal import SettingsSchemas

extension Command {
    static let apps = Command(
        .apps, summary: "Lists the applications whose settings are here, for --app",
        operands: .none,
        examples: [
            Example("apps", "lists every application that has installed a schema"),
            Example("apps --json", "tells programs their titles and files"),
        ],
        details: """
            Looks for the schema files itself, as the daemon does; no daemon is asked. Into a pipe it writes APP, a tab and the \
            title; for a file that is no schema, in place of the title, broken: and what is wrong with it. With --json: an \
            object by application, each with "file", "problems" and "title".
            """,
        run: { invocation throws(Failure) in
            let listing = InstalledSchemas.folders.listing()
            let applications = listing.entries.map { InstalledApplication($0) }
            if invocation.options.json {
                let entries = applications.map { (key: $0.id, value: $0.json) }
                invocation.output.line(.object(JSONObject(entries)))
            } else {
                TextTable(
                    applications.map { TextTable.Row(cells: [$0.id, $0.problems.first.map { "broken: \($0)" } ?? $0.title]) }
                ).print(on: invocation.output)
            }
            for problem in listing.problems { invocation.messages.notice(problem, of: invocation.command.name) }
            if applications.isEmpty { invocation.messages.notice("no application has installed a schema", of: "apps") }
        })
}

/// An application whose schema file is there.
struct InstalledApplication {
    let id: String
    let file: String
    var title = ""
    /// What is wrong with the file.
    var problems: [String] = []

    init(_ entry: SchemaFolders.Entry) {
        id = entry.application
        file = entry.path
        do throws(SchemaFaults) {
            title = try SchemaFile.read(entry.path, application: entry.application).title
        } catch {
            problems = error.faults.map { "\(entry.path), \($0)" }
        }
    }

    fileprivate var json: JSONValue { ["file": .string(file), "problems": JSONValue(problems), "title": .string(title)] }
}
