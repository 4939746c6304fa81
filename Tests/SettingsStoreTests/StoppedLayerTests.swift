import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

/// The account resets when the effective provider changes, even where no daemon has seen the layers change.
@Suite struct StoppedLayerTests {
    private static let account = "provider.account"

    /// A store that has stopped, with an account that goes with the vendor's provider.
    private func bedWithAccount() throws -> StoreBed {
        let bed = try StoreBed()
        try bed.write(Self.vendor("spotify"), to: bed.vendorPath)
        try bed.open()
        try bed.set(Self.account, "ada")
        bed.waitForDocument(containing: "ada")
        bed.close()
        return bed
    }

    private static func vendor(_ provider: String) -> String { #"{"provider": {"id": "\#(provider)"}}"# }

    /// Leaves a journal as code has written it that tells nothing of the layers.
    private func forgetLayers(_ bed: StoreBed) throws {
        let lines = try bed.journalLines().map { line in
            let known = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let data = try JSONSerialization.data(withJSONObject: known.filter { $0.key != "watched" })
            return String(decoding: data, as: UTF8.self)
        }
        try bed.write(lines.joined(separator: "\n") + "\n", to: bed.journalPath)
    }

    @Test func anotherProviderOfTheVendorsResetsTheAccountAtTheNextStart() throws {
        let bed = try bedWithAccount()
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        try bed.open()
        #expect(bed.store.document == Document(revision: 2))
        #expect(bed.commits.isEmpty, "Nobody hears of it.")
        let change = try #require(bed.store.changes(since: 1).changes.first)
        #expect(change.origin == .layer)
        #expect(change.previous == ["provider.id": "spotify", Self.account: "ada"])
        #expect(change.values == ["provider.id": "deezer", Self.account: ""])
        bed.waitForDocument(containing: "\"revision\": 2")
        #expect(try !bed.documentText().contains("ada"))
        try bed.reopen()
        #expect(bed.store.document.revision == 2, "It is over with that.")
        try bed.set(Self.account, "bob")
        try bed.reopen()
        #expect(try bed.value(Self.account) == "bob")
    }

    @Test func anAdministratorsLockThatChangesTheProviderResetsTheAccountToo() throws {
        let bed = try bedWithAccount()
        try bed.open()
        try bed.set("provider.id", "tidal")
        try bed.set(Self.account, "ada")
        bed.close()
        try bed.write(#"{"provider": {"id": "qobuz"}, "locked": ["provider.id"]}"#, to: bed.adminPath)
        try bed.open()
        #expect(bed.store.document == Document(values: ["provider.id": "tidal"], revision: 4))
    }

    @Test func aLockedAccountIsLeftAlone() throws {
        let bed = try bedWithAccount()
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        try bed.write(#"{"locked": ["provider.account"]}"#, to: bed.adminPath)
        try bed.open()
        #expect(bed.store.document == Document(values: [Self.account: "ada"], revision: 1))
    }

    @Test func layersThatSayTheSameChangeNothing() throws {
        let bed = try bedWithAccount()
        try bed.save(#"{"profile": {"name": "Guest"}, "provider": {"id": "spotify"}}"#, to: bed.vendorPath)
        try bed.open()
        #expect(bed.store.document == Document(values: [Self.account: "ada"], revision: 1))
        #expect(try bed.value("profile.name") == "Guest")
    }

    @Test func whatAnOlderJournalDoesNotTellResetsNothing() throws {
        let bed = try bedWithAccount()
        try bed.open()
        // The provider that a line names is no proof of what it was when the daemon stopped.
        try bed.set("provider.id", "tidal")
        _ = try bed.submit([Action("ResetValues", ["keys": .list(element: .string, ["provider.id"])])]).get()
        try bed.set(Self.account, "ada")
        bed.close()
        try forgetLayers(bed)
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        try bed.open()
        #expect(bed.store.document == Document(values: [Self.account: "ada"], revision: 4))
        // From the next change on it is known.
        try bed.set("profile.name", "Ada")
        bed.close()
        try bed.save(Self.vendor("tidal"), to: bed.vendorPath)
        try bed.open()
        #expect(bed.store.document == Document(values: ["profile.name": "Ada"], revision: 6))
    }

    @Test func anAccountThatIsSetAfterwardsGoesWithTheNewProvider() throws {
        let bed = try bedWithAccount()
        try bed.open()
        _ = try bed.submit([Action("UnlinkAccount")]).get()
        bed.close()
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        try bed.open()
        #expect(bed.store.document.revision == 2, "There is no account that could be reset.")
        try bed.set(Self.account, "bob")
        try bed.reopen()
        #expect(try bed.value(Self.account) == "bob")
    }

    @Test func anEditByHandMadeMeanwhileCountsOnTopOfIt() throws {
        let bed = try bedWithAccount()
        let text = try bed.documentText()
        for (edit, values) in [
            (#""account": "bob""#, [Self.account: "bob"]), (#""account": "ada", "id": "tidal""#, ["provider.id": "tidal"]),
        ] as [(String, [String: SettingValue])] {
            let bed = try bedWithAccount()
            try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
            try bed.save(text.replacingOccurrences(of: #""account": "ada""#, with: edit), to: bed.documentPath)
            try bed.open()
            #expect(bed.store.document == Document(values: values, revision: 3))
            #expect(bed.store.changes(since: 1).changes.map(\.origin) == [.layer, .file])
        }
    }

    @Test func aFileThatIsBrokenAtTheStartMaySayWhatItAlwaysHas() throws {
        for (mended, account) in [("spotify", "ada"), ("deezer", "")] {
            let bed = try bedWithAccount()
            try bed.save("{", to: bed.vendorPath)
            try bed.open()
            #expect(try bed.value(Self.account) == "ada")
            try bed.set("profile.name", "Ada")
            try bed.reopen()
            try bed.save(Self.vendor(mended), to: bed.vendorPath)
            bed.wait(for: "the layer") { try bed.value("provider.id") == mended }
            #expect(try bed.value(Self.account) == account)
        }
    }

    @Test func aTrimmedJournalStillTells() throws {
        let bed = try bedWithAccount()
        try bed.open()
        for number in 0..<1300 { try bed.set("profile.name", "\(number)") }
        bed.wait(for: "a shorter journal") { try bed.journalLines().count < 1100 }
        bed.close()
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        try bed.open()
        #expect(bed.store.document.values[Self.account] == nil)
    }

    @Test func ofTwoDaemonsOneResetsTheAccount() throws {
        let bed = try bedWithAccount()
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        try bed.open()
        let other = try StoreBed(root: bed.root, loop: bed.loop)
        try other.open()
        #expect(other.store.document == Document(revision: 2))
        try other.set(Self.account, "bob")
        bed.wait(for: "the account") { try bed.value(Self.account) == "bob" }
        other.close()
        try bed.reopen()
        #expect(bed.store.document == Document(values: [Self.account: "bob"], revision: 3))
    }

    @Test func whatCannotBeStoredAtTheStartIsStoredLater() throws {
        let bed = try bedWithAccount()
        try bed.save(Self.vendor("deezer"), to: bed.vendorPath)
        let lock = StoreLock(path: bed.paths.lock)
        #expect(try lock.acquire())
        try bed.open()
        #expect(bed.store.problems.count > 0)
        lock.release()
        bed.wait(for: "the reset") { bed.store.document == Document(revision: 2) }
        bed.wait(for: "no problem") { bed.store.problems == [] }
    }
}
