import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// What becomes of values that a newer schema refuses, with the real programs.
@Suite(.logsOnFailure) struct ApplicationUpgradeTests {
    private static let id = "org.example.Cook"
    private static let document = "home/.config/settingsd/apps/\(id).json"
    private static let layer = "etc/settingsd/apps/\(id).json"
    private let session: TestSession

    init() throws { session = try TestSession() }

    /// - Parameters:
    ///   - servings: how many there may be.
    ///   - length: how long the name of a dish may be.
    private func install(servings: Int, length: Int) throws {
        try session.install(
            """
            { "title": "Cook", "type": "object",
              "properties": {
                "servings": { "type": "integer", "maximum": \(servings), "default": 2 },
                "dishes": { "type": "array", "items": { "type": "string", "maxLength": \(length) }, "default": [] },
                "metric": { "type": "boolean", "default": true } },
              "actions": {
                "More": { "edits": [ { "add": "servings", "value": 1 } ] },
                "Cook": { "arguments": { "dish": { "type": "string" } },
                  "edits": [ { "insert": "dishes", "value": { "argument": "dish" } } ] } } }
            """, as: Self.id)
    }

    private func run(_ words: String...) throws -> CommandResult {
        try session.startControl(["-a", Self.id] + words).result()
    }

    private func succeeds(_ words: String..., prints text: String = "") throws {
        let result = try session.startControl(["-a", Self.id] + words).result()
        #expect(result.status == .exited(0) && result.stdout == text, "\(words) \(result)")
    }

    private func problems() throws -> [String] {
        try #require(try session.object(["-a", Self.id, "status", "--json"])["problems"] as? [String])
    }

    /// A daemon whose newest schema refuses two values of the document.
    ///
    /// - Parameter whileRunning: whether it served the older schema.
    private func upgraded(whileRunning: Bool) throws -> RunningProcess {
        try install(servings: 50, length: 20)
        var daemon = try session.startDaemon()
        try succeeds("set", "servings=20", #"dishes=["Goulash","Pie"]"#, "metric=off")
        try eventually("the document") { session.folder.read(Self.document)?.contains("Goulash") == true }
        if whileRunning {
            try install(servings: 10, length: 3)
        } else {
            try daemon.end()
            try install(servings: 10, length: 3)
            daemon = try session.startDaemon()
        }
        try eventually("the newer schema") { try problems().count == 2 }
        // While the daemon runs the values' fall is a change of its own, which the document follows.
        let revision = whileRunning ? 2 : 1
        try eventually("the document") { session.folder.read(Self.document)?.contains("\"revision\": \(revision)") == true }
        return daemon
    }

    @Test(arguments: [true, false])
    func aRefusedValueFallsBackIsNamedAndKept(whileRunning: Bool) throws {
        let daemon = try upgraded(whileRunning: whileRunning)
        defer { withExtendedLifetime(daemon) {} }
        let text = try #require(session.folder.read(Self.document))
        try succeeds("list", prints: "servings\tdefault\t2\ndishes\tdefault\t[]\nmetric\tuser\tfalse\n")
        let places = try problems()
        let file = session.folder.path(Self.document)
        #expect(places.contains { $0.hasPrefix("\(file), line 4, column 15: servings: 20 is refused: it is at most 10") })
        #expect(places.contains { $0.hasPrefix("\(file), line 6, column 5: dishes: item 1: \"Goulash\" is refused: ") })
        for line in ["dispatch More", "insert dishes Tea", "remove dishes Pie", "dispatch Cook dish=Tea"] {
            let words = line.split(separator: " ").map(String.init)
            let refusal = try session.startControl(["-a", Self.id] + words).result()
            #expect(refusal.status == .exited(4), "\(words) \(refusal)")
            #expect(refusal.stderr.contains("is not possible now, for it goes by the value before: \(file), line "), "\(refusal)")
        }
        #expect(session.folder.read(Self.document).map(bytes) == bytes(text))
        try succeeds("set", "metric=on")
        try eventually("the document") { session.folder.read(Self.document)?.contains("true") == true }
        #expect(session.folder.read(Self.document)?.contains(#""servings": 20,"#) == true)
        #expect(session.folder.read(Self.document)?.contains("\"Goulash\"") == true)
        // The older schema is good for the values again.
        try install(servings: 50, length: 20)
        try eventually("the older schema") { try problems() == [] }
        try succeeds("get", "servings", prints: "20\n")
        try succeeds("dispatch", "More")
        try succeeds("get", "servings", prints: "21\n")
    }

    @Test(arguments: [true, false])
    func whatMendsARefusedValueTakesItsProblemAwayAtOnce(whileRunning: Bool) throws {
        let daemon = try upgraded(whileRunning: whileRunning)
        defer { withExtendedLifetime(daemon) {} }
        try succeeds("reset", "servings")
        #expect(try problems().map { $0.contains("dishes") } == [true])
        try succeeds("set", "dishes", #"["Tea"]"#)
        #expect(try problems() == [])
        try succeeds("insert", "dishes", "Pie")
        try succeeds("dispatch", "More")
        try succeeds("list", prints: "servings\tuser\t3\ndishes\tuser\t[\"Tea\",\"Pie\"]\nmetric\tuser\tfalse\n")
        try eventually("the document") { session.folder.read(Self.document)?.contains("\"Tea\"") == true }
        #expect(session.folder.read(Self.document)?.contains("Goulash") == false)
        #expect(try problems() == [])
    }

    @Test func aLockedRefusedValueIsNeitherResetNorSet() throws {
        let daemon = try upgraded(whileRunning: true)
        defer { withExtendedLifetime(daemon) {} }
        try session.folder.write(#"{"servings": 4, "locked": ["servings"]}"#, to: Self.layer)
        try eventually("the lock") { try run("get", "servings").stdout == "4\n" }
        let file = session.folder.path(Self.layer)
        for words in [["reset", "servings"], ["set", "servings", "5"], ["dispatch", "More"]] {
            let refusal = try session.startControl(["-a", Self.id] + words).result()
            #expect(refusal.status == .exited(7) && refusal.stderr.contains("servings is locked by \(file)"), "\(refusal)")
        }
        try succeeds("reset", "--all")
        #expect(session.folder.read(Self.document)?.contains("20") == true)
        #expect(try problems().contains { $0.contains("servings: 20 is refused") })
    }
}
