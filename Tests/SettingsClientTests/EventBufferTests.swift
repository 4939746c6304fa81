import SettingsModel
import Testing

@testable import SettingsClient

/// What a slow reader finds.
@Suite(.timeLimit(.minutes(10))) struct EventBufferTests {
    private let hub = SettingsHub(SettingsCopy(SettingsSnapshot(revision: 0, values: [:]), schema: .builtIn))

    /// Publishes a change and returns the event.
    @discardableResult
    private func change(_ revision: UInt64) -> SettingsEvent {
        let event = SettingsEvent.changed(
            SettingsChange(
                revision: revision, values: ["profile.name": .string("\(revision)")], previous: [:], actions: [], origin: .bus,
                application: "", time: 0))
        hub.publish(event)
        return event
    }

    private func buffer(limit: Int) -> EventBuffer {
        let buffer = EventBuffer(limit: limit)
        _ = hub.add(buffer)
        return buffer
    }

    /// All that waits in a buffer that gets no more.
    private func rest(of buffer: EventBuffer) async -> [SettingsEvent] {
        hub.finish()
        var events: [SettingsEvent] = []
        while let event = await buffer.next() { events.append(event) }
        return events
    }

    @Test func asManyEventsAsTheLimitWaitInOrder() async {
        let buffer = buffer(limit: 3)
        let events = [change(1), change(2), change(3)]
        #expect(await rest(of: buffer) == events)
    }

    @Test func oneEventMoreAndASnapshotTakesThePlaceOfAll() async {
        let buffer = buffer(limit: 3)
        for revision in 1...4 { change(UInt64(revision)) }
        let fifth = change(5)
        let snapshot = SettingsSnapshot(revision: 4, values: ["profile.name": "4"])
        #expect(await rest(of: buffer) == [.snapshot(snapshot), fifth])
    }

    @Test func aLossIsNotSwallowedByTheSnapshot() async {
        let buffer = buffer(limit: 1)
        change(1)
        change(2)
        let loss = SettingsEvent.lost(ClientError(.noDaemon, "gone"))
        hub.publish(loss)
        #expect(await rest(of: buffer) == [.snapshot(hub.copy.snapshot), loss])
        #expect(hub.copy.loss?.kind == .noDaemon)
    }

    @Test func whatIsWrongIsNotSwallowedByTheSnapshot() async {
        let buffer = buffer(limit: 2)
        hub.publish(.problems(["a comma is missing"]))
        change(1)
        change(2)
        #expect(await rest(of: buffer) == [.snapshot(hub.copy.snapshot), .problems(["a comma is missing"])])
        #expect(hub.copy.problems == ["a comma is missing"])
    }

    @Test func aLimitOfOneStaysBounded() async {
        let buffer = buffer(limit: 1)
        for revision in 1...100 {
            change(UInt64(revision))
            hub.publish(.lost(ClientError(.noDaemon, "gone")))
        }
        #expect(await rest(of: buffer).count <= 2)
    }

    @Test func anEventThatIsTakenMakesRoomForAnother() async {
        let buffer = buffer(limit: 1)
        for revision in 1...5 {
            let event = change(UInt64(revision))
            #expect(await buffer.next() == event)
        }
    }

    @Test func whoBeginsToListenAfterTheEndHearsOfIt() async {
        hub.finish()
        #expect(hub.add(EventBuffer(limit: 1)) == nil)
    }

    @Test func aCopyThatAReaderHoldsStaysAsItWas() {
        let before = hub.copy
        change(1)
        #expect(before.snapshot.revision == 0)
        #expect(hub.copy.snapshot.revision == 1)
    }
}
