/// What stands in the user's document in place of values that have no effect, for its author to mend.
///
/// Steps that go by the value before would go by another one than its author has written, and replace that; they are refused
/// until it is mended. Steps that give the whole value or take it away replace it.
public struct RefusedValues: Sendable {
    /// The settings that it stands in place of.
    public let keys: Set<String>
    private let explanation: @Sendable (Setting) -> String

    /// Describes what stands there.
    ///
    /// - Parameter explanation: a clause that says where the value stands and why it has no effect.
    public init(_ keys: Set<String>, explanation: @escaping @Sendable (Setting) -> String) {
        self.keys = keys
        self.explanation = explanation
    }

    /// The document has values in force only.
    public static var none: RefusedValues { RefusedValues([]) { _ in "" } }

    /// Refuses a step that goes by the value before.
    func refusal(of action: Action, on setting: Setting, application: String) -> SettingsError {
        let program = Schema.command(ofApplication: application)
        return SettingsError(
            .invalidArgument,
            "\(action.name) is not possible now, for it goes by the value before: \(explanation(setting)); mend it there, or "
                + "`\(program) set \(setting.key)` gives it a new value, `\(program) reset \(setting.key)` takes it out")
    }
}

extension Schema {
    /// How settingsctl is called for these settings, in messages that say what to do.
    public var command: String { Self.command(ofApplication: application) }

    /// `settingsctl -a org.example.Clock`; for the user's own settings, whose application is empty, `settingsctl`.
    static func command(ofApplication application: String) -> String {
        application.isEmpty ? "settingsctl" : "settingsctl -a \(application)"
    }
}
