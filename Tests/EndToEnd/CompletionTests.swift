import Foundation
import TestSupport
import Testing

/// Completion as somebody at a shell gets it: real shells with the real scripts, and no daemon or bus.
@Suite struct CompletionTests {
    /// What is typed before the Tab key, what is then offered, and what is not.
    struct Case: Sendable {
        let line: String
        let offered: Set<String>
        var absent: Set<String> = []
    }

    static let cases = [
        Case(line: "", offered: ["list", "set", "watch", "completions", "help"], absent: ["profile.name", "--json"]),
        Case(line: "des", offered: ["describe"], absent: ["get"]),
        Case(line: "--", offered: ["--json", "--version", "--no-start"], absent: ["--exec", "list"]),
        Case(line: "get ", offered: ["provider", "provider.id", "support.help"], absent: ["support", "none"]),
        Case(line: "get prov", offered: ["provider", "provider.id", "provider.account"], absent: ["profile.name"]),
        Case(line: "get provider ", offered: [], absent: ["provider", "none"]),
        Case(line: "--json -q get pro", offered: ["provider", "profile.name"]),
        Case(line: "--timeout 3 ge", offered: ["get"]),
        Case(line: "get --timeout ", offered: [], absent: ["profile.name", "get"]),
        Case(line: "list ", offered: ["profile", "support", "provider", "profile.name"]),
        Case(line: "list profile su", offered: ["support", "support.terms"], absent: ["profile"]),
        Case(line: "set pro", offered: ["provider", "profile.name"], absent: ["provider="]),
        Case(line: "set provider ", offered: ["spotify", "none", "custom:"], absent: ["provider", "provider="]),
        Case(line: "set provider --json -- so", offered: ["soundcloud"], absent: ["spotify"]),
        Case(line: "set provider tidal ", offered: [], absent: ["spotify", "provider", "provider="]),
        Case(line: "set provider=", offered: ["spotify", "none", "custom:"], absent: ["provider"]),
        Case(line: "set provider.id=sp", offered: ["spotify"], absent: ["tidal"]),
        Case(line: "set provider=tidal prof", offered: ["profile.name=", "profile.email="], absent: ["profile.name"]),
        Case(line: "set provider=tidal profile.avatar=", offered: ["https:", "file:"], absent: ["mailto:"]),
        Case(line: "set profile.name ", offered: [], absent: ["none", "profile.name"]),
        Case(line: "reset --", offered: ["--all", "--json"], absent: ["--exec"]),
        Case(line: "log -", offered: ["-n", "--number", "-q"]),
        Case(line: "watch --exec tru", offered: ["true"], absent: ["profile.name"]),
        Case(line: "watch --exec true provider.a", offered: ["provider.account"]),
        Case(line: "dispatch Sel", offered: ["SelectProvider"], absent: ["SetValues"]),
        Case(line: "dispatch UpdateProfile ", offered: ["name=", "email=", "avatar="], absent: ["provider="]),
        Case(line: "dispatch SelectProvider provider=so", offered: ["soundcloud"], absent: ["spotify"]),
        Case(line: "dispatch SetSupportLink link=", offered: ["help", "terms"], absent: ["profile"]),
        Case(line: "dispatch SetSupportLink link=help url=", offered: ["https:", "mailto:"], absent: ["file:"]),
        Case(line: "dispatch Undo ", offered: [], absent: ["provider="]),
        Case(line: "open ", offered: ["help", "licenses"], absent: ["support.help"]),
        Case(line: "import set", offered: ["settings.json"], absent: ["set"]),
        Case(line: "export ", offered: ["settings.json"], absent: ["list"]),
        Case(line: "help d", offered: ["describe", "dispatch", "doctor"], absent: ["get"]),
        Case(line: "completions ", offered: ["bash", "zsh", "fish"], absent: ["list"]),
        Case(line: "-a ", offered: ["org.example.WorldClock", "org.example.Lamp"], absent: ["list"]),
        Case(line: "-a org.example.WorldClock get ", offered: ["meeting.start", "zones"], absent: ["profile.name"]),
        Case(line: "get --app=org.example.WorldClock z", offered: ["zones"], absent: ["meeting.start"]),
        Case(line: "-a org.example.WorldClock set seconds ", offered: ["true", "false"]),
        Case(line: "dispatch -a org.example.WorldClock AddZ", offered: ["AddZone", "AddZoneAt"], absent: ["Ring"]),
        Case(line: "dispatch -a org.example.WorldClock SetMeeting ", offered: ["hour="], absent: ["name="]),
        Case(line: "-a org.example.Lamp ", offered: ["insert", "check", "apps"], absent: ["mode"]),
        Case(line: "-a org.example.Lamp set mode ", offered: ["bright", "dim"], absent: ["red", "mode"]),
        Case(line: "-a org.example.Lamp set mode=", offered: ["bright", "dim"], absent: ["red"]),
        Case(line: "-a org.example.Lamp set level ", offered: ["1", "2", "3"]),
        Case(line: "-a org.example.Lamp set colours ", offered: [], absent: ["red"]),
        Case(line: "-a org.example.Lamp insert ", offered: ["colours"], absent: ["profile.name", "mode", "level"]),
        Case(line: "-a org.example.WorldClock remove ", offered: ["alarms", "zones"], absent: ["seconds", "meeting.start"]),
        Case(line: "insert ", offered: [], absent: ["profile.name", "provider"]),
        Case(line: "actions Sel", offered: ["SelectProvider"], absent: ["SetValues"]),
        Case(line: "-a org.example.Lamp insert colours r", offered: ["red"], absent: ["blue"]),
        Case(line: "-a org.example.Lamp remove colours red ", offered: ["red", "blue"], absent: ["colours"]),
        Case(line: "-a org.example.Lamp insert mode ", offered: [], absent: ["dim"]),
        Case(line: "-a org.example.Lamp dispatch ", offered: ["Shine", "Dye", "InsertValue"], absent: ["SelectProvider"]),
        Case(line: "-a org.example.Lamp dispatch Shine ", offered: ["how=", "mode=", "now="], absent: ["colour="]),
        Case(line: "-a org.example.Lamp dispatch Shine how=", offered: ["softly", "loudly"], absent: ["dim"]),
        Case(line: "-a org.example.Lamp dispatch Shine mode=", offered: ["dim", "bright"], absent: ["softly"]),
        Case(line: "-a org.example.Lamp dispatch Shine mode=dim now=", offered: ["true", "false"]),
        Case(line: "-a org.example.Lamp dispatch Dye colour=", offered: ["red", "blue"]),
        Case(line: "-a org.example.Nobody get ", offered: [], absent: ["profile.name"]),
        Case(line: "check se", offered: ["settings.json"], absent: ["set"]),
        Case(line: "apps ", offered: [], absent: ["org.example.Lamp"]),
        Case(line: "status ", offered: [], absent: ["list", "profile.name"]),
        Case(line: "nonsense ", offered: [], absent: ["list", "profile.name"]),
    ]

