internal import Glibc
internal import SettingsBus
internal import SettingsClient
internal import SettingsModel

extension Command {
    static let edit = Command(
        .edit, summary: "Lets you edit your own values in an editor and applies what you have changed",
        operands: .none,
        examples: [
            Example("edit", "opens your values in $VISUAL, else $EDITOR")
        ],
        details: """
            The editor gets a private copy; a value that is taken out of it is reset. Nothing changes until the editor has \
            ended and all that it has left is in order; then everything changes in one transaction. Changes that others have \
            made meanwhile stay; where they are to the same settings, the exit status is 6 and the copy is kept.
            Prints KEY, a tab and OLD → NEW for each value that has changed, of a list which items. With --json: {"revision","values"}.
            """,
        run: { invocation throws(Failure) in
            try OwnFiles.check()
            try Edit(invocation).run()
        })
}

/// One run of `edit`.
private struct Edit {
    private let invocation: Invocation
    private let editor: Editor
    private let copy: PrivateCopy
    /// What the copy said at first.
    private let before: SettingsDescription

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        editor = try Editor()
        before = try invocation.session.answer(to: .describe())
        if let expected = invocation.options.expectedRevision { try before.check(expected) }
        copy = try PrivateCopy(SettingsText.render(before.userValues))
    }

    func run() throws(Failure) {
        let keys = before.settings.map(\.key).joined(separator: ", ")
        invocation.messages.notice("a value that you take out is reset; the settings are \(keys)", of: "edit")
        for problem in before.settings.compactMap(\.description.problem) { invocation.messages.notice(problem, of: "edit") }
        while true {
            do throws(Failure) {
                try editor.edit(copy.path, loop: try invocation.session.loop())
            } catch {
                throw given(up: error)
            }
            do throws(Failure) {
                try apply(try copy.read())
                return copy.remove()
            } catch {
                try askWhetherToEditAgain(after: error)
            }
        }
    }

    /// The failure with which the edit ends, and what has become of the copy.
    private func given(up failure: Failure) -> Failure {
        guard copy.isEdited else {
            copy.remove()
            return failure
        }
        var failure = failure
        failure.further.append("what you have written is in \(copy.path)")
        return failure
    }

    /// Reports a failure where somebody is there to mend it, and asks what to do.
    ///
    /// - Throws: the failure where nobody is, or they give up.
    private func askWhetherToEditAgain(after failure: Failure) throws(Failure) {
        let failure = given(up: failure)
        guard copy.isEdited, !invocation.options.json, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw failure
        }
        invocation.messages.report(failure, of: "edit")
        while let answer = invocation.messages.ask("edit again (e) or abandon (a)? ") {
            switch answer {
            case "e", "": return
            case "a":
                copy.remove()
                throw Failure(name: failure.name, message: "abandoned; nothing was changed", status: failure.status)
            default: continue
            }
        }
        throw failure
    }

    // MARK: Applying

    private func apply(_ bytes: [UInt8]) throws(Failure) {
        guard copy.isEdited else {
            return invocation.show(nil, revision: before.revision, otherwise: "nothing was changed")
        }
        let invocation = invocation.renewed()
        while true {
            let now = try invocation.session.answer(to: .describe())
            let actions = try actions(
                of: try SettingsText(bytes, name: copy.path, known: now, schema: invocation.session.schema), now,
                invocation.session)
            guard !actions.isEmpty else {
                return invocation.show(nil, revision: now.revision, otherwise: "nothing was changed")
            }
            do throws(Failure) {
                let expected = invocation.options.expectedRevision ?? now.revision
                let (revision, change) = try invocation.session.report(of: .dispatch(actions, expecting: expected))
                return invocation.show(change, revision: revision, otherwise: "no effective value has changed")
            } catch  where error.status == .conflict && invocation.options.expectedRevision == nil {
                // Somebody else was faster; theirs is looked at next, as long as there is time.
                if invocation.session.remaining == .zero { throw error }
            }
        }
    }

    /// What has to be done for the copy's changes to be there.
    private func actions(
        of text: SettingsText, _ now: SettingsDescription, _ session: Session
    ) throws(Failure) -> [Action] {
        let old = before.valuesByKey
        let current = now.valuesByKey
        let new = Dictionary(text.entries.map { ($0.key, $0.value) }) { first, _ in first }
        let changed = text.entries.filter { old[$0.key] != $0.value }
        let faults = text.faults + (try session.faults(in: changed[...], of: text))
        guard faults.isEmpty else { throw Failure(faults) }
        let touched = Set(changed.map(\.key)).union(old.keys.filter { new[$0] == nil })
        let pending = touched.filter { current[$0] != new[$0] }.inOrder(of: invocation.session.schema)
        let conflicts = pending.filter { current[$0] != old[$0] }
        guard conflicts.isEmpty else { throw conflict(conflicts, current, new) }
        let resets = pending.filter { new[$0] == nil }
        let sets = changed.filter { pending.contains($0.key) }
        return (resets.isEmpty ? [] : [Action.resetValues(resets)]) + (sets.isEmpty ? [] : [sets.action])
    }

    private func conflict(
        _ keys: [String], _ current: [String: SettingValue], _ new: [String: SettingValue]
    ) -> Failure {
        let differences = keys.map { key in
            let (theirs, yours) = (current[key].map { $0.text.quoted() }, new[key].map { $0.text.quoted() })
            return "\(key) (theirs: \(theirs ?? "none"), yours: \(yours ?? "none"))"
        }
        let list = differences.joined(separator: ", ")
        return Failure(
            SettingsError(
                .conflict, "nothing was changed: somebody else has changed the same settings meanwhile: \(list)"))
    }
}

extension SettingsDescription {
    /// The user's own values.
    fileprivate var valuesByKey: [String: SettingValue] {
        Dictionary(userValues.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// - Throws: `Conflict` where the revision is another.
    func check(_ expected: UInt64) throws(Failure) {
        guard expected != revision else { return }
        throw Failure(
            SettingsError(
                .conflict,
                "revision \(expected) was expected, but the current one is \(revision); read the values again, then retry"))
    }
}
