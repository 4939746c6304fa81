import Foundation
import TestSupport
import Testing

/// How legal texts are published: what stays, what is refused, and where they have no effect.
@Suite(.logsOnFailure) struct ExampleLegalPublishingTests {
    let legal: ExampleSession
    private static let name = "settingsd/apps/org.settingsd.Legal.json"
    private static let vendor = "share/\(name)"
    private static let admin = "etc/\(name)"

    init() throws {
        legal = try ExampleSession("legal", folder: "Legal", application: "org.settingsd.Legal")
    }

    /// Publishes a text in each of these languages, and returns what that says.
    private func publish(
        _ version: String, _ languages: String..., options: [String] = [], body: String = "Nothing."
    ) throws -> CommandResult {
        let files = try languages.map { try legal.session.folder.write("In \($0)\n\n\(body)\n", to: "privacy.\($0).txt") }
        return try legal.start(["publish", "privacy", "--release", version, "--date", "2026-03-01"] + options + files).result()
    }

    /// The texts in force, as `en 1.3`.
    private func inForce() throws -> [String] {
        let texts = try legal.control("get", "privacy").stdout
        let list = try JSONSerialization.jsonObject(with: Data(texts.utf8)) as? [[String: String]] ?? []
        return list.map { "\($0["language"] ?? "") \($0["version"] ?? "")" }
    }