    private static let lamp = """
        { "type": "object",
          "properties": {
            "mode": { "type": "string", "enum": ["bright", "dim"], "default": "dim" },
            "level": { "type": "integer", "enum": [1, 2, 3], "default": 1 },
            "colours": { "type": "array", "items": { "type": "string", "enum": ["red", "blue"] }, "default": [] } },
          "actions": {
            "Shine": {
              "arguments": { "how": { "type": "string", "enum": ["softly", "loudly"] }, "mode": { "type": "string" },
                "now": { "type": "boolean" } },
              "edits": [ { "set": "mode", "to": { "argument": "mode" } } ] },
            "Dye": { "arguments": { "colour": { "type": "string" } },
              "edits": [ { "insert": "colours", "value": { "argument": "colour" } } ] } } }
        """

    private let folder = try! TemporaryFolder()

    /// Runs a script in a folder with one file, `settings.json`, and returns the lines of its file `offered` for each case,
    /// which an empty line ends.
    private func offers(by shell: String, running command: [String], input: String) throws -> [Set<String>] {
        let program = try Products.path("settingsctl")
        let environment = [
            "PATH": "\((program as NSString).deletingLastPathComponent):/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb",
            "LANG": "C.UTF-8",
        ]
        try folder.write("{}", to: "settings.json")
        try folder.write(WorldClock.schema(), to: ".local/share/settingsd/schemas/\(WorldClock.id).json")
        try folder.write(Self.lamp, to: ".local/share/settingsd/schemas/org.example.Lamp.json")
        try folder.write("", to: "offered")
        let script = try RunningProcess(program, ["completions", shell], environment: environment).result()
        #expect(script.status == .exited(0) && script.stderr.isEmpty)
        try folder.write(script.stdout, to: "script")
        let run = try RunningProcess(
            command[0], Array(command.dropFirst()), environment: environment, folder: folder.path, input: input)
        #expect(try run.waitForExit() == .exited(0), "\(run.log)")
        let blocks = (folder.read("offered") ?? "").components(separatedBy: "END\n").dropLast()
        guard blocks.count == Self.cases.count else { throw TestFailure("\(blocks.count) answers\n\(run.log)") }
        return blocks.map { Set($0.split(separator: "\n").map(String.init)) }
    }

