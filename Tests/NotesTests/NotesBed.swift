import Foundation
import TestSupport
import Testing

/// The program with a daemon, in a home of its own.
struct NotesBed {
    let session: TestSession
    let daemon: RunningProcess
    let environment: [String: String]

    static let document = "home/.config/settingsd/apps/org.settingsd.Notes.json"
    /// Where texts are that could not be stored.
    static let drafts = "home/.local/state/org.settingsd.Notes"

    init(installs: Bool = true, limits: [String: Int] = [:]) throws {
        session = try TestSession(limits: limits)
        daemon = try session.startDaemon()
        let programs = (try Products.path("notes") as NSString).deletingLastPathComponent
        environment = session.environment.merging(["PATH": "\(programs):/usr/bin:/bin"]) { $1 }
        if installs { try run("--install") }
    }

    func start(_ arguments: [String], input: String = "", editor: String? = nil) throws -> RunningProcess {
        let environment = editor.map { self.environment.merging(["EDITOR": $0]) { $1 } } ?? environment
        return try RunningProcess(Products.path("notes"), arguments, environment: environment, input: input)
    }

    /// Runs the program to its end, which must be a success.
    @discardableResult
    func run(_ arguments: String..., input: String = "", editor: String? = nil) throws -> String {
        let result = try start(arguments, input: input, editor: editor).result()
        guard result.status == .exited(0) else { throw TestFailure("\(arguments): \(result)\n\(daemon.log)") }
        return result.stdout
    }

    /// Runs the program to its end, which must be a failure, and returns what it says.
    func failure(_ arguments: String..., input: String = "", editor: String? = nil, status: Int32) throws -> String {
        let result = try start(arguments, input: input, editor: editor).result()
        #expect(result.status == .exited(status), "\(arguments): \(result)")
        #expect(result.stdout.isEmpty)
        return result.stderr
    }

    /// Runs the program on a terminal.
    func terminal(_ line: String, editor: String) throws -> CommandResult {
        let environment = environment.merging(["EDITOR": editor, "TERM": "xterm"]) { $1 }
        return try RunningProcess("script", ["-qec", line, "/dev/null"], environment: environment).result()
    }

    @discardableResult
    func control(_ arguments: String...) throws -> String {
        let result = try session.startControl(["-a", "org.settingsd.Notes"] + arguments).result()
        guard result.status == .exited(0) else { throw TestFailure("\(arguments): \(result)") }
        return result.stdout
    }

    /// An editor that is a script; it gets the file as $1.
    func script(_ text: String) throws -> String {
        "'\(try session.folder.program("#!/bin/bash\nset -e\n\(text)\n", to: "editor \(UUID().uuidString)"))'"
    }

    /// Of an editor: waits for a file. An editor that nobody waits for any more ends with the folder that it is in.
    static func waiting(for file: String) -> String {
        "until [ -e '\(file)' ]; do [ -e \"$0\" ] || exit 1; sleep 0.01; done"
    }

    /// An editor that writes this text.
    func writing(_ text: String) throws -> String {
        let file = try session.folder.write(text, to: "text \(UUID().uuidString)")
        return try script("cat '\(file)' >\"$1\"")
    }

    struct Note: Decodable, Hashable {
        var id: String?
        var position: Int
        var title: String
        var content: String
        var favourite: Bool
        var time: String?
    }

    /// What is listed.
    func notes() throws -> [Note] {
        struct List: Decodable { var notes: [Note] }
        return try JSONDecoder().decode(List.self, from: Data(run("list", "--json").utf8)).notes
    }

    /// Titles and contents as they are listed.
    func texts() throws -> [String] {
        try notes().map { note in
            note.title + (note.content.isEmpty ? "" : "|\(note.content.replacingOccurrences(of: "\n", with: "|"))")
        }
    }

    /// What the texts that were kept are called.
    func draftNames() throws -> [String] {
        let folder = session.folder.path(Self.drafts)
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { String($0.suffix(6)) }
    }

    /// The texts that were kept in files.
    func drafts() throws -> [String] {
        let folder = session.folder.path(Self.drafts)
        let names =
            FileManager.default.fileExists(atPath: folder) ? try FileManager.default.contentsOfDirectory(atPath: folder) : []
        return names.compactMap { session.folder.read("\(Self.drafts)/\($0)/note.txt") }
    }
}
