import DBus
import JSON
import SettingsBus
import SettingsModel

@testable import SettingsClient
@testable import SettingsCommand

/// What `import` and `edit` take: every member is an entry or a fault with its place, and entries are there again when they
/// were written.
enum ImportCheck {
    private static let known: SettingsDescription? = {
        let settings = Schema.builtIn.settings.map { setting in
            (setting.key, SettingDescription(setting, Layers().resolve(setting, user: nil)).wire)
        }
        return SettingsDescription([.uint64(0), .named(settings)])
    }()

    static func check(_ bytes: [UInt8]) throws {
        guard let known else { throw BrokenPromise(description: "The settings cannot be described") }
        let text: SettingsText
        do throws(Failure) {
            text = try SettingsText(bytes, name: "in.json", known: known, schema: .builtIn)
        } catch {
            try promise(error.message.hasPrefix("in.json, line "), "A refusal without a place: \(error.message)")
            return
        }
        for fault in text.faults {
            try promise(fault.error.message.hasPrefix("in.json, line "), "A fault without a place: \(fault.error.message)")
        }
        for entry in text.entries {
            try promise(Schema.builtIn.setting(named: entry.key)?.type == entry.value.type, "\(entry.key) is \(entry.value)")
        }
        let written = SettingsText.render(text.entries)
        let again: SettingsText
        do throws(Failure) {
            again = try SettingsText(written, name: "in.json", known: known, schema: .builtIn)
        } catch {
            throw BrokenPromise(description: "What was written does not read: \(error.message)")
        }
        let same =
            again.entries.map(\.key).elementsEqual(text.entries.map(\.key))
            || Set(again.entries.map(\.key)) == Set(text.entries.map(\.key))
        try promise(same && again.faults.isEmpty, "Other settings were written: \(String(decoding: written, as: UTF8.self))")
        for entry in again.entries {
            try promise(
                text.entries.contains { $0.key == entry.key && $0.value == entry.value }, "\(entry.key) has another value")
        }
    }
}
