public import SettingsModel

/// Random rules, and values for them.
extension SeededGenerator {
    public mutating func rule(depth: Int) -> ValueRule {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &self) {
        case 0: return .boolean
        case 1: return .integer(Bounds())
        case 2: return .number(Bounds())
        case 3: return .string(StringRule())
        case 4: return .list(ListRule(of: rule(depth: depth - 1)))
        default: return .record(RecordRule(["a", "b", "c"].map { .init($0, rule(depth: depth - 1)) }))
        }
    }

    public mutating func value(of rule: ValueRule) -> SettingValue {
        switch rule {
        case .boolean: return .boolean(.random(using: &self))
        case .integer: return .integer(Int64(bitPattern: next() >> UInt64.random(in: 0..<64, using: &self)))
        case .number:
            let number = Double(bitPattern: next())
            return .number(number.isFinite ? number : 0)
        case .string: return .string(["", "Ada", "e\u{301}", "\u{E9}", "\"\\\n\u{1}", "👩‍👩‍👧‍👦"].randomElement(using: &self) ?? "")
        case .list(let list):
            return .list(element: list.item.type, (0..<Int.random(in: 0..<4, using: &self)).map { _ in value(of: list.item) })
        case .record(let record):
            var fields: [String: SettingValue] = [:]
            for field in record.fields where Bool.random(using: &self) { fields[field.name] = value(of: field.rule) }
            return .record(fields)
        case .unchecked: return .boolean(true)
        }
    }
}
