public import DBus
import Foundation

/// What a command has done.
public struct CommandResult: Hashable, Sendable, CustomStringConvertible {
    public var status: ExitStatus
    public var stdout: String
    public var stderr: String

    public var description: String { "\(status)\n--- stdout\n\(stdout)\n--- stderr\n\(stderr)" }
}

extension RunningProcess {
    /// Waits for the end of the process and tells all that it has done.
    public func result() throws -> CommandResult {
        let status = try waitForExit()
        return CommandResult(status: status, stdout: stdout, stderr: stderr)
    }
}

/// A user's session in small: a home with its XDG folders, a private bus, and the project's programs in them.
///
/// Usable from any thread.
public final class TestSession: Sendable {
    /// Holds `home`, `etc` (the one folder of XDG_CONFIG_DIRS), `share` (that of XDG_DATA_DIRS) and `run`.
    public let folder: TemporaryFolder
    public let bus: PrivateBus
    /// The environment of the programs, the bus address included.
    public let environment: [String: String]

    /// Makes the folders and starts the bus.
    ///
    /// - Parameters:
    ///   - limits: the bus's limits, see `PrivateBus`.
    ///   - folder: a home to share with another session.
    ///   - activatable: whether the bus starts settingsd for its name.
    public init(
        limits: [String: Int] = [:], folder: TemporaryFolder? = nil, activatable: Bool = false
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        for name in ["home", "etc", "share", "run"] { try folder.folder(name) }
        chmod(folder.path("run"), 0o700)
        let base = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path("home"),
            "XDG_CONFIG_HOME": folder.path("home/.config"), "XDG_STATE_HOME": folder.path("home/.local/state"),
            "XDG_DATA_HOME": folder.path("home/.local/share"), "XDG_CONFIG_DIRS": folder.path("etc"),
            "XDG_DATA_DIRS": folder.path("share"), "XDG_RUNTIME_DIR": folder.path("run"),
        ]
        bus = try PrivateBus(limits: limits, environment: base)
        environment = base.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        if activatable { try bus.addService(Self.daemonName.rawValue, exec: Products.path("settingsd")) }
    }

    public static let daemonName: BusName = "org.settingsd.Settings1"

    /// The files as the contract names them, relative to `folder`.
    public static let document = "home/.config/settingsd/settings.json"
    public static let journal = "home/.local/state/settingsd/journal.jsonl"
    public static let adminLayer = "etc/settingsd/settings.json"
    public static let vendorLayer = "share/settingsd/settings.json"

    /// Starts the daemon and waits until it owns its name.
    public func startDaemon(
        _ arguments: [String] = [], environment changes: [String: String] = [:]
    ) throws -> RunningProcess {
        let daemon = try RunningProcess(
            Products.path("settingsd"), arguments, environment: environment.merging(changes) { $1 }, home: folder)
        do {
            try bus.waitForOwner(of: Self.daemonName)
        } catch {
            throw TestFailure("\(error)\n\(daemon.log)")
        }
        return daemon
    }

    /// Starts settingsctl and leaves it running.
    public func startControl(
        _ arguments: [String], environment changes: [String: String] = [:], input: String = ""
    ) throws -> RunningProcess {
        try RunningProcess(
            Products.path("settingsctl"), arguments, environment: environment.merging(changes) { $1 }, input: input)
    }

    /// Runs settingsctl to its end.
    @discardableResult
    public func control(
        _ arguments: String..., environment changes: [String: String] = [:], input: String = ""
    ) throws -> CommandResult {
        try startControl(arguments, environment: changes, input: input).result()
    }
}
