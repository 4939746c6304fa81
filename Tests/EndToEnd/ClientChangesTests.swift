import EventLoop
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// The client library's sequences.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientChangesTests {
    let session: TestSession
    let daemon: RunningProcess
    let client: SettingsClient

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        client = try session.client()
    }

    /// Changes the name so many times, to the numbers from 1 on.
    private func change(_ count: Int) throws {
        for number in 1...count { try client.dispatchAndWait(.updateProfile(name: "\(number)")) }
    }

    @Test func everyReaderGetsASnapshotAndThenEachChangeOnce() throws {
        let first = ClientReader(client)
        try change(5)
        let second = ClientReader(client)
        try session.control("set", "profile.name", "Ada")
        try first.wait("all changes") { $0 == ["snapshot 0"] + (1...6).map { "changed \($0)" } }
        try second.wait("the last change") { $0 == ["snapshot 5", "changed 6"] }
        guard case .changed(let change) = second.elements.last else { throw TestFailure("\(second.names)") }
        #expect(change.values == ["profile.name": "Ada"])
        #expect(change.previous == ["profile.name": "5"])
        #expect(change.application == "settingsctl")
    }

    @Test func changesWhileAReaderBeginsAreNeitherLostNorRepeated() throws {
        let writer = try session.startShell("for i in {1..40}; do settingsctl set profile.name=$i; done")
        var readers: [ClientReader<SettingsChanges>] = []
        for revision in 0..<40 {
            try eventually("revision \(revision)") { client.revision >= revision }
            readers.append(ClientReader(client))
        }
        for reader in readers {
            try reader.wait("the last change") { ["changed 40", "snapshot 40"].contains($0.last) }
            let start = try #require(reader.names.first.flatMap { Int($0.dropFirst("snapshot ".count)) })
            #expect(reader.names.dropFirst() == (start..<40).map { "changed \($0 + 1)" }[...])
        }
        try writer.waitForExit()
    }

    @Test func aSlowReaderFindsOneSnapshotInPlaceOfWhatItHasMissed() async throws {
        var reader = client.changes(buffer: 10).makeAsyncIterator()
        #expect(await reader.next(isolation: nil)?.name == "snapshot 0")
        try change(25)
        var names: [String] = []
        while names.last != "changed 25" { names.append(await reader.next(isolation: nil)?.name ?? "") }
        #expect(names == ["snapshot 21"] + (22...25).map { "changed \($0)" })
    }

    @Test func aValueIsToldNowAndWheneverItIsAnother() async throws {
        var names = try client.values(of: "profile.name").makeAsyncIterator()
        var provider = try client.values(of: "provider").makeAsyncIterator()
        #expect(await names.next(isolation: nil) == "")
        #expect(await provider.next(isolation: nil) == "none")
        try await client.dispatch(.selectProvider(.mpd))
        try await client.dispatch(.updateProfile(name: "Ada"))
        #expect(await names.next(isolation: nil) == "Ada")
        #expect(await provider.next(isolation: nil) == "mpd")
        // A slow reader gets the latest alone.
        try change(10)
        #expect(await names.next(isolation: nil) == "10")
    }

    @Test func theValuesOfAnUnknownSettingAreRefusedWithTheNearestOne() {
        let error = #expect(throws: ClientError.self) { try client.values(of: "profile.nam") }
        #expect(error?.kind == .refused(.unknownKey))
        #expect(error?.message.contains("profile.name") == true)
    }

    @Test func aReaderThatIsCancelledEnds() throws {
        let reader = ClientReader(client)
        let values = ClientReader(try client.values(of: "provider"), on: client.loop)
        try reader.wait("the snapshot") { $0 == ["snapshot 0"] }
        reader.cancel()
        values.cancel()
        try eventually("the end") { reader.isOver && values.isOver }
        try change(1)
        #expect(reader.names == ["snapshot 0"])
    }

    @Test func closingEndsEveryReader() throws {
        let reader = ClientReader(client)
        let values = ClientReader(try client.values(of: "provider"), on: client.loop)
        try eventually("the first elements") { !reader.elements.isEmpty && !values.elements.isEmpty }
        // The readers resume on the loop, so that has to go on.
        client.loop.post { [client] in client.close() }
        try eventually("the end") { reader.isOver && values.isOver }
    }

    @Test func aSequenceOfAClosedClientIsEmpty() async throws {
        client.close()
        var iterator = client.changes.makeAsyncIterator()
        #expect(await iterator.next(isolation: nil) == nil)
        var values = try client.values(of: "provider").makeAsyncIterator()
        #expect(await values.next(isolation: nil) == nil)
    }
}
