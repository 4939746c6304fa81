import Foundation
import TestSupport
import Testing

/// The legal texts among the examples: published in files, read in the reader's language.
@Suite(.logsOnFailure) struct ExampleLegalTests {
    let legal: ExampleSession
    private static let name = "settingsd/apps/org.settingsd.Legal.json"
    private static let vendor = "share/\(name)"
    private static let admin = "etc/\(name)"

    init() throws {
        legal = try ExampleSession("legal", folder: "Legal", application: "org.settingsd.Legal")
    }

    private func publishExample() throws {
        try legal.session.folder.write(try ExampleSession.source("Legal/vendor.json"), to: Self.vendor)
        try eventually("the example") { try legal.run("show", "licence").status == .exited(0) }
    }

    private func publish(privacy version: String, _ body: String = "None.", in file: String = admin) throws {
        let text = """
            { "language": "en", "version": "\(version)", "date": "2026-03-01", "title": "Our privacy policy", "body": "\(body)" }
            """
        try legal.session.folder.write("{ \"privacy\": [ \(text) ], \"locked\": [\"privacy\"] }", to: file)
    }

    @Test func whereNothingIsPublishedTheFilesForItAreNamed() throws {
        let places = [Self.admin, Self.vendor].map { legal.session.folder.path($0) }
        let list = try legal.run("list")
        #expect(list.status == .exited(0))
        #expect(list.stdout.hasPrefix("Nothing is published yet") && places.allSatisfy(list.stdout.contains))
        let show = try legal.run("show", "privacy")
        #expect(show.status == .exited(1))
        #expect(
            show.stderr
                == "legal: no privacy policy is published\nhint: publish it in \(places[0]) (for an administrator) or \(places[1]) (for a package): "
                + "legal publish privacy --release 1.0 privacy.en.txt, as an administrator\n")
        #expect(try legal.run("list", "--json").stdout == "{\"texts\":[]}\n")
        #expect(try legal.run("show", "cookies").stderr.contains("hint: one of: imprint, privacy, licence"))
    }

    @Test func aTextIsShownInTheReadersLanguage() throws {
        try publishExample()
        for (environment, title) in [
            ([:], "Privacy policy"), (["LANG": "de_AT.UTF-8"], "Datenschutz"), (["LANG": "de"], "Datenschutz"),
            (["LANG": "fr_FR.UTF-8"], "Privacy policy"), (["LANG": "fr", "LANGUAGE": "fr_CA:de:en"], "Datenschutz"),
            (["LANG": "de", "LC_MESSAGES": "en_GB.UTF-8"], "Privacy policy"),
            (["LANG": "en", "LC_MESSAGES": "en", "LC_ALL": "de_CH.UTF-8@euro"], "Datenschutz"),
            (["LANG": "de", "LC_ALL": ""], "Datenschutz"), (["LANG": "C.UTF-8", "LANGUAGE": "de"], "Datenschutz"),
            (["LANG": "C.UTF-8"], "Privacy policy"), (["LANG": "C", "LANGUAGE": "de"], "Privacy policy"),
            (["LC_ALL": "POSIX", "LANGUAGE": "de"], "Privacy policy"),
        ] as [([String: String], String)] {
            let shown = try legal.run("show", "privacy", environment: environment)
            #expect(shown.stdout.hasPrefix("\(title)\n"), "\(environment): \(shown)")
            #expect(shown.stderr == "")
        }
        #expect(
            try legal.run("show", "imprint", "--language", "de-AT").stdout == """
                Impressum
                version 1.0 of 2026-01-15, de

                Example Software
                1 Analytical Street
                London

                verantwortlich: Ada Lovelace
                Kontakt: imprint@example.org

                """)
        let missing = try legal.run("show", "license", "--language", "de")
        #expect(missing.stdout.hasPrefix("Licence agreement\nversion 3 of 2026-01-15, en\n"))
        #expect(missing.stderr == "legal: there is no licence agreement in de, but in en\n")
        let json = try legal.run("show", "privacy", "--language", "de", "--json").stdout.object()
        #expect(json["title"] as? String == "Datenschutz" && json["version"] as? String == "1.2")
    }

    @Test func theAdministratorsTextGoesBeforeTheVendorsAndTheUsers() throws {
        try publishExample()
        try publish(privacy: "2.0")
        try eventually("the administrator's text") { try legal.run("show", "privacy").stdout.hasPrefix("Our privacy policy\n") }
        let texts = try #require(try legal.run("list", "--json").stdout.object()["texts"] as? [[String: Any]])
        #expect(texts.map { $0["kind"] as? String } == ["imprint", "privacy", "licence"])
        #expect(texts.map { $0["source"] as? String } == ["vendor", "locked", "vendor"])
        #expect(texts.map { $0["version"] as? String } == ["1.0", "2.0", "3"])
        #expect(texts[1]["file"] as? String == legal.session.folder.path(Self.admin))
        #expect(try legal.control("set", "privacy", "[]").status == .exited(7))
        #expect(try legal.control("set", "imprint", #"[{ "title": "Mine", "body": "me" }]"#).status == .exited(0))
        let list = try legal.run("list").stdout
        #expect(list.hasPrefix("imprint  Mine  ") && list.contains("  your own text, which nobody has published\nprivacy"))
        #expect(try legal.run("show", "imprint").stderr.contains("reset imprint shows what is published"))
    }

    @Test func whoWatchesHearsOfANewVersion() throws {
        try publishExample()
        let watch = try legal.start(["watch"])
        let reader = try legal.start(["watch", "privacy", "--language", "en"])
        let program = try legal.start(["watch", "--json"])
        try watch.waitForOutput("licence  Licence agreement  3    2026-01-15  en\n")
        try reader.waitForOutput("Privacy policy\nversion 1.2 of 2026-02-01, en\n")
        try program.waitForOutput("\n")
        try publish(privacy: "2.0", "Still none.")
        let news = "privacy policy, en: version 1.2 of 2026-02-01 → version 2.0 of 2026-03-01\n"
        try watch.waitForOutput("en\n\n\(news)privacy policy, de: no longer published\n")
        try reader.waitForOutput("\(news)privacy policy, de: no longer published\n\nOur privacy policy\n")
        try reader.waitForOutput("Still none.\n")
        try publish(privacy: "2.0", "None at all.")
        try watch.waitForOutput("privacy policy, en: changed, as version 2.0 of 2026-03-01 still\n")
        try program.waitForOutput("\"before\":\"version 2.0 of 2026-03-01\"")
        try legal.daemon.end(SIGKILL)
        try watch.waitForLog("waiting for it to come back")
        try publish(privacy: "2.1")
        let again = try legal.session.startDaemon()
        try watch.waitForOutput("privacy policy, en: version 2.0 of 2026-03-01 → version 2.1 of 2026-03-01\n")
        let objects = try program.stdout.objects()
        #expect((objects.first?["news"] as? [Any])?.isEmpty == true)
        let first = try #require((objects.dropFirst().first?["news"] as? [[String: Any]])?.first)
        #expect(first["now"] as? String == "version 2.0 of 2026-03-01")
        #expect(try watch.end(SIGTERM) == .exited(0))
        _ = again
    }

    @Test func textFilesBecomeANewVersion() throws {
        try publishExample()
        let english = try legal.session.folder.write("# Privacy\n\nNothing is stored.\n\nAsk us.\n", to: "privacy.en.txt")
        let german = try legal.session.folder.write("Privates\n\nNichts wird gespeichert.", to: "privacy.de_AT.txt")
        let published = try legal.run("publish", "privacy", "--release", "2.0", "--date", "2026-03-01", "--drop", english, german)
        let file = legal.session.folder.path(Self.admin)
        #expect(published.stdout == "published: privacy policy, version 2.0 in en, de_AT: \(file)\n", "\(published)")
        #expect(
            try legal.run("show", "privacy", "--language", "en").stdout
                == "Privacy\nversion 2.0 of 2026-03-01, en\n\nNothing is stored.\n\nAsk us.\n")
        #expect(try legal.run("show", "privacy", "--language", "de").stdout.hasPrefix("Privates\n"))
        #expect(try legal.control("set", "privacy", "[]").status == .exited(7))
        #expect(try legal.run("publish", "licence", "--release", "4", "--drop", english).status == .exited(0))
        #expect(try legal.run("show", "privacy", "--language", "en").stdout.hasPrefix("Privacy\nversion 2.0"))
        _ = try legal.session.folder.folder("folder.en.txt")
        for (arguments, status, text) in [
            (["privacy", english], 2, "--release 1.3"), (["privacy", "--release", "2", "privacy.txt"], 2, "like privacy.de.txt"),
            (["privacy", "--release", "2", "no.de.txt"], 8, "cannot read no.de.txt"),
            (["privacy", "--release", "2", "--to", "/proc/legal.json", english], 8, "cannot write /proc/legal.json"),
            (["privacy", "--release", "new", english], 4, "version: \"new\" is refused"),
            (["privacy", "--release", "2", legal.session.folder.path("folder.en.txt")], 8, "folder.en.txt is a folder"),
            (
                ["privacy", "--release", "2", try legal.session.folder.write("", to: "a.en.txt")], 4,
                "a.en.txt does not begin with a title"
            ),
            (
                ["privacy", "--release", "2", try legal.session.folder.write("T\n\n", to: "b.en.txt")], 4,
                "b.en.txt has no text below"
            ),
            (
                [
                    "privacy", "--release", "2",
                    try legal.session.folder.write("T\n\n" + String(repeating: "x\n", count: 1 << 20), to: "c.en.txt"),
                ], 4, "c.en.txt has 2 MiB of text, and at most 64 KiB are possible: nothing was published"
            ),
            (["privacy", "--release", "2", "--to", legal.session.folder.path("x.json"), english], 0, "but nobody here reads it"),
        ] as [([String], Int32, String)] {
            let result = try legal.start(["publish"] + arguments).result()
            #expect(result.status == .exited(status) && result.stderr.contains(text), "\(arguments): \(result)")
        }
        #expect(try legal.run("show", "privacy", "--language", "en").stdout.hasPrefix("Privacy\nversion 2.0"))
    }

    @Test func aTextFileOfAnotherSystemIsPublishedAsItReads() throws {
        let file = try legal.session.folder.write("\u{FEFF}Privacy\r\n\r\nNothing.\r\nAsk.\r\n", to: "privacy.en.txt")
        let published = try legal.run("publish", "privacy", "--release", "2", "--date", "2026-03-01", file)
        #expect(published.status == .exited(0), "\(published)")
        #expect(try legal.run("show", "privacy").stdout == "Privacy\nversion 2 of 2026-03-01, en\n\nNothing.\nAsk.\n")
        try Data([0x41, 0x0A, 0x42, 0xFF]).write(to: URL(fileURLWithPath: file))
        let refused = try legal.run("publish", "privacy", "--release", "3", file)
        #expect(refused.status == .exited(4) && refused.stderr.contains("privacy.en.txt:2: "), "\(refused)")
    }

    @Test func aLayersFileIsWrittenWhereItIsWanted() throws {
        let text = try legal.session.folder.write("Imprint\n\nUs.\n", to: "imprint.en.txt")
        let folder = (text as NSString).deletingLastPathComponent
        func publish(_ file: String) throws -> CommandResult {
            let line =
                "umask 077; cd '\(folder)'; '\(try Products.path("legal"))' publish imprint --release 9 --to '\(file)' '\(text)'"
            return try RunningProcess("bash", ["-c", line], environment: legal.session.environment).result()
        }
        for file in [".", "./", "new/"] {
            let refused = try publish(file)
            #expect(refused.status == .exited(2) && refused.stderr.contains("--to takes a file"), "\(file): \(refused)")
        }
        symlink("out.json", "\(folder)/link.json")
        for file in ["out.json", "link.json"] {
            let published = try publish(file)
            #expect(published.status == .exited(0), "\(file): \(published)")
        }
        let files = FileManager.default
        #expect(try files.attributesOfItem(atPath: "\(folder)/out.json")[.posixPermissions] as? Int == 0o644)
        #expect(try files.destinationOfSymbolicLink(atPath: "\(folder)/link.json") == "out.json")
    }

    @Test func aPagerShowsATextOnATerminalAlone() throws {
        try publishExample()
        let plain = ["NO_COLOR": "1"]
        let paged = try legal.terminal("PAGER='sed s/^/:/' $P show licence", environment: plain)
        #expect(paged.hasPrefix(":Licence agreement\n:version 3 of 2026-01-15, en\n:\n:You may run this program"))
        #expect(paged.split(separator: "\n").allSatisfy { $0.count <= 81 })
        for pager in ["", "cat", "no-such-pager -x", "true"] {
            let shown = try legal.terminal("PAGER='\(pager)' $P show licence", environment: plain)
            #expect(shown.hasPrefix("Licence agreement\n") == (pager != "true"), "\(pager): \(shown)")
        }
        #expect(
            try legal.terminal("$P show licence | cat", environment: ["PAGER": "sed s/^/:/"]).hasPrefix("Licence agreement\n"))
    }
}
