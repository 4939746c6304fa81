/// What the actions of one request may cost together, so that no request holds others up for long.
///
/// A step looks at each item of the list that it changes, some more than once, which takes about a tenth of a microsecond each.
struct Effort {
    /// The items of lists that a request's steps may go through.
    static let items = 600_000

    private var left = items

    /// Takes in a step on a list. One step is taken however long the list is.
    ///
    /// - Throws: `TooLarge`.
    mutating func spend(on items: [SettingValue], of setting: Setting) throws(SettingsError) {
        guard left == Self.items || items.count <= left else {
            throw SettingsError(
                .tooLarge,
                "the actions go through more than \(Self.items) items of lists, \(items.count) of \(setting.key) for each step on it; "
                    + "split them, or set the whole list at once")
        }
        left = max(0, left - items.count)
    }
}
