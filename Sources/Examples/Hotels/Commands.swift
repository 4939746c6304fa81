import ExampleSupport
import Foundation
import SettingsClient
import SettingsCommand

/// What the program does, a function a command.
enum Commands {
    // MARK: What is looked for

    static func show(_ invocation: Invocation) throws {
        let client = try invocation.connect()
        invocation.print(try SearchReport(client, drawing: invocation.drawing))
    }

    static func set(_ invocation: Invocation) throws {
        let changes = try invocation.changes()
        if changes.isEmpty {
            throw Failure.usage(
                "nothing is given to set", hint: "as in: hotels set --max-price 120; hotels --help lists the others")
        }
        let client = try invocation.connect()
        try client.dispatchAndWait(Action("Search", changes))
        invocation.print(try SearchReport(client, drawing: invocation.drawing))
    }

    static func forget(_ invocation: Invocation) throws {
        let client = try invocation.connect()
        do throws(ClientError) {
            try client.dispatchAndWait(Action("ForgetSearch"))
        } catch {
            guard error.kind == .refused(.locked) else { throw error }
            try forgetUnlocked(client, invocation)
        }
        invocation.print(try SearchReport(client, drawing: invocation.drawing))
    }

    /// Resets what an administrator has not locked, and tells what stays.
    private static func forgetUnlocked(_ client: ApplicationClient, _ invocation: Invocation) throws {
        let settings = try client.describeAndWait().settings.filter { $0.key != "favourites" }
        let unlocked = settings.filter { !$0.description.isLocked }.map(\.key)
        if !unlocked.isEmpty { try client.dispatchAndWait(.resetValues(unlocked)) }
        let locked = settings.filter(\.description.isLocked).map(\.key)
        invocation.remark("locked by whoever administers this machine, and left as it is: \(locked.joined(separator: ", "))")
    }

    // MARK: Looking

    static func search(_ invocation: Invocation) throws {
        var changes = try invocation.changes()
        var operands = invocation.operands
        if operands.count == 2 {
            if changes["text"] != nil { throw Failure.usage("the text is given twice") }
            changes["text"] = .string(operands.removeFirst())
        }
        let path = operands.first ?? "-"
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw Failure.usage(
                "a file with hotels is missing", hint: "to try it: hotels sample >hotels.json; hotels search hotels.json")
        }
        if path == "-" { try invocation.requireStandardInput() }
        let limit = try invocation["top"].map { text throws(Failure) in
            guard let limit = Int(text), limit > 0 else { throw .usage("--top takes a whole number from 1 on, not \(text)") }
            return limit
        }
        var reader = try HotelReader(path)
        let client = try invocation.connect()
        var findings = Findings(try search(changes, client, invocation), limit: limit ?? .max)
        let summary = try reader.read { findings.take($0) }
        invocation.print(FindingsReport(findings, summary, drawing: invocation.drawing))
    }

    /// What is looked for after these changes; they are for this look alone where one of them is of a locked setting.
    private static func search(
        _ changes: [String: SettingValue], _ client: ApplicationClient, _ invocation: Invocation
    ) throws -> Search {
        if changes.isEmpty { return try client.settings(as: Search.self) }
        do throws(ClientError) {
            try client.dispatchAndWait(Action("Search", changes))
            return try client.settings(as: Search.self)
        } catch {
            guard error.kind == .refused(.locked) else { throw error }
            invocation.remark("\(error.message); what is given counts for this look alone")
            return try client.settings(as: Search.self).changed(changes)
        }
    }

    static func watch(_ invocation: Invocation) throws {
        let path = invocation.operands[0]
        if path == "-" { throw Failure.usage("watch takes a file, which may change") }
        let client = try invocation.connect()
        let file = try HotelFile(path)
        let drawing = invocation.drawing
        // A terminal has not as many lines.
        let limit = Terminal.size == nil || invocation.has("json") ? Int.max : 1000
        let loop = try invocation.loop()
        let begin = { again in try loop.watchFile(path, changed: again) }
        try invocation.follow(client, begin: begin) { settings in
            file.find(try settings.settings(as: Search.self), limit: limit, drawing: drawing)
        }
    }

    static func sample(_ invocation: Invocation) throws {
        FileHandle.standardOutput.write(Data(PackageResources.sample_json))
    }

    // MARK: Favourites

    static func favourite(_ invocation: Invocation) throws {
        try change("AddFavourite", invocation) { $0 ? "a favourite already" : "a favourite now" }
    }

    static func unfavourite(_ invocation: Invocation) throws {
        try change("RemoveFavourite", invocation) { $0 ? "no favourite any more" : "no favourite anyway" }
    }

    /// - Parameter words: what is said of a hotel that was a favourite before, or was not.
    private static func change(_ action: String, _ invocation: Invocation, _ words: (Bool) -> String) throws {
        let client = try invocation.connect()
        let before = try client.value(of: "favourites", as: [String].self)
        let revision = try client.dispatchAndWait(invocation.operands.map { Action(action, ["hotel": .string($0)]) })
        let done = invocation.operands.map { "\($0): \(words(before.contains($0)))" }
        invocation.print(Done(done: done, favourites: try client.value(of: "favourites"), revision: revision))
    }
}

/// What a command has done.
private struct Done: Report {
    var done: [String]
    var favourites: [String]
    var revision: UInt64

    func lines(width: Int) -> [Line] { done.map { Line($0) } }
}
