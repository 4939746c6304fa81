internal import SettingsModel

/// A type of Swift's that is a setting's value as it stands.
protocol SettingScalar: Codable {
    /// What a value of the type is, for people: `a text`.
    static var words: String { get }

    /// - Returns: nil where the value is of another type, or out of this one's range.
    init?(setting value: SettingValue)

    /// The value as a setting's; nil where it is out of range.
    var setting: SettingValue? { get }
}

extension String: SettingScalar {
    static var words: String { "a text" }

    init?(setting value: SettingValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    var setting: SettingValue? { .string(self) }
}

extension Bool: SettingScalar {
    static var words: String { "true or false" }

    init?(setting value: SettingValue) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }

    var setting: SettingValue? { .boolean(self) }
}

extension SettingScalar where Self: FixedWidthInteger {
    static var words: String { "a whole number from \(min) to \(max)" }

    init?(setting value: SettingValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }

    var setting: SettingValue? { Int64(exactly: self).map(SettingValue.integer) }
}

extension Int: SettingScalar {}
extension Int8: SettingScalar {}
extension Int16: SettingScalar {}
extension Int32: SettingScalar {}
extension Int64: SettingScalar {}
extension UInt: SettingScalar {}
extension UInt8: SettingScalar {}
extension UInt16: SettingScalar {}
extension UInt32: SettingScalar {}
extension UInt64: SettingScalar {}

extension SettingScalar where Self: BinaryFloatingPoint {
    static var words: String { "a number" }

    /// A whole number counts as a number, too.
    init?(setting value: SettingValue) {
        switch value {
        case .number(let number): self.init(number)
        case .integer(let number): self.init(exactly: number)
        default: return nil
        }
    }

    var setting: SettingValue? { .number(Double(self)) }
}

extension Double: SettingScalar {}
extension Float: SettingScalar {}

extension SettingValue {
    /// What the value is, for people.
    var words: String {
        switch self {
        case .string(let text): "the text \(text.quoted())"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "the whole number \(number)"
        case .number(let number): "the number \(number)"
        case .list: "a list"
        case .record: "a record"
        }
    }
}

/// The place of a list's item.
struct ItemIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { "[\(intValue ?? 0)]" }

    init(_ index: Int) { intValue = index }
    init(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
}

extension ClientError {
    /// An error of Swift's from reading or writing a value: its place as `alarms[2].name`, and what is wrong there.
    ///
    /// - Parameter key: the setting; empty: the path alone says it.
    init(coding error: any Error, _ key: String) {
        if let error = error as? ClientError {
            self = error
            return
        }
        let context: (path: [any CodingKey], text: String) =
            switch error {
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
                (context.codingPath, context.debugDescription)
            case EncodingError.invalidValue(_, let context): (context.codingPath, context.debugDescription)
            default: ([], "\(error)")
            }
        var place = key
        for part in context.path {
            place += place.isEmpty || part is ItemIndex ? part.stringValue : ".\(part.stringValue)"
        }
        self.init(.mismatch, "\(place.isEmpty ? "the settings" : place): \(context.text)")
    }
}
