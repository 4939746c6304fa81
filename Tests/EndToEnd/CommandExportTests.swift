import Foundation
import TestSupport
import Testing

/// What `export` writes, and where.
@Suite(.logsOnFailure) struct CommandExportTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        try session.folder.write(#"{"support": {"help": "https://vendor.example/"}}"#, to: TestSession.vendorLayer)
        try session.folder.write(
            #"{"support": {"terms": "https://admin.example/"}, "locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        daemon = try session.startDaemon()
    }

    private static let text = """
        {
          "format": 1,
          "profile": {
            "name": "Zoë \\"\\\\\\""
          },
          "provider": {
            "id": "mpd",
            "account": "a"
          }
        }

        """

    private func setValues() throws {
        try session.control("set", "profile.name=Zoë \"\\\"", "provider=mpd", "provider.account=a")
    }

    private func permissions(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: session.folder.path(name))
        return attributes[.posixPermissions] as? Int
    }

    @Test func exportIsTheDocumentWithoutItsRevision() throws {
        #expect(try session.control("export").stdout == "{\n  \"format\": 1\n}\n")
        try setValues()
        let export = try session.control("export")
        expect(export, stdout: Self.text)
        try eventually("the document") {
            session.folder.read(TestSession.document)?.replacingOccurrences(of: "  \"revision\": 1,\n", with: "") == Self.text
        }
        #expect(try session.control("export", "-").stdout == Self.text)
        #expect(try session.control("export", "/dev/stdout").stdout == Self.text)
    }

    @Test func aValueThatALockHidesIsExportedToo() throws {
        try setValues()
        try session.folder.write(
            #"{"profile": {"name": "Guest"}, "locked": ["profile.name", "provider.account"]}"#, to: TestSession.adminLayer)
        try eventually("the lock") { try session.control("get", "profile.name").stdout == "Guest\n" }
        let export = try session.control("export")
        expect(export, stdout: Self.text)
        let described = try session.control("describe", "profile.name").stdout
        #expect(described.contains("Guest (locked, "))
        #expect(described.contains("yours"))
        #expect(described.contains(#"Zoë "\" (without effect, for it is locked)"#))
        // What is there already is refused by no lock.
        #expect(try session.control("import", "--replace", "-", input: export.stdout).status == .exited(0))
        #expect(try session.control("export").stdout == Self.text)
    }

    @Test func whatTheDaemonDoesNotKnowIsNotExported() throws {
        try session.folder.write(#"{"profile": {"name": "Ada", "nick": "a"}, "other": 1.0}"#, to: TestSession.document)
        try eventually("the edit") { try session.control("get", "profile.name").stdout == "Ada\n" }
        #expect(
            try session.control("export").stdout
                == "{\n  \"format\": 1,\n  \"profile\": {\n    \"name\": \"Ada\"\n  }\n}\n")
    }

    @Test func aRefusedValueIsToldAsMissing() throws {
        let document = try session.folder.write(
            "{\"profile\": {\"name\": \"Ada\"},\n\"provider\": {\"account\": 7}}", to: TestSession.document)
        try eventually("the edit") { try session.control("get", "profile.name").stdout == "Ada\n" }
        let text = "{\n  \"format\": 1,\n  \"profile\": {\n    \"name\": \"Ada\"\n  }\n}\n"
        let file = session.folder.path("backup.json")
        for export in [try session.control("export"), try session.control("export", file)] {
            #expect(export.status == .exited(4))
            #expect(export.stderr.hasPrefix("settingsctl: export: written without a value of the document\n"))
            #expect(export.stderr.contains("settingsctl: export: \(document), line "))
            #expect(export.stderr.contains(": provider.account takes a string, found the number 7"))
            #expect(export.stderr.hasSuffix("\nhint: mend the document and export again\n"))
        }
        #expect(try session.control("export").stdout == text)
        #expect(session.folder.read("backup.json") == text)
    }

    /// An older backup may have what the document cannot give any more.
    @Test func aFileThatIsThereStaysWhereSomethingWouldBeMissing() throws {
        try session.folder.write("{\"provider\": {\"account\": 7}}", to: TestSession.document)
        try eventually("the edit") { try session.control("describe", "provider.account").stdout.contains("problem") }
        let file = try session.folder.write("older", to: "backup.json")
        let export = try session.control("export", file)
        #expect(export.status == .exited(4))
        #expect(
            export.stderr.hasPrefix("settingsctl: export: \(file) would lack a value of the document and stays\n"), "\(export)")
        #expect(session.folder.read("backup.json") == "older")
    }

    @Test func aFileIsReplacedAtOnceAndPrivate() throws {
        try setValues()
        try session.folder.write("old", to: "out/old.json")
        chmod(session.folder.path("out/old.json"), 0o644)
        for name in ["out/new.json", "out/old.json"] {
            let export = try session.control("export", session.folder.path(name))
            expect(export)
            #expect(session.folder.read(name) == Self.text)
            #expect(try permissions(name) == 0o600)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: session.folder.path("out"))
        #expect(names.sorted() == ["new.json", "old.json"])
    }

    @Test func aLinkStaysALink() throws {
        try setValues()
        try session.folder.write("old", to: "dotfiles/settings.json")
        let link = session.folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dotfiles/settings.json")
        #expect(try session.control("export", link).status == .exited(0))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "dotfiles/settings.json")
        #expect(session.folder.read("dotfiles/settings.json") == Self.text)
    }

    @Test func aFailedWriteLeavesTheOldFile() throws {
        try setValues()
        let file = try session.folder.write("old", to: "out/old.json")
        let result = try session.shell(
            "(trap '' XFSZ; ulimit -f 0; settingsctl export \(file)) 2>&1 | cat; exit ${PIPESTATUS[0]}")
        #expect(result.status == .exited(8))
        #expect(result.stdout.hasPrefix("settingsctl: export: \(file) could not be written: "))
        #expect(session.folder.read("out/old.json") == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path("out")) == ["old.json"])
    }

    @Test func aFolderIsRefused() throws {
        let folder = try session.folder.folder("out")
        let export = try session.control("export", folder)
        #expect(export.status == .exited(1))
        #expect(export.stderr.hasPrefix("settingsctl: export: \(folder) is a folder\n"))
        let nowhere = try session.control("export", "\(folder)/missing/settings.json")
        #expect(nowhere.status == .exited(8))
        #expect(nowhere.stderr.hasSuffix("\nhint: there is no folder \(folder)/missing; make it or name another\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
