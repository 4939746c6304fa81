import Foundation
import Testing

@testable import SettingsStore

@Suite struct PathTests {
    private let home = NSTemporaryDirectory()

    @Test func variablesThatAreUnsetEmptyOrRelativeCountAsTheirDefaults() throws {
        for value in [nil, "", "relative/folder"] {
            var environment = ["HOME": "/root-of-nobody"]
            environment["XDG_CONFIG_HOME"] = value
            environment["XDG_STATE_HOME"] = value
            environment["XDG_CONFIG_DIRS"] = value
            environment["XDG_DATA_DIRS"] = value
            let paths = try StorePaths.standard(environment: environment)
            #expect(paths.document == "/root-of-nobody/.config/settingsd/settings.json")
            #expect(paths.journal == "/root-of-nobody/.local/state/settingsd/journal.jsonl")
            #expect(paths.lock == "/root-of-nobody/.local/state/settingsd/lock")
            #expect(paths.admin == ["/etc/xdg/settingsd/settings.json"])
            #expect(paths.vendor == ["/usr/local/share/settingsd/settings.json", "/usr/share/settingsd/settings.json"])
        }
    }

    @Test func relativeElementsOfAListAreDropped() throws {
        let environment = ["HOME": "/nobody", "XDG_CONFIG_DIRS": "/a/:b::/c", "XDG_DATA_DIRS": "/d"]
        let paths = try StorePaths.standard(environment: environment)
        #expect(paths.admin == ["/a/settingsd/settings.json", "/c/settingsd/settings.json"])
        #expect(paths.vendor == ["/d/settingsd/settings.json"])
    }

    @Test func givenFoldersNeedNoHome() throws {
        let paths = try StorePaths.standard(environment: [:], configDirectory: home + "c/", stateDirectory: home + "s")
        #expect(paths.document == home + "c/settings.json")
        #expect(paths.journal == home + "s/journal.jsonl")
    }

    @Test func anApplicationsFilesLieInAFolderBesideTheDaemonsOwn() throws {
        let environment = ["HOME": "/nobody", "XDG_CONFIG_DIRS": "/a:/b", "XDG_DATA_DIRS": "/d"]
        let paths = StorePaths.application("org.example.Clock", beside: try .standard(environment: environment))
        #expect(paths.document == "/nobody/.config/settingsd/apps/org.example.Clock.json")
        #expect(paths.journal == "/nobody/.local/state/settingsd/apps/org.example.Clock.jsonl")
        #expect(paths.lock == "/nobody/.local/state/settingsd/apps/org.example.Clock.lock")
        #expect(paths.admin == ["/a/settingsd/apps/org.example.Clock.json", "/b/settingsd/apps/org.example.Clock.json"])
        #expect(paths.vendor == ["/d/settingsd/apps/org.example.Clock.json"])
    }

    @Test func withoutAHomeTheAccountsOwnCounts() throws {
        let paths = try StorePaths.standard(environment: [:])
        #expect(paths.document == NSHomeDirectoryForUser(NSUserName())! + "/.config/settingsd/settings.json")
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give a folder to another account."))
    func aFolderOfAnotherAccountIsRefused() throws {
        let bed = try StoreBed()
        for foreign in ["", "/.config", "/.config/settingsd", "/.local/state/settingsd"] {
            let home = bed.root + "/home\(foreign.count)"
            let folder = home + foreign
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            chown(folder, 12345, 12345)
            let error = #expect(throws: StoreError.self) { try StorePaths.standard(environment: ["HOME": home]) }
            #expect(error?.message.contains("\(folder) belongs to uid 12345") == true)
        }
        // A link of one's own may lead anywhere, as into a read-only store.
        let home = bed.root + "/home-of-links"
        try FileManager.default.createDirectory(atPath: home + "/.config", withIntermediateDirectories: true)
        symlink(bed.root + "/home0", home + "/.config/settingsd")
        _ = try StorePaths.standard(environment: ["HOME": home])
    }
}
