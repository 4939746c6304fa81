import DBus
import EventLoop
import Foundation
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// What a client leaves behind, and what it costs while nothing happens. Counted in processes of their own.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientLifetimeTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
    }

    private func probe(_ arguments: String...) throws -> CommandResult {
        try RunningProcess(Products.path("ClientProbe"), arguments, environment: session.environment).result()
    }

    @Test func clientsThatAreLetGoLeaveNoThreadAndNoDescriptor() throws {
        let result = try probe("leaks")
        #expect(result.status == .exited(0), "\(result)")
        let words = result.stdout.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.count == 6 && words[1...2] == words[4...5], "\(result)")
    }

    /// With a loop of the application's there is the one thread, with one of its own a second; a third would be the
    /// default executor's.
    @Test func noWaitUsesTheDefaultExecutor() throws {
        let result = try probe("threads")
        #expect(result.status == .exited(0), "\(result)")
        let counts = result.stdout.split(separator: "\n").filter { $0.hasPrefix("threads") }
        #expect(counts == ["threads 1", "threads 2"], "\(result)")
    }

    /// The sanitizer has an allocator of its own.
    @Test(.enabled(if: !RunningProcess.isSanitized)) func readingScalarSettingsAllocatesNothing() throws {
        try session.folder.write(
            #"""
            {
              "type": "object",
              "properties": {
                "greeting": { "type": "string", "default": "a text that is too long for its place in a variable" },
                "seconds": { "type": "boolean", "default": true },
                "meeting": { "type": "object", "properties": { "start": { "type": "integer", "default": 8 } } }
              }
            }
            """#, to: "share/settingsd/schemas/org.example.Clock.json")
        let client = try session.client()
        try client.dispatchAndWait(.updateProfile(name: "Ada King, the Countess of Lovelace"))
        client.close()
        let library = session.folder.path("allocations.so")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("allocations.c").path
        let compiler = try RunningProcess(
            "cc", ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-fno-builtin", "-o", library, source],
            environment: ["PATH": "/usr/bin:/bin"])
        let compilation = try compiler.result()
        #expect(compilation.status == .exited(0), "\(compilation)")
        let environment = session.environment.merging(["LD_PRELOAD": library]) { $1 }
        let result = try RunningProcess(Products.path("ClientProbe"), ["allocations"], environment: environment).result()
        #expect(
            result.stdout == """
                profile.name 0 read
                subscript 0 read
                alias 0 read
                revision 0 read
                snapshot 0 read
                text 0 read
                number 0 read
                flag 0 read
                decoded text 0 read
                decoded number 0 read
                decoded flag 0 read
                array 10000 read

                """, "\(result)")
    }

    @Test func anIdleProcessIsNeverWoken() throws {
        let bar = try RunningProcess(Products.path("Bar"), environment: session.environment)
        func switches() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bar.pid)/task").sorted().map { thread in
                let status = try String(contentsOfFile: "/proc/\(bar.pid)/task/\(thread)/status", encoding: .utf8)
                return status.split(separator: "\n").filter { $0.hasPrefix("voluntary_ctxt_switches") }.joined()
            }
        }
        // Both threads have settled when nothing has changed for a moment.
        var before: [String] = []
        try eventually("two quiet threads") {
            let now = try switches()
            defer { before = now }
            usleep(100_000)
            return now.count == 2 && now == before
        }
        // What is measured is that nothing happens for this long.
        sleep(3)
        #expect(try switches() == before)
        #expect(bar.isRunning)
    }

    @Test func aClientThatIsLetGoLeavesTheBusAndIsFreed() throws {
        weak var watched: SettingsClient?
        weak var shown: ObservableSettings?
        let before = try connections()
        let loop = try EventLoop()
        do {
            let client = try session.client()
            let settings = ObservableSettings(client) { work in loop.post(work) }
            settings.observe { _ = $0.profile.name }
            settings.profile.name = "Ada"
            #expect(loop.run(until: { client.profile.name == "Ada" }, timeout: .seconds(20)))
            (watched, shown) = (client, settings)
        }
        try eventually("the end of both") { watched == nil && shown == nil }
        try eventually("no connection but what was there before") { try connections() == before }
    }

    /// How many connections the bus has, the one included that asks.
    private func connections() throws -> Int {
        try session.shell("busctl --user list --unique --no-legend --no-pager").stdout.split(separator: "\n").count
    }

    @Test func aTaskThatReadsKeepsTheClientUntilItIsCancelled() throws {
        weak var watched: SettingsClient?
        var reader: ClientReader<SettingsChanges>?
        do {
            let client = try session.client()
            reader = ClientReader(client)
            watched = client
        }
        try session.control("set", "profile.name", "Ada")
        try reader?.wait("the change") { $0 == ["snapshot 0", "changed 1"] }
        #expect(watched != nil)
        reader?.cancel()
        try eventually("the end of the client") { watched == nil }
    }

    @Test func aClientOnTheApplicationsLoopLeavesItAlone() throws {
        let loop = try EventLoop()
        weak var watched: SettingsClient?
        do {
            let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
            try client.dispatchAndWait(.updateProfile(name: "Ada"))
            watched = client
        }
        #expect(watched == nil)
        // The loop goes on for others.
        let another = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        #expect(another.profile.name == "Ada")
    }

    @Test func aClientMayBeLetGoOnItsOwnThread() throws {
        var client: SettingsClient? = try session.client()
        weak let watched = client
        let loop = try #require(client?.loop)
        loop.post { [client] in _ = client?.revision }
        client = nil
        try eventually("the end of the client") { watched == nil }
    }
}