    private func check(_ offers: [Set<String>], in shell: String) {
        for (test, offered) in zip(Self.cases, offers) {
            // Some shells name what has been typed before the = as well.
            let typed = test.line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
            let before = typed.lastIndex(of: "=").map { typed[...$0] } ?? ""
            let words = Set(offered.map { $0.hasPrefix(before) ? String($0.dropFirst(before.count)) : $0 })
            #expect(test.offered.isSubset(of: words), "\(shell): \(test.line): \(words.sorted())")
            #expect(test.absent.isDisjoint(with: words), "\(shell): \(test.line): \(words.sorted())")
            if test.offered.isEmpty { #expect(words.isEmpty, "\(shell): \(test.line): \(words.sorted())") }
        }
    }

    /// Bash puts every candidate into the line (M-*); the line then runs, and a function writes down what it was given.
    @Test func bashOffersWhatFits() throws {
        var input = """
            source ./script; PS1=; bind 'set enable-bracketed-paste off'; bind '"\\C-o": insert-completions'
            settingsctl() { printf '%s\\n' "${@:before}" >> offered; }

            """
        for test in Self.cases {
            let words = test.line.split(separator: " ", omittingEmptySubsequences: false)
            input += "before=\(words.count); settingsctl \(test.line)\u{0F}\necho END >> offered\n"
        }
        try folder.write(input + "exit\n", to: "keys")
        let offers = try offers(by: "bash", running: ["script", "-qec", "bash --norc -i", "/dev/null"], input: input + "exit\n")
        // Where nothing fits, what was typed stays.
        check(
            zip(Self.cases, offers).map { test, offered in
                test.offered.isEmpty
                    ? offered.subtracting([String(test.line.split(separator: " ", omittingEmptySubsequences: false).last ?? "")])
                    : offered
            }, in: "bash")
    }

    /// Zsh hands each candidate to compadd, which writes it down here.
    @Test func zshOffersWhatFits() throws {
        var input = """
            PS1=; unset zle_bracketed_paste; LISTMAX=1000; autoload -Uz compinit; compinit -u -D; source ./script
            compadd() { local -a hits; builtin compadd -O hits "$@"; print -rl -- $hits >> offered; builtin compadd "$@"; }
            bindkey -e; bindkey '^O' complete-word; settingsctl() { :; }

            """
        for test in Self.cases { input += "settingsctl \(test.line)\u{0F}\nprint -r END >> offered\n" }
        check(try offers(by: "zsh", running: ["script", "-qec", "zsh -f -i", "/dev/null"], input: input + "exit\n"), in: "zsh")
    }

    @Test func fishOffersWhatFits() throws {
        var input = "source script\n"
        for test in Self.cases {
            input += "complete -C 'settingsctl \(test.line)' | string replace -r '\\t.*' '' >> offered; echo END >> offered\n"
        }
        check(try offers(by: "fish", running: ["fish", "--no-config"], input: input), in: "fish")
    }
}
