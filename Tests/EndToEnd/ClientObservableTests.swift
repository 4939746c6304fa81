import EventLoop
import Foundation
import Observation
import SettingsClient
import SettingsModel
import Synchronization
import TestSupport
import Testing

/// The settings as a user interface shows them; this thread's loop stands for a toolkit's.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientObservableTests {
    let session: TestSession
    let daemon: RunningProcess
    let client: SettingsClient
    let loop: EventLoop

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        client = try session.client()
        loop = try EventLoop()
    }

    private func settings() -> ObservableSettings {
        ObservableSettings(client) { [loop] work in loop.post(work) }
    }

    private func wait(_ what: String, _ condition: () -> Bool) throws {
        guard loop.run(until: condition, timeout: .seconds(20)) else { throw TestFailure("Not within 20 s: \(what).") }
    }

    /// What an observer has been shown.
    private final class Shown {
        var texts: [String] = []
    }

    @Test func valuesAreThereAtOnceAndFollow() throws {
        try session.control("set", "profile.name=Ada", "provider=spotify", "provider.account=ada", "support.help=https://e.org/")
        try eventually("the change") { client.revision == 1 }
        let settings = settings()
        #expect(settings.profile.name == "Ada")
        #expect(settings.provider == .spotify)
        #expect(settings.account == "ada")
        #expect(settings[.help] == "https://e.org/")
        #expect(settings["provider"] == "spotify")
        #expect(settings["profile.nam"] == nil)
        try session.control("set", "provider", "mpd")
        try wait("the change") { settings.provider == .mpd }
        #expect(settings.account == "")
    }

    @Test func observersAreShownWhatTheyReadAndNothingElse() throws {
        let settings = settings()
        let (names, providers) = (Shown(), Shown())
        settings.observe { names.texts.append($0.profile.name) }
        let observer = settings.observe { providers.texts.append($0.provider.rawValue) }
        try session.control("set", "profile.name", "Ada")
        try wait("the name") { names.texts.last == "Ada" }
        try session.control("set", "provider", "mpd")
        try wait("the provider") { providers.texts.last == "mpd" }
        observer.cancel()
        try session.control("set", "provider=tidal", "profile.name=Bob")
        try wait("the name") { names.texts.last == "Bob" }
        #expect(names.texts == ["", "Ada", "Bob"])
        #expect(providers.texts == ["none", "mpd"])
    }

    @Test func observationOfTheLanguageWorksToo() throws {
        let settings = settings()
        let isChanged = Atomic(false)
        withObservationTracking {
            _ = settings.profile
        } onChange: {
            isChanged.store(true, ordering: .relaxed)
        }
        try session.control("set", "provider", "mpd")
        try wait("the provider") { settings.provider == .mpd }
        #expect(isChanged.load(ordering: .relaxed) == false)
        try session.control("set", "profile.email", "ada@e.org")
        try wait("the change") { isChanged.load(ordering: .relaxed) }
    }

    @Test func settingAPropertyShowsItAtOnceAndDispatchesItsAction() throws {
        let settings = settings()
        let shown = Shown()
        settings.observe { shown.texts.append($0["profile.name"]?.string ?? "") }
        settings.profile.name = "Ada"
        #expect(settings.profile.name == "Ada")
        #expect(shown.texts == ["", "Ada"])
        settings.profile.email = "ada@e.org"
        settings.provider = .spotify
        settings.account = "ada"
        settings[.help] = "https://e.org/"
        settings["profile.avatar"] = "file:///ada.png"
        settings.account = ""
        settings["profile.avatar"] = nil
        try wait("all changes") { client.revision == 8 }
        let log = try session.control("log", "--json").stdout.objects().map { ($0["actions"] as? [String])?.first ?? "" }
        #expect(
            log == [
                "UpdateProfile", "UpdateProfile", "SelectProvider", "LinkAccount", "SetSupportLink", "SetValues", "UnlinkAccount",
                "ResetValues",
            ])
        #expect(settings.error == nil)
        #expect(shown.texts == ["", "Ada"])
    }

    @Test func settingWhatIsShownSendsNothing() throws {
        let settings = settings()
        settings.profile.name = settings.profile.name
        settings.provider = .none
        settings["provider"] = "none"
        settings[.help] = ""
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        #expect(client.revision == 1)
    }

    @Test func aRefusedChangeGoesBackAndTellsWhy() throws {
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        let settings = settings()
        let (names, errors) = (Shown(), Shown())
        settings.observe { names.texts.append($0.profile.name) }
        settings.observe { errors.texts.append($0.error?.message ?? "") }
        settings.profile.name = "a\nb"
        #expect(settings.profile.name == "a\nb")
        try wait("the refusal") { settings.error != nil }
        #expect(settings.error?.kind == .refused(.invalidValue))
        #expect(settings.profile.name == "Ada")
        #expect(names.texts == ["Ada", "a\nb", "Ada"])
        // The next change that is made takes the error away; so does who has shown it.
        settings.profile.name = "Bob"
        try wait("the change") { settings.error == nil }
        settings.account = "x"
        try wait("the refusal") { settings.error != nil }
        #expect(settings.error?.kind == .refused(.invalidArgument))
        #expect(settings.account == "")
        settings.error = nil
        #expect(errors.texts.count == 5 && errors.texts.last == "")
    }

    @Test func whatIsOnItsWayStaysShownWhileOthersChangeIt() throws {
        let settings = settings()
        daemon.signal(SIGSTOP)
        settings.profile.name = "mine"
        settings.profile.name = "mine too"
        #expect(settings.profile.name == "mine too")
        daemon.signal(SIGCONT)
        let shown = Shown()
        settings.observe { shown.texts.append($0.profile.name) }
        try wait("both changes") { client.revision == 2 }
        try session.control("set", "profile.name", "theirs")
        try wait("the other's change") { settings.profile.name == "theirs" }
        // The first of the two was never shown again.
        #expect(shown.texts == ["mine too", "theirs"])
    }

    @Test func aBusyLoopGetsOneDeliveryHoweverMuchHappens() throws {
        let deliveries = Mutex<[@Sendable () -> Void]>([])
        let settings = ObservableSettings(client) { work in deliveries.withLock { $0.append(work) } }
        for number in 1...50 { try client.dispatchAndWait(.updateProfile(name: "\(number)")) }
        #expect(deliveries.withLock { $0.count } == 1)
        #expect(settings.profile.name == "")
        deliveries.withLock { $0.removeFirst() }()
        #expect(settings.profile.name == "50")
        try client.dispatchAndWait(.updateProfile(name: "51"))
        #expect(deliveries.withLock { $0.count } == 1)
    }

    @Test func actionsWithoutAPropertyAreDispatched() throws {
        let settings = settings()
        settings.dispatch(.updateProfile(name: "Ada"), .selectProvider(.mpd))
        try wait("the change") { settings.profile.name == "Ada" }
        settings.dispatch(.undo)
        try wait("the undo") { settings.profile.name == "" }
        settings.dispatch(.undo)
        try wait("the refusal") { settings.error?.kind == .refused(.nothingToUndo) }
    }

    @Test func aLossIsShownAndSoIsTheReturn() throws {
        let settings = settings()
        let losses = Shown()
        settings.observe { losses.texts.append($0.loss?.name ?? "") }
        try daemon.end(SIGKILL)
        try wait("the loss") { settings.loss != nil }
        let again = try session.startDaemon()
        try wait("the return") { settings.loss == nil }
        #expect(losses.texts == ["", "NoDaemon", ""])
        _ = again
    }

    @Test func aChangeThatCannotBeSentGoesBack() throws {
        let settings = settings()
        try session.bus.stop()
        try wait("the loss") { settings.loss != nil }
        settings.profile.name = "Ada"
        try wait("the error") { settings.error != nil }
        #expect(settings.error?.kind == .noBus)
        #expect(settings.profile.name == "")
    }

    @Test func anObserverMayChangeWhatItObserves() throws {
        let settings = settings()
        let shown = Shown()
        settings.observe { settings in
            shown.texts.append(settings.profile.name)
            if settings.profile.name == "Ada" { settings.profile.name = "Ada Lovelace" }
        }
        settings.profile.name = "Ada"
        try wait("both changes") { client.profile.name == "Ada Lovelace" }
        #expect(shown.texts == ["", "Ada", "Ada Lovelace"])
    }

    @Test func theUserInterfaceMayLiveOnTheClientsLoop() throws {
        let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        let settings = ObservableSettings(client) { work in work() }
        settings.profile.name = "Ada"
        settings.profile.email = "nonsense"
        try wait("the refusal") { settings.error != nil }
        #expect(settings.profile.name == "Ada")
        #expect(settings.profile.email == "")
    }

    @Test func theMainActorIsServedToo() async throws {
        try await MainActorInterface.use(client)
        #expect(client.profile.name == "Ada Lovelace")
    }
}

/// A user interface on Swift's main actor, which Dispatch serves.
@MainActor private enum MainActorInterface {
    static func use(_ client: SettingsClient) async throws {
        let settings = ObservableSettings(client) { work in Task { @MainActor in work() } }
        settings.profile.name = "Ada"
        await until { client.profile.name == "Ada" }
        try await client.dispatch(.updateProfile(name: "Ada Lovelace"))
        await until { settings.profile.name == "Ada Lovelace" }
    }

    private static func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }
}
