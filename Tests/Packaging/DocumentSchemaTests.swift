import Foundation
import SettingsModel
import TestSupport
import Testing

@Suite struct DocumentSchemaTests {
    static let file = "schema/settings.schema.json"

    @Test func theCommittedFileIsWhatTheSchemaSays() throws {
        #expect(try Project.text(of: Self.file) == Project.output(of: "Generator", ["schema"]), "Run `make generate`.")
    }

    /// Whether a validator takes each of the documents.
    private func verdicts(on documents: [String]) throws -> [Bool] {
        let script = Project.root.appending(path: "Tests/Packaging/validate.py").path
        let result = try RunningProcess(
            "/usr/bin/python3", [script, Project.root.appending(path: Self.file).path], environment: ["LANG": "C.UTF-8"],
            input: documents.map { $0.split(separator: "\n").joined(separator: " ") + "\n" }.joined()
        ).result()
        guard result.status == .exited(0) else { throw TestFailure("\(result)") }
        return result.stdout.split(separator: "\n").map { $0 == "good" }
    }

    private func document(_ setting: Setting, _ text: String) throws -> String {
        let object = [setting.section: [setting.name: text]]
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    @Test func documentsAndLayersAreTakenAndWhatIsNotOneIsRefused() throws {
        let good = [
            "{}", #"{"format": 1, "revision": 7, "profile": {"name": "Ada"}, "provider": {"id": "spotify"}}"#,
            #"{"$schema": "x", "other": [1, null], "profile": {"age": 3}}"#,
            #"{"support": {"help": "https://example.org/"}, "locked": ["support.help", "provider"]}"#,
            try Project.text(of: "examples/admin.json"), try Project.text(of: "examples/vendor.json"),
        ]
        let bad = [
            "[]", "null", #"{"format": "1"}"#, #"{"format": 1.5}"#, #"{"format": -1}"#, #"{"profile": []}"#,
            #"{"profile": "Ada"}"#,
            #"{"profile": {"name": null}}"#, #"{"profile": {"name": 1}}"#, #"{"provider": {"id": ["spotify"]}}"#,
            #"{"provider": "spotify"}"#, #"{"locked": "support.help"}"#, #"{"locked": ["support.hlp"]}"#, #"{"locked": [1]}"#,
            #"{"support": {"terms": true}}"#,
        ]
        let verdicts = try verdicts(on: good + bad)
        for (text, verdict) in zip(good + bad, verdicts) { #expect(verdict == good.contains(text), "\(text)") }
    }

    /// Values with one fault or none for each rule, and texts thrown together from pieces that matter to some rule.
    private func values() -> [String] {
        let name63 = String(repeating: "a", count: 63)
        let given = [
            "", " ", "Ada Lovelace", "Zoë", "👩‍👩‍👧‍👦", String(repeating: "👩‍👩‍👧‍👦", count: 100), String(repeating: "a", count: 100),
            String(repeating: "é", count: 100), "a\u{0}b", "tab\tbed", "line\n", "\u{7F}", "\u{85}", "\u{2028}", "\u{202E}",
            "\u{2066}",
            "\u{200E}", "\u{FEFF}", "ada@example.org", "ada+x@b", "ada@ex ample.org", "@example.org", "ada@", "a@b@c", "a..b@c.d",
            ".a@c.d", "a.@c.d", "a(b@c.d", "a\"b@c.d", "ada@[127.0.0.1]", "ada@127.0.0.1", "ada@127.0.0.1.example", "ada@-a.b",
            "ada@a-.b",
            "ada@a_b.c", "jörg@exämple.de", "ada@例え.jp", "ada@\(name63).org", "ada@a\(name63).org", "ada@ä\(name63).org",
            "ada@a..b",
            "http://example.org", "HTTPS://Example.Org/a b", "https://example.org/a%20b", "https://", "https:///x", "http:/x",
            "http:x",
            "https://[::1]/", "https://[::1", "https://[x]/", "https://a:b@c.d:80/x?y#z", "https://c.d:65535",
            "https://c.d:65536",
            "https://c.d:", "https://c.d:80x", "https://a^b/", "https://a|b/", "https://ä.de/ü", "ftp://example.org",
            "file:///home/ada/me.png",
            "file:/me.png", "file:me.png", "file://host/x", "file://host", "mailto:ada@example.org", "mailto:",
            "javascript:alert(1)",
            "example.org", "/home/ada/me.png", "none", "spotify", "Spotify", "spotfy", "custom:", "custom:a", "custom:-a",
            "custom:a-",
            "custom:A", "custom:\(name63)", "custom:a\(name63)", "spotify ", "spotify\n", "custom:a\n",
        ]
        let pieces = [
            "a", "Z", "0", "127.0.0.1", ".", "..", "-", "@", ":", "/", "//", "http", "https:", "file:", "mailto:", "custom:",
            "spotify",
            "[", "]", "::1", "?", "#", "%20", " ", "é", "e\u{301}", "👍🏽", "\u{200D}", "\u{202E}", "\n", "\"", "\\", "_", "80",
            "65536", "^",
        ]
        // The same in every run: the upper half of a linear congruential generator.
        var state: UInt64 = 1
        func random(below count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let thrown = (0..<1000).map { _ in
            (0...random(below: 7)).map { _ in pieces[random(below: pieces.count)] }.joined()
        }
        return given + thrown
    }

    /// What the daemon says of each value of each setting, the validator says too: it never refuses what the daemon takes,
    /// and takes nothing that the daemon refuses but for a length that it cannot count.
    @Test func everyValueIsJudgedAsTheDaemonDoes() throws {
        let values = values()
        let cases = Schema.builtIn.settings.prefix(6).flatMap { setting in values.map { (setting, $0) } }
        let verdicts = try verdicts(on: cases.map { try document($0, $1) })
        #expect(verdicts.count == cases.count)
        for ((setting, value), verdict) in zip(cases, verdicts) {
            let fault = setting.rule.fault(in: .string(value))
            #expect(verdict == (fault == nil), "\(setting.key): \(value.debugDescription): \(fault ?? "nothing is wrong")")
        }
    }

    @Test func aTextIsTooLongForTheValidatorFromWhereItCanCount() throws {
        let name = try #require(Schema.builtIn.setting(named: "profile.name"))
        let email = try #require(Schema.builtIn.setting(named: "profile.email"))
        let long: [(Setting, String)] = [
            (name, String(repeating: "a", count: 101)), (name, String(repeating: "é", count: 101)),
            (name, String(repeating: "👍a", count: 101)), (name, String(repeating: "\u{301}", count: 4097)),
            (email, "ada@example." + String(repeating: "x.", count: 122)),
        ]
        for (setting, text) in long { #expect(setting.rule.fault(in: .string(text)) != nil) }
        #expect(try verdicts(on: long.map { try document($0, $1) }) == long.map { _ in false })
    }

    @Test func whereTheJSONSchemaIsStaysInTheDocument() throws {
        for text in [
            #"{"$schema": "/x.json", "format": 1, "profile": {"name": "Ada"}}"#,
            #"{"profile": {"name": "Ada"}, "$schema": "/x.json"}"#,
        ] {
            let session = try TestSession()
            try session.folder.write(text, to: TestSession.document)
            let daemon = try session.startDaemon()
            try #expect(session.control("set", "provider", "tidal").status == .exited(0))
            try daemon.end()
            let written = try #require(session.folder.read(TestSession.document))
            #expect(written.hasPrefix("{\n  \"$schema\": \"/x.json\",\n  \"format\": 1,\n"), "\(written)")
            #expect(written.contains("tidal") && written.contains("Ada"))
            #expect(try verdicts(on: [written]) == [true])
        }
    }
}
