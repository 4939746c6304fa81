import SettingsModel
import Testing

@testable import SettingsClient

@Suite struct DraftTests {
    private func draft(_ values: [String: SettingValue] = ["profile.name": "Ada", "provider.id": "none"]) -> SettingsDraft {
        SettingsDraft(ApplicationDraft(SettingsSnapshot(revision: 7, values: values)))
    }

    @Test func aDraftThatIsOnlyReadChangesNothing() {
        let draft = draft()
        #expect(draft["profile.name"] == "Ada")
        #expect(draft.profile.name == "Ada")
        #expect(draft.provider == .none)
        #expect(draft.draft.actions == [])
    }

    @Test func whatIsWrittenReadsBackByKeyAliasAndType() {
        var draft = draft()
        draft["provider"] = "mpd"
        draft.profile.name += " Lovelace"
        draft[.help] = "https://e.org/"
        draft.account = "ada"
        #expect(draft["provider.id"] == "mpd")
        #expect(draft.provider == .mpd)
        #expect(draft["profile.name"] == "Ada Lovelace")
        #expect(draft["support.help"] == "https://e.org/")
        let values: [String: SettingValue] = [
            "provider.id": "mpd", "profile.name": "Ada Lovelace", "support.help": "https://e.org/", "provider.account": "ada",
        ]
        #expect(draft.draft.actions == [.setValues(values)])
    }

    @Test func onlyTheProfilesPartsThatDifferAreWritten() {
        var draft = draft(["profile.name": "Zoe\u{301}", "profile.email": "zoe@e.org"])
        draft.profile = UserProfile(["profile.name": "Zo\u{e9}", "profile.email": "zoe@e.org"])
        // The names are the same to Unicode, but not byte for byte.
        #expect(draft.draft.actions == [.setValues(["profile.name": "Zo\u{e9}"])])
    }

    @Test func nilResetsBesideWhatIsSet() {
        var draft = draft()
        draft["profile.name"] = "Eve"
        draft["profile.name"] = nil
        draft["profile.email"] = "a@e.org"
        #expect(draft["profile.name"] == "Ada")
        #expect(draft.draft.actions == [.setValues(["profile.email": "a@e.org"]), .resetValues(["profile.name"])])
    }
}
