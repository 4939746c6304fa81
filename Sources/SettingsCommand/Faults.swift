internal import SettingsClient
internal import SettingsModel

extension Failure {
    /// Everything that is wrong with a text, at once and in the order of the text.
    ///
    /// - Parameter faults: one at least.
    init(_ faults: [SettingsText.Fault]) {
        let errors = faults.sorted().map(\.error)
        let name = Set(errors.map(\.name)).count == 1 ? errors[0].name : .invalidArgument
        self.init(SettingsError(name, errors[0].message))
        further = errors.dropFirst().map(\.message)
        hint = "nothing was changed"
    }
}

extension Session {
    /// Finds everything that the daemon would refuse in values that are to be set together.
    ///
    /// - Returns: the faults in order, each with its place in the text.
    /// - Throws: what would be refused whatever the values are.
    func faults(in entries: ArraySlice<SettingsText.Entry>, of text: SettingsText) throws(Failure) -> [SettingsText.Fault] {
        try refusals(of: entries).map { text.fault($0.error, in: $0.key) }
    }

    /// Finds everything that the daemon would refuse in values that are to be set together.
    ///
    /// Values are refused one by one, so what is refused as a whole is halved until each refused value stands alone.
    ///
    /// - Throws: what would be refused whatever the values are.
    func refusals(
        of entries: ArraySlice<SettingsText.Entry>
    ) throws(Failure) -> [(key: String, error: SettingsError)] {
        guard let refusal = try refusal(of: .preview([entries.action])) else { return [] }
        switch refusal.name {
        case .invalidValue, .unknownKey, .locked, .tooLarge: break
        default: throw Failure(refusal)
        }
        guard entries.count > 1 else {
            return [(entries.first?.key ?? "", refusal)]
        }
        let middle = entries.startIndex + entries.count / 2
        return try refusals(of: entries[..<middle]) + refusals(of: entries[middle...])
    }

    /// Makes a call for the sake of its refusal.
    ///
    /// - Returns: nil where the daemon does not refuse it.
    private func refusal<Answer>(of call: SettingsCall<Answer>) throws(Failure) -> SettingsError? {
        let connection = try self.connection()
        do throws(ClientError) {
            _ = try attempt(call.request, over: connection)
            return nil
        } catch {
            guard case .refused(let name) = error.kind else { throw failure(error, effect: call.request.effect) }
            return SettingsError(name, call.request.explaining(error).message)
        }
    }
}

extension Sequence<SettingsText.Entry> {
    /// The action that sets the values.
    var action: Action {
        .setValues(Dictionary(map { ($0.key, $0.value) }) { first, _ in first })
    }
}
