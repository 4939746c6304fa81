import Foundation
import SettingsModel
import Testing

@testable import SettingsSchemas

@Suite struct FolderTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemas-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func refusal(_ path: String) -> String? {
        do {
            _ = try SchemaFile.read(path, application: "org.example.A")
            return nil
        } catch {
            return error.description
        }
    }

    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        try inFolder { folder in
            #expect(refusal(folder) == "it is no regular file; a schema is one")
            #expect(refusal(folder + "/none") == "it cannot be read: No such file or directory")
            #expect(mkfifo(folder + "/fifo", 0o600) == 0)
            #expect(refusal(folder + "/fifo") == "it is no regular file; a schema is one")
            #expect(refusal("/dev/zero") == "it is no regular file; a schema is one")
            let huge = folder + "/huge"
            try Data(repeating: UInt8(ascii: " "), count: SchemaFile.largestSize + 1).write(to: URL(fileURLWithPath: huge))
            #expect(refusal(huge)?.contains("has more than 1048576 bytes") == true)
            let good = folder + "/good"
            try Data(SchemaFileTests.worldClock.utf8).write(to: URL(fileURLWithPath: good))
            #expect(refusal(good) == nil)
        }
    }

    @Test func theFoldersAreThoseOfTheDataDirectories() {
        func paths(_ environment: [String: String], home: String? = nil) -> [String] {
            SchemaFolders(environment: environment, home: home).paths
        }
        let usual = ["/usr/local/share/settingsd/schemas", "/usr/share/settingsd/schemas"]
        #expect(paths(["HOME": "/home/ada"]) == ["/home/ada/.local/share/settingsd/schemas"] + usual)
        #expect(paths(["XDG_DATA_HOME": "x"], home: "/h") == ["/h/.local/share/settingsd/schemas"] + usual)
        #expect(
            paths(["XDG_DATA_HOME": "/d/", "XDG_DATA_DIRS": "/a:rel:/b/:/a"])
                == ["/d/settingsd/schemas", "/a/settingsd/schemas", "/b/settingsd/schemas"])
    }

    @Test func anIdIsAsLongAsTheNamesOfItsFilesMayBe() {
        let longest = "org.example." + String(repeating: "a", count: 168)
        #expect(SchemaFile.faults(in: Array(#"{"type": "object", "properties": {}}"#.utf8), application: longest) == [])
        for more in [1, 60, 300] {
            let id = longest + String(repeating: "a", count: more)
            let faults = SchemaFile.faults(ofFile: "/dev/null", application: id)
            #expect(faults.first?.message.hasPrefix("the id has \(180 + more) bytes; at most 180 are allowed") == true)
            #expect(!SchemaFolders.isApplication(id))
        }
    }

    @Test func theFirstFileOfAnApplicationCountsAndNoneIsOpened() throws {
        try inFolder { folder in
            for (name, text) in [
                ("one/org.example.A", "not read"), ("two/org.example.A", ""), ("two/org.example.B", ""), ("two/x", ""),
            ] {
                let path = "\(folder)/\(name).json"
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            }
            #expect(mkfifo(folder + "/two/org.example.C.json", 0o600) == 0)
            try Data().write(to: URL(fileURLWithPath: folder + "/two/README"))
            let folders = SchemaFolders(paths: ["one", "two", "none"].map { "\(folder)/\($0)" })
            let listing = folders.listing()
            #expect(listing.entries.map(\.application) == ["org.example.A", "org.example.B", "org.example.C"])
            #expect(listing.entries.first?.path == "\(folder)/one/org.example.A.json")
            #expect(listing.problems.count == 1 && listing.problems.first?.hasPrefix("\(folder)/two/x.json: ") == true)
            #expect(folders.path(of: "org.example.B") == "\(folder)/two/org.example.B.json")
            #expect(folders.path(of: "../one/org.example.A") == nil)
            #expect(folders.path(of: "org.example.D") == nil)
        }
    }
}
