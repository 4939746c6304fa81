import Foundation
import TestSupport
import Testing

/// What help shows, tried out.
@Suite struct HelpTests {
    private let session: TestSession
    private let work: String

    init() throws {
        session = try TestSession(activatable: true)
        try session.install()
        work = try session.folder.folder("work")
        try session.folder.program("#!/bin/sh\n", to: "bin/xdg-open")
    }

    /// Starts a line of bash in a folder that is the user's own, with an editor and a browser.
    private func start(_ line: String, input: String = "") throws -> RunningProcess {
        var environment = try session.shellEnvironment()
        environment["PATH"] = session.folder.path("bin") + ":" + (environment["PATH"] ?? "")
        environment["EDITOR"] = "true"
        return try RunningProcess("bash", ["-c", line], environment: environment, folder: work, input: input)
    }

    private func run(_ line: String, input: String = "") throws -> CommandResult { try start(line, input: input).result() }

    /// The first column of a section of a help text.
    private func column(of section: String, in help: String) throws -> [String] {
        let start = try #require(help.range(of: "\(section):\n"), "\(help)")
        return help[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .map { line in
                let text = line.drop { $0 == " " }
                return String(text[..<(text.range(of: "  ")?.lowerBound ?? text.endIndex)])
            }
    }

    @Test(arguments: [40, 60, 80, 200]) func noLineIsWiderThanTheTerminal(width: Int) throws {
        for topic in ["", "watch", "set", "import", "log"] {
            let line = "script -qec 'stty cols \(width); settingsctl help \(topic)' /dev/null"
            let text = try run(line).stdout.replacingOccurrences(of: "\r\n", with: "\n")
            let wide = text.split(separator: "\n").filter { $0.count > width && $0.contains(" ") }
            #expect(wide == [] && text.contains("settingsctl"), "\(text)")
        }
    }

    @Test func everyCommandExplainsItselfWithExamplesFirst() throws {
        let commands = try column(of: "Commands", in: run("settingsctl --help").stdout)
        #expect(commands.contains("set") && commands.contains("completions"))
        for command in commands {
            let help = try run("settingsctl help \(command)")
            #expect(help.status == .exited(0))
            #expect(help.stdout.hasPrefix("Examples:\n  settingsctl "), "\(command)")
            #expect(help.stdout.contains("\nUsage: settingsctl \(command)"), "\(command)")
            for line in ["settingsctl \(command) --help", "settingsctl -h \(command)"] { #expect(try run(line) == help) }
        }
    }

    /// Each example of each command, as it stands in the help, on settings that have values, a past and a future.
    @Test func everyExampleOfHelpDoesWhatItIsShownFor() throws {
        let commands = try column(of: "Commands", in: run("settingsctl --help").stdout)
        var tried = 0
        for command in commands {
            for example in try column(of: "Examples", in: run("settingsctl help \(command)").stdout) {
                let prepared = try run(
                    """
                    set -e; settingsctl reset --all
                    settingsctl set provider=tidal support.help=https://example.org/ support.contact=mailto:ada@example.org
                    rm -f settings.json; settingsctl export settings.json
                    echo '{"type": "object", "properties": {}}' > org.example.WorldClock.json
                    settingsctl set profile.name=Grace; settingsctl set profile.name=Ada; settingsctl undo
                    """)
                #expect(prepared.status == .exited(0), "\(prepared)")
                if command == "watch" {
                    try follow(example)
                } else {
                    let input = session.folder.read("work/settings.json") ?? ""
                    let result = try run("exec \(example)", input: input)
                    #expect(result.status == .exited(0), "\(example): \(result)")
                }
                tried += 1
            }
        }
        #expect(tried > commands.count)
    }

    /// Runs an example that goes on, until it has told of a change.
    private func follow(_ example: String) throws {
        let watch = try start("exec \(example)")
        try watch.waitForOutput(example.contains("provider") ? "tidal" : "Grace")
        #expect(try run("settingsctl set provider=qobuz profile.name=Hopper").status == .exited(0))
        try watch.waitForOutput(example.contains("provider") ? "qobuz" : "Hopper")
        // What jq makes of the event.
        if example.contains("--exec") { try watch.waitForOutput("\nHopper\n") }
        try watch.end(SIGINT)
        #expect(watch.stderr.isEmpty, "\(example): \(watch.log)")
    }
}
