import Foundation
import TestSupport
import Testing

/// What the example applications say of themselves.
@Suite(.logsOnFailure) struct ExampleHelpTests {
    private static func session(_ program: String) throws -> ExampleSession {
        let folder = try #require(ExampleSession.all.first { $0.0 == program }).1
        return try ExampleSession(program, folder: folder, application: "org.settingsd.\(folder)")
    }

    @Test(arguments: ExampleSession.all.map(\.0)) func helpIsToldOfEachCommand(program: String) throws {
        let example = try Self.session(program)
        let help = try example.run("--help").stdout
        let list = try #require(help.range(of: "\nCommands\n"))
        let commands = help[list.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .compactMap { $0.hasPrefix("  ") && !$0.hasPrefix("   ") ? $0.split(separator: " ").first.map(String.init) : nil }
        #expect(commands.count > 3)
        for command in commands {
            let text = try example.run("help", command)
            #expect(text.status == .exited(0) && text.stdout.hasPrefix("usage: \(program) \(command)"), "\(text)")
            #expect(try example.run(command, "--help").stdout == text.stdout)
        }
        let wrong = try example.run("help", commands[0] + "x")
        #expect(wrong.status == .exited(2) && wrong.stderr.contains("did you mean \(program) help \(commands[0])?"), "\(wrong)")
    }

    /// Programs that read JSON go by what help says of it.
    @Test(
        arguments: [
            (
                "worldclock",
                [
                    ["add", "Tokyo", "Asia/Calcutta"], ["show"], ["list"], ["remove", "Tokyo"], ["search", "kolkata"],
                    ["search", "lord"],
                    ["meet"], ["hours", "9", "17"],
                ], ["pairs", "without", "unknown"]
            ),
            (
                "notes",
                [
                    ["new", "Shopping", "--content", "milk"], ["list"], ["show", "1"], ["favourite", "1"], ["unfavourite", "1"],
                    ["search", "milk"], ["delete", "1"], ["undo"], ["redo"],
                ], []
            ),
            (
                "hotels",
                [
                    ["show"], ["set", "--max-price", "100"], ["forget"], ["search", "hotels.json"], ["favourite", "harbour"],
                    ["unfavourite", "harbour"],
                ], ["problem"]
            ),
            (
                "legal",
                [["publish", "privacy", "--release", "1.2", "privacy.en.txt"], ["list"], ["show", "privacy"]],
                ["behind"]
            ),
        ] as [(String, [[String]], Set<String>)])
    func whatJSONHasIsWhatHelpSays(program: String, lines: [[String]], rare: Set<String>) throws {
        let example = try Self.session(program)
        let folder = try example.session.folder.folder("work")
        try Data("Privacy\n\nNone.\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/privacy.en.txt"))
        let hotels =
            #"[{"id": "harbour", "name": "H", "city": "C", "price": 1, "rating": 3.5, "distance": 2, "vacant": true}, 7]"#
        try Data(hotels.utf8).write(to: URL(fileURLWithPath: "\(folder)/hotels.json"))
        func run(_ words: [String]) throws -> String {
            let result = try RunningProcess(
                Products.path(program), words, environment: example.session.environment, folder: folder
            ).result()
            guard result.status == .exited(0) else { throw TestFailure("\(words): \(result)") }
            return result.stdout
        }
        var (told, found): (Set<String>, Set<String>) = ([], [])
        for line in lines {
            let help = try run(["help", line[0]])
            let shape = try #require(help.range(of: "With --json: "), "\(help)")
            var names = Set(
                help[shape.upperBound...].split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .compactMap { $0.isMultiple(of: 2) ? nil : String($1) })
            if help.contains("a NOTE as notes show has it") {
                names.formUnion(["id", "position", "title", "content", "favourite", "time"])
            }
            let keys = Self.keys(of: try JSONSerialization.jsonObject(with: Data(run(line + ["--json"]).utf8)))
            #expect(keys.isSubset(of: names), "\(line): \(keys.subtracting(names)) are not told")
            told.formUnion(names)
            found.formUnion(keys)
        }
        #expect(told.subtracting(found).subtracting(rare) == [])
    }

    /// The names of all members, but those of dictionaries by something else.
    private static func keys(of json: Any) -> Set<String> {
        switch json {
        case let object as [String: Any]:
            return object.reduce(into: Set(object.keys)) { found, member in
                if !["left_out", "without"].contains(member.key) { found.formUnion(keys(of: member.value)) }
            }
        case let array as [Any]: return array.reduce(into: []) { $0.formUnion(keys(of: $1)) }
        default: return []
        }
    }

    // MARK: What is wrong

    @Test(arguments: ExampleSession.all.map(\.0)) func aMisspeltNameIsNoEmptyProgram(program: String) throws {
        let example = try Self.session(program)
        let names = ["worldclock": "zonse", "legal": "privcy", "notes": "ntoes", "hotels": "odrer"]
        let name = try #require(names[program])
        let document = try example.session.folder.write(
            "{\n  \"\(name)\": []\n}", to: "home/.config/settingsd/apps/\(example.application).json")
        for arguments in [[], ["--json"]] {
            let result = try example.start([program == "hotels" ? "show" : "list"] + arguments).result()
            #expect(result.status == .exited(0))
            #expect(
                result.stderr.contains(
                    "\(document), line 2, column \(name == "privcy" ? 13 : 12): there is no setting \"\(name)\"; did you mean "),
                "\(result)")
            #expect(!result.stdout.contains("No zone is selected yet") && !result.stdout.contains("no notes"), "\(result)")
        }
    }

    @Test(arguments: ExampleSession.all.map(\.0)) func aBrokenSchemaOfItsOwnIsToldWithItsPlace(program: String) throws {
        let example = try Self.session(program)
        let file = try example.session.install("{\n  \"type\": \"objekt\"\n}", as: example.application)
        let other = try example.session.install("{", as: "org.example.Other")
        func run() throws -> CommandResult { try example.start([program == "hotels" ? "show" : "list"]).result() }
        try eventually("the broken schema") { try run().status != .exited(0) }
        let result = try run()
        #expect(result.stderr.contains("\(file), line 2, column "), "\(result)")
        #expect(!result.stderr.contains(other), "\(result)")
    }

    @Test func whatIsLockedIsMarked() throws {
        let clock = try Self.session("worldclock")
        let layer = #"{"zones": ["Asia/Tokyo"], "locked": ["zones"]}"#
        try clock.session.folder.write(layer, to: "etc/settingsd/apps/org.settingsd.WorldClock.json")
        try eventually("the layer") { try clock.run("list").stdout.contains("Tokyo") }
        #expect(try clock.run("list").stdout.hasSuffix("\nThe selection is locked by whoever administers this machine\n"))
        #expect(try clock.run("list", "--json").stdout.object()["locked"] as? Bool == true)
        let hotels = try Self.session("hotels")
        try hotels.session.folder.write(
            #"{"price": {"limit": 90}, "locked": ["price.limit"]}"#, to: "etc/settingsd/apps/org.settingsd.Hotels.json")
        try eventually("the layer") { try hotels.run("show").stdout.contains("90") }
        #expect(try hotels.run("show").stdout.contains("90  (locked)\n"))
        #expect(try hotels.run("show", "--json").stdout.object()["locked"] as? [String] == ["price.limit"])
    }
}
