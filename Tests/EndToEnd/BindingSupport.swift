import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport

/// The Python that the system's bindings are for.
enum Python {
    static let path = "/usr/bin/python3"

    /// Whether a module can be imported.
    ///
    /// - Parameter version: of a namespace of gi.repository, where several may be installed.
    static func has(_ module: String, version: String? = nil) -> Bool {
        let namespace = module.split(separator: ".").last ?? ""
        let choice = version.map { "import gi; gi.require_version('\(namespace)', '\($0)'); " } ?? ""
        let process = try? RunningProcess(path, ["-c", "\(choice)import \(module)"], environment: ["PATH": "/usr/bin:/bin"])
        return (try? process?.waitForExit()) == .exited(0)
    }
}

/// A call that every binding makes, and the error that it is answered with.
struct BindingCall {
    let error: String
    let path: ObjectPath
    let interface: InterfaceName
    let member: MemberName
    let arguments: [Value]

    private init(
        _ error: String, _ member: MemberName, _ arguments: [Value] = [], _ interface: InterfaceName = SettingsNames.interface,
        path: ObjectPath = SettingsNames.path
    ) {
        self.error = error
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// The last part of each error's name with a call for it, in a session that `prepare` has prepared.
    static let all = [
        BindingCall("UnknownKey", "Read", [.string("profile.nam")]),
        BindingCall("InvalidValue", "Set", property("Profile", "Name", "a\nb"), .properties),
        BindingCall("UnknownAction", "Dispatch", [[Action("SelectProvder")].wire, .variants([])]),
        BindingCall("InvalidArgument", "LinkAccount", [.string("ada")], SettingsNames.actionsInterface),
        BindingCall("Locked", "SetSupportLink", [.string("terms"), .string("https://e.org/")], SettingsNames.actionsInterface),
        BindingCall(
            "Conflict", "Write",
            [.variants([("profile.name", .string("Ada"))]), .variants([("expected_revision", .uint64(999))])]),
        BindingCall("NothingToUndo", "Redo", [], SettingsNames.actionsInterface),
        BindingCall(
            "TooLarge", "SelectProvider", [.string(String(repeating: "a", count: 65_537))], SettingsNames.actionsInterface),
        storing("DocumentDamaged"),
        BindingCall("UnknownMethod", "ReadAl"),
        BindingCall("UnknownObject", "ReadAll", path: "/org/settingsd/Settings1/nothing"),
        BindingCall("UnknownInterface", "ReadAll", [], "org.settingsd.Settings1.Profil"),
        BindingCall("UnknownProperty", "Set", property("Profile", "Nam", "Ada"), .properties),
        BindingCall("PropertyReadOnly", "Set", property(nil, "Version", "9"), .properties),
        BindingCall("InvalidArgs", "Read", [.int32(5)]),
    ]

    /// The call that all is well with, but for the files.
    static func storing(_ error: String) -> BindingCall {
        BindingCall(error, "SelectProvider", [.string("mpd")], SettingsNames.actionsInterface)
    }

    // Calls that are answered.
    static let readingAll = BindingCall("", "ReadAll")
    static func naming(_ name: String) -> BindingCall {
        BindingCall("", "Set", property("Profile", "Name", name), .properties)
    }

    private static func property(_ section: String?, _ name: String, _ value: String) -> [Value] {
        let interface = SettingsNames.interface.rawValue + (section.map { "." + $0 } ?? "")
        return [.string(interface), .string(name), .variant(.string(value))]
    }

    /// Makes the files of a session such that its daemon gives every error of `all`.
    static func prepare(_ session: TestSession) throws {
        try session.folder.write(#"{"locked": ["support.terms"]}"#, to: TestSession.adminLayer)
        try session.folder.write(#"{"format": 1,}"#, to: TestSession.document)
    }
}

/// What keeps a change from being stored.
enum StorageFault: String, CaseIterable {
    case readOnly = "ReadOnly"
    case storageFailed = "StorageFailed"

    /// Brings the fault about, before the daemon starts.
    func prepare(_ session: TestSession) throws {
        switch self {
        case .readOnly: try session.folder.write(#"{"format": 2}"#, to: TestSession.document)
        case .storageFailed: try session.folder.write("in the way", to: "home/.local/state/settingsd")
        }
    }
}
