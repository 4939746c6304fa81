extension StringProtocol {
    /// A key, or a part of one, as a name on the bus: `meeting.start_hour` → `MeetingStartHour`.
    package var camelCase: String {
        split { $0 == "." || $0 == "_" || $0 == "-" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension Setting {
    /// The name of the setting's property on an application's object: all of the key in camel case.
    public var propertyName: String { key.camelCase }
}
