import Foundation
import TestSupport
import Testing

/// How the example applications read their arguments; none of this needs a daemon.
@Suite struct ExampleArgumentTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: [String]) throws -> CommandResult {
        let environment = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin"]
        return try RunningProcess(Products.path(words[0]), Array(words.dropFirst()), environment: environment).result()
    }

    @Test(arguments: [
        ("worldclock add", "ZONE|CITY is missing", "usage: worldclock add ZONE|CITY…"),
        ("worldclock hours 9", "TO is missing", "usage: worldclock hours FROM TO"),
        ("worldclock search a b", "unexpected argument \"b\"", "usage: worldclock search TEXT"),
        ("legal publish imprint", "FILE is missing", "usage: legal publish imprint|privacy|licence FILE…"),
        ("legal show", "imprint|privacy|licence is missing", "usage: legal show imprint|privacy|licence"),
        ("legal list all", "unexpected argument \"all\"", "usage: legal list"),
        ("notes show", "NOTE is missing", "usage: notes show NOTE"),
        ("notes edit a - b", "unexpected argument \"b\"", "usage: notes edit NOTE [-]"),
        ("hotels watch", "FILE is missing", "usage: hotels watch FILE"),
        ("hotels search a b c", "unexpected argument \"c\"", "usage: hotels search [TEXT] [FILE]"),
        ("worldclock serch india", "there is no command serch", "did you mean worldclock search?"),
        ("worldclock --frm 8 meet", "there is no option --frm", "did you mean --from?"),
        ("worldclock -json", "there is no option -json", "did you mean --json?"),
        ("worldclock Tokyo", "there is no command Tokyo", "worldclock --help lists them"),
        ("legal publsh", "there is no command publsh", "did you mean legal publish?"),
        ("legal --langauge de", "there is no option --langauge", "did you mean --language?"),
        ("legal show privcy", "privcy is nothing that is published", "did you mean privacy?"),
        ("notes lst", "there is no command lst", "did you mean notes list?"),
        ("notes favorite 1", "there is no command favorite", "did you mean notes favourite?"),
        ("hotels set --order prise", "--order takes price, rating, name, distance, not prise", "did you mean price?"),
        ("hotels --max-prise 3", "there is no option --max-prise", "did you mean --max-price?"),
    ])
    func whatIsMissingOrTooMuchOrMisspeltIsNamed(_ line: String, _ message: String, _ hint: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let result = try run(words)
        #expect(result.status == .exited(2))
        #expect(result.stderr == "\(words[0]): \(message)\nhint: \(hint)\n")
    }

    @Test(arguments: [
        (["worldclock", "add", "Tokyo", ""], "ZONE|CITY is empty"), (["worldclock", ""], "there is no command \"\""),
        (["worldclock", "--at", ""], "--at needs a value that is not empty: TIME"),
        (["worldclock", "--at="], "--at needs a value that is not empty: TIME"),
        (["legal", "list", "--language", ""], "--language needs a value that is not empty: LANGUAGE"),
        (["legal", "publish", "imprint", "--to", "", "a.en.txt"], "--to needs a value that is not empty: FILE"),
        (["notes", "show", ""], "NOTE is empty"), (["notes", "search", ""], "WORD is empty"),
        (["hotels", "watch", ""], "FILE is empty"),
        (["hotels", "set", "--order", ""], "--order needs a value that is not empty"),
    ])
    func anEmptyArgumentIsRefusedInWords(_ words: [String], _ message: String) throws {
        let result = try run(words)
        #expect(result.status == .exited(2))
        #expect(result.stderr.hasPrefix("\(words[0]): \(message)"), "\(result)")
    }

    @Test(arguments: ["worldclock", "legal", "notes", "hotels"])
    func theVersionIsTold(_ program: String) throws {
        let result = try run([program, "--version"])
        #expect(result.status == .exited(0))
        #expect(try #/[a-z]+ \d+\.\d+\.\d+\n/#.wholeMatch(in: result.stdout) != nil && result.stdout.hasPrefix(program))
        #expect(try run([program, "--help"]).stdout.contains("  --version "))
    }

    @Test(arguments: [40, 80]) func theHelpGoesIntoATerminal(_ width: Int) throws {
        for program in ["worldclock", "legal", "notes", "hotels"] {
            let line = "stty cols \(width) rows 24; LC_ALL=C.UTF-8 TERM=dumb '\(try Products.path(program))' --help"
            let shown = try RunningProcess("script", ["-qec", line, "/dev/null"], environment: ["PATH": "/usr/bin:/bin"]).result()
            let lines = shown.stdout.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
            #expect(lines.count > 20)
            // What is typed is never broken.
            let typed = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("        ") }.map(\.count).max() ?? 0
            #expect(lines.allSatisfy { $0.count <= max(width, typed) }, "\(shown.stdout)")
            #expect(lines.contains { $0.hasPrefix("  --help") || $0 == "  --help" })
        }
    }
}