    @Test func theOtherLanguagesOfAVersionStay() throws {
        #expect(try publish("1.3", "en", "de").status == .exited(0))
        let french = try publish("1.3", "fr")
        #expect(french.stdout.hasPrefix("published: privacy policy, version 1.3 in en, de, fr: "), "\(french)")
        #expect(try inForce() == ["en 1.3", "de 1.3", "fr 1.3"])
        #expect(try publish("1.3.0", "de", body: "Nichts.").stderr == "")
        #expect(try inForce() == ["en 1.3", "de 1.3.0", "fr 1.3"])
        #expect(try legal.run("show", "privacy", "--language", "de").stdout.contains("Nichts."))
        let refused = try publish("1.10", "en")
        #expect(refused.status == .exited(4))
        #expect(
            refused.stderr == """
                legal: version 1.10 would be the only one, and is not there in de (version 1.3.0), fr (version 1.3); nothing was changed
                hint: give a file in each language, or let the others go: --drop

                """)
        #expect(try inForce() == ["en 1.3", "de 1.3.0", "fr 1.3"])
        let newer = try publish("1.10", "en", options: ["--drop"])
        #expect(newer.stdout.contains("version 1.10 in en: "))
        #expect(
            newer.stderr
                == "legal: no longer published, since the new version is not there in: de (version 1.3.0), fr (version 1.3)\n")
        #expect(try inForce() == ["en 1.10"])
    }

    @Test func aTranslationOfTheVendorsTextLeavesTheVendorsLanguages() throws {
        try legal.session.folder.write(try ExampleSession.source("Legal/vendor.json"), to: Self.vendor)
        try eventually("the example") { try inForce() == ["en 1.2", "de 1.2"] }
        #expect(try publish("1.2", "fr").status == .exited(0))
        #expect(try inForce() == ["en 1.2", "de 1.2", "fr 1.2"])
        #expect(try legal.run("show", "privacy", "--language", "de").stdout.hasPrefix("Datenschutz\n"))
    }

    @Test func anOlderVersionTakesNoNewersPlaceUnlessItIsForced() throws {
        #expect(try publish("1.10", "en").status == .exited(0))
        let refused = try publish("1.9", "en", "de")
        #expect(refused.status == .exited(4))
        #expect(
            refused.stderr == """
                legal: version 1.9 of the privacy policy is older than version 1.10, which is published; nothing was changed
                hint: to put it in that one's place all the same: --force

                """)
        #expect(try inForce() == ["en 1.10"])
        #expect(try publish("1.9", "en", "de", options: ["--force"]).status == .exited(0))
        #expect(try inForce() == ["en 1.9", "de 1.9"])
    }

    @Test func twoWhoPublishAtOnceLoseNothing() throws {
        let languages = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"]
        let publishers = try languages.map { language in
            let file = try legal.session.folder.write("In \(language)\n\nNothing.\n", to: "privacy.\(language).txt")
            return try legal.start(["publish", "privacy", "--release", "1", file])
        }
        for publisher in publishers { #expect(try publisher.waitForExit() == .exited(0), "\(publisher.log)") }
        #expect(try inForce().sorted() == languages.map { "\($0) 1" }.sorted())
        let folder = legal.session.folder.path("etc/settingsd/apps")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["org.settingsd.Legal.json"])
    }

    @Test func aSecondTextInOneLanguageIsRefused() throws {
        let files = try ["a.en.txt", "b.en.txt"].map { try legal.session.folder.write("Privacy\n\nNothing.", to: $0) }
        let refused = try legal.start(["publish", "privacy", "--release", "1"] + files).result()
        #expect(refused.status == .exited(2))
        #expect(refused.stderr.contains("b.en.txt is a second text in en; a version has one in each language"), "\(refused)")
        let text = #"{ "language": "en", "version": "1", "title": "T", "body": "B" }"#
        try legal.session.folder.write("{ \"privacy\": [\(text), \(text)] }", to: Self.vendor)
        try eventually("the texts") { try inForce() == ["en 1", "en 1"] }
        #expect(try legal.run("list").stdout.contains("  en  "))
    }

    @Test func whatAMoreImportantFileHidesIsSaid() throws {
        let (admin, vendor) = (legal.session.folder.path(Self.admin), legal.session.folder.path(Self.vendor))
        #expect(try publish("2", "en").status == .exited(0))
        let hidden = try publish("3", "en", options: ["--to", vendor])
        #expect(hidden.status == .exited(0))
        #expect(hidden.stderr == "legal: it is written, but \(admin) goes before it, and has another text in force\n")
        let json = try publish("4", "en", options: ["--json", "--to", vendor])
        #expect(try json.stdout.object()["behind"] as? String == admin)
        #expect(try inForce() == ["en 2"])
        try FileManager.default.removeItem(atPath: admin)
        try eventually("the vendor's") { try inForce() == ["en 4"] }
        #expect(try legal.control("set", "privacy", #"[{ "title": "Mine", "body": "me" }]"#).status == .exited(0))
        let own = try publish("5", "en", options: ["--to", vendor])
        #expect(own.stderr.contains("you see a text of your own: settingsctl -a org.settingsd.Legal reset privacy"), "\(own)")
        // What goes into a package is nobody's yet.
        let packed = try publish("1", "en", options: ["--to", legal.session.folder.path("root/legal.json")]).stderr
        #expect(packed.hasPrefix("legal: it is written, but nobody here reads it: the layers' files are \(admin), "), "\(packed)")
    }

    @Test func everybodyCanReadWhatIsPublishedWhateverTheUmask() throws {
        let text = try legal.session.folder.write("Privacy\n\nNothing.", to: "privacy.en.txt")
        let line = "umask 077; '\(try Products.path("legal"))' publish privacy --release 1 '\(text)'"
        let published = try RunningProcess("bash", ["-c", line], environment: legal.session.environment).result()
        #expect(published.status == .exited(0), "\(published)")
        for (path, mode) in [("settingsd", 0o755), ("settingsd/apps", 0o755), (Self.name, 0o644)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: legal.session.folder.path("etc/\(path)"))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test func aBrokenFileIsNamedWithThePlaceAndStays() throws {
        let broken = "{\n  \"privacy\": [,]\n}\n"
        let file = try legal.session.folder.write(broken, to: "root/legal.json")
        for (text, reason) in [(broken, ", line 2, column 15: "), ("[]", " is no JSON object"), ("", ", line 1, column 1: ")] {
            try legal.session.folder.write(text, to: "root/legal.json")
            let refused = try publish("1", "en", options: ["--to", file])
            #expect(refused.status == .exited(8))
            #expect(refused.stderr.hasPrefix("legal: \(file)\(reason)"), "\(refused)")
            #expect(refused.stderr.hasSuffix("hint: mend it first; nothing was published\n"))
            #expect(legal.session.folder.read("root/legal.json") == text)
        }
        try legal.session.folder.write(broken, to: Self.admin)
        try eventually("the problem") { try legal.run("list").stderr.contains("line 2, column 15") }
        let told = try publish("1", "en")
        #expect(told.status == .exited(8) && told.stderr.components(separatedBy: "line 2, column 15").count == 2, "\(told)")
        let nowhere = try publish("1", "en", options: ["--to", "\(file)/legal.json"])
        #expect(
            nowhere.stderr
                == "legal: cannot make the folder \(file): File exists\nhint: as an administrator, or --to another file\n")
    }
}
