import SettingsClient
import SettingsModel
import Synchronization
import TestSupport
import Testing

/// Read-modify-write while others write too.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientUpdateTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
    }

    private func connect() async throws -> SettingsClient {
        try await SettingsClient.connect(address: session.bus.address)
    }

    @Test func appendsByTwoProcessesAreAllThere() throws {
        let probe = try Products.path("ClientProbe")
        let processes = try ["a", "b"].map { letter in
            try RunningProcess(probe, ["append", letter, "50"], environment: session.environment)
        }
        for process in processes { #expect(try process.waitForExit() == .exited(0), "\(process.log)") }
        let name = try session.control("get", "profile.name").stdout
        #expect(name.count { $0 == "a" } == 50)
        #expect(name.count { $0 == "b" } == 50)
        let status = try session.object(["status", "--json"])
        #expect(status["revision"] as? Int == 100)
    }

    @Test func anUpdateThatWritesNothingSendsNothing() async throws {
        let client = try await connect()
        #expect(try await client.update { _ in } == 0)
        #expect(try await client.update { draft in draft.profile.name = draft.profile.name } == 0)
    }

    @Test func anUpdateStartsAnewFromWhatSomebodyElseHasWritten() async throws {
        let client = try await connect()
        let seen = Mutex<[String]>([])
        try await client.update { draft in
            let isFirst = seen.withLock { seen in
                seen.append(draft.profile.name)
                return seen.count == 1
            }
            if isFirst {
                #expect(throws: Never.self) { try session.control("set", "profile.name", "Ada") }
            }
            draft.profile.name += "!"
        }
        #expect(seen.withLock { $0 }.first == "")
        #expect(seen.withLock { $0 }.last == "Ada")
        #expect(client.profile.name == "Ada!")
    }

    @Test func theNumberOfAttemptsIsBounded() async throws {
        let client = try await connect()
        let attempts = Atomic(0)
        let error = await #expect(throws: ClientError.self) {
            try await client.update(attempts: 3) { draft in
                let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
                #expect(throws: Never.self) { try session.control("set", "profile.email", "\(attempt)@e.org") }
                draft.profile.name += "!"
            }
        }
        #expect(error?.kind == .refused(.conflict))
        #expect(attempts.load(ordering: .relaxed) == 3)
        #expect(client.profile.name == "")
    }

    @Test func anyOtherRefusalEndsTheUpdateAtOnce() async throws {
        let client = try await connect()
        let attempts = Atomic(0)
        let error = await #expect(throws: ClientError.self) {
            try await client.update { draft in
                attempts.add(1, ordering: .relaxed)
                draft["profile.nam"] = "Ada"
            }
        }
        #expect(error?.kind == .refused(.unknownKey))
        #expect(attempts.load(ordering: .relaxed) == 1)
    }

    @Test func valuesAreSetAndResetInOneTransaction() async throws {
        let client = try await connect()
        try await client.dispatch([.updateProfile(name: "Ada", email: "ada@e.org"), .selectProvider(.mpd)])
        let revision = try await client.update { draft in
            draft["profile.email"] = nil
            draft.provider = .tidal
            draft[.help] = "https://e.org/"
        }
        #expect(revision == 2)
        #expect(client.profile.email == "")
        #expect(client.provider == .tidal)
        #expect(client.support[.help] == "https://e.org/")
    }
}
