internal import SettingsModel

/// The schema's settings as the document nests them: sections in sections, settings at the ends, all in schema order.
struct SettingTree: Sendable {
    indirect enum Node: Sendable {
        case setting(Setting)
        case section(SettingTree)
    }

    private(set) var members: [(name: String, node: Node)] = []

    init(_ schema: Schema) {
        for setting in schema.settings { insert(setting, at: setting.path[...]) }
    }

    private init() {}

    subscript(name: String) -> Node? { members.first { $0.name == name }?.node }

    private mutating func insert(_ setting: Setting, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        if path.count == 1 {
            members.append((name, .setting(setting)))
        } else if let place = members.firstIndex(where: { $0.name == name }), case .section(var section) = members[place].node {
            section.insert(setting, at: path.dropFirst())
            members[place].node = .section(section)
        } else {
            var section = SettingTree()
            section.insert(setting, at: path.dropFirst())
            members.append((name, .section(section)))
        }
    }
}
