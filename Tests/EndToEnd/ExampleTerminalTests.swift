import Foundation
import TestSupport
import Testing

/// What all example applications have in common: how they use a terminal, and what they say of broken files.
@Suite(.logsOnFailure) struct ExampleTerminalTests {
    private static func session(_ program: String) throws -> ExampleSession {
        let folder = try #require(ExampleSession.all.first { $0.0 == program }).1
        return try ExampleSession(program, folder: folder, application: "org.settingsd.\(folder)")
    }

    /// Nothing is cut, and no line is broken by the terminal but one with a longer word.
    @Test(
        arguments: [
            (
                "worldclock", ["$P add Tokyo 'New York' Kathmandu"],
                [
                    ("$P search --at 2026-03-10T12:00Z argentina/", ["America/Argentina/Tucuman", "Tucuman (TM)"]),
                    ("$P meet --date 2026-03-10 --from 0 --to 24", ["Tuesday 10 March 2026", "Kathmandu"]), ("$P", ["New York"]),
                ]
            ),
            (
                "notes", ["$P new A title that is longer than the screen, and then some --favourite", "$P new Short"],
                [("$P", ["★ A title that is longer than the scr…", " Short"]), ("$P search the", ["  20"])]
            ),
            (
                "hotels", ["$P sample >hotels.json"],
                [
                    ("$P search --max-price 120 hotels.json", ["Harbour View", "harbour", "3 of 6 hotels"]),
                    ("$P search --max-price 1 hotels.json", ["--max-price 1 leaves out 6 of 6"]),
                ]
            ),
            (
                "legal",
                ["printf 'Privacy policy\\n\\nNone.\\n' >privacy.en.txt", "$P publish privacy --release 1.2 privacy.en.txt"],
                [("$P list", ["Privacy policy", "org.settingsd.Legal.json"])]
            ),
        ] as [(String, [String], [(String, [String])])])
    func whatIsListedFitsANarrowTerminal(program: String, preparation: [String], cases: [(String, [String])]) throws {
        let example = try Self.session(program)
        let folder = "cd '\(example.session.folder.path("."))'"
        for line in preparation { _ = try example.terminal("\(folder); \(line)") }
        for (line, texts) in cases {
            let shown = try example.terminal("\(folder); \(line)", columns: 40, environment: ["NO_COLOR": "1", "TZ": "UTC"])
            for text in texts { #expect(shown.contains(text), "\(line): \(shown)") }
            for row in shown.split(separator: "\n") {
                let isWord = row.drop { $0 == " " }.allSatisfy { $0 != " " }
                #expect(row.count <= 40 || isWord, "\(line): \(row)")
            }
        }
    }

    @Test(arguments: [
        ("worldclock", ["add", "Tokyo"]), ("worldclock", ["hours", "9", "17"]), ("worldclock", []), ("notes", ["new", "X"]),
        ("notes", ["list"]), ("hotels", ["set", "--order", "name"]), ("hotels", ["favourite", "x"]), ("hotels", ["show"]),
        ("legal", ["list"]), ("legal", ["show", "privacy"]),
    ])
    func aBrokenFileIsToldOnce(program: String, arguments: [String]) throws {
        let example = try Self.session(program)
        let document = "home/.config/settingsd/apps/\(example.application).json"
        for (text, fault) in [("{", "is damaged: "), ("{\"zones\": 7, \"notes\": 7, \"order\": 7, \"privacy\": 7}", ", line ")] {
            try example.session.folder.write(text, to: document)
            let path = example.session.folder.path(document)
            try eventually("the edit") {
                try example.control("status", "--json").stdout.object()["problems"] as? [String] != []
            }
            for options in [[], ["--json"]] {
                let result = try example.start(arguments + options).result()
                let told = result.stderr.replacingOccurrences(of: "\\/", with: "/")
                #expect(told.components(separatedBy: path + (fault == ", line " ? fault : " " + fault)).count <= 2, "\(result)")
                // An error that says it is told alone, so that a program can read it.
                let lines = told.split(separator: "\n")
                if options != [], let error = lines.first(where: { $0.hasPrefix("{") }), error.contains(path) {
                    #expect(lines.count == 1, "\(result)")
                }
                #expect(!result.stdout.contains(path), "\(result)")
            }
        }
    }

    /// What is typed does not land on the screen, q ends it, and the terminal is as it was at every end.
    @Test(arguments: [
        ("worldclock", "q"), ("notes", "xyz q"), ("hotels", "q"), ("legal", "q"), ("worldclock", "\u{3}"), ("notes", "\u{1A}"),
    ]) func keysAreTakenWhileItWatches(program: String, keys: String) throws {
        let example = try Self.session(program)
        let file = program == "hotels" ? "'\(try example.session.folder.write("[]", to: "hotels.json"))'" : ""
        // A terminal whose other end is ours; the shell tells the state before and after.
        let script = """
            import os, pty, select, sys, time
            pid, fd = pty.fork()
            if pid == 0: os.execvp("bash", ["bash", "--norc", "-ic", sys.argv[1]])
            seen, typed, deadline = b"", False, time.time() + 20
            while time.time() < deadline:
                if not select.select([fd], [], [], 0.1)[0]: continue
                try: data = os.read(fd, 65536)
                except OSError: break
                if not data: break
                seen += data
                if not typed and b"q ends" in seen:
                    typed = True
                    os.write(fd, sys.argv[2].encode())
            sys.stdout.buffer.write(seen)
            """
        let line =
            "stty -a | md5sum; '\(try Products.path(program))' watch \(file); kill %1 2>/dev/null; stty -a | md5sum; echo over"
        let environment = example.session.environment.merging(["TERM": "xterm"]) { $1 }
        let result = try RunningProcess("python3", ["-c", script, line, keys], environment: environment).result()
        let states = result.stdout.split(whereSeparator: \.isNewline).filter { $0.contains("  -") }.map { $0.suffix(35) }
        #expect(states.count == 2 && states.first == states.last, "\(result)")
        #expect(result.stdout.contains("over") && !result.stdout.contains("xyz"), "\(result)")
    }
}
