internal import SettingsModel

/// What changes the settings, whatever the actions are. When one of these returns, the change is durable, and a read of the
/// copy sees it: the answer is held back until the signal behind it has been taken over. (Where the service is lost
/// between the two, until it is back, at most for the client's time limit.) A cancelled task does not take a change back.
extension LiveSettings {
    /// Carries actions out as one transaction: in order, all or none.
    final func carryOut(_ actions: [Action], expecting expectedRevision: UInt64?) async throws(ClientError) -> UInt64 {
        try await answer(Self.dispatching(actions, expecting: expectedRevision))
    }

    /// Carries actions out as one transaction and blocks until it is done.
    final func carryOutAndWait(_ actions: [Action], expecting expectedRevision: UInt64?) throws(ClientError) -> UInt64 {
        try waitForAnswer(Self.dispatching(actions, expecting: expectedRevision))
    }

    /// Carries actions out as one transaction; the completion is called on the loop.
    final func send(_ actions: [Action], completion: @escaping ClientCore.Completion<UInt64>) {
        core.run(completion, Self.dispatching(actions, expecting: nil))
    }

    private static func dispatching(_ actions: [Action], expecting expectedRevision: UInt64?) -> Question<UInt64> {
        { core, completion in core.change(.dispatch(actions, expecting: expectedRevision), completion: completion) }
    }

    /// Tells what a transaction would change, and changes nothing.
    final func outcome(of actions: [Action]) async throws(ClientError) -> [String: SettingValue] {
        try await answer { core, completion in core.send(.preview(actions), completion: completion) }
    }

    /// Tells what a transaction would change, changes nothing, and blocks until that is known.
    final func waitForOutcome(of actions: [Action]) throws(ClientError) -> [String: SettingValue] {
        try waitForAnswer { core, completion in core.send(.preview(actions), completion: completion) }
    }

    /// Lets a closure write a draft, and dispatches that as one transaction, provided that nobody else has changed anything
    /// meanwhile; else again from the newer values.
    final func commit(
        attempts: Int, _ write: (ApplicationDraft) throws(ClientError) -> ApplicationDraft
    ) async throws(ClientError) -> UInt64 {
        var attempt = 1
        while true {
            let draft = try write(ApplicationDraft(snapshot))
            let expected = draft.snapshot.revision
            if draft.actions.isEmpty { return expected }
            do throws(ClientError) {
                return try await carryOut(draft.actions, expecting: expected)
            } catch {
                guard error.kind == .refused(.conflict), attempt < attempts else { throw error }
            }
            attempt += 1
            // The signal of the change that won comes before the refusal, unless the copy is not in step just now.
            if revision > expected { continue }
            let _: Void = try await answer { core, completion in
                core.wait(for: max(expected, expected &+ 1), within: .seconds(1)) { completion(.success(())) }
            }
        }
    }
}
