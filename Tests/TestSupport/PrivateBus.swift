public import DBus
import EventLoop
import Foundation
import Synchronization

/// A dbus-daemon of one test's own: own folder, own configuration, own folder of activation files. It ends with this
/// object.
///
/// Usable from any thread.
public final class PrivateBus: Sendable {
    /// The address, the same after a restart.
    public let address: String
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let daemon: Mutex<RunningProcess>

    /// A session bus's limits, which are far wider than dbus-daemon's own defaults.
    private static let sessionLimits = [
        "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000, "max_message_size": 1_000_000_000,
        "max_completed_connections": 100_000, "max_incomplete_connections": 10_000,
        "max_connections_per_user": 100_000, "max_pending_service_starts": 10_000,
        "max_names_per_connection": 50_000, "max_match_rules_per_connection": 50_000,
        "max_replies_per_connection": 50_000,
    ]

    /// Starts a bus and waits until it listens.
    ///
    /// - Parameters:
    ///   - limits: values for `<limit>` elements by name, as in dbus-daemon(1), in place of a session bus's own.
    ///   - environment: the bus's environment, which what it activates inherits; `DBUS_SESSION_BUS_ADDRESS` is added.
    public init(
        limits: [String: Int] = [:], environment: [String: String] = ["PATH": "/usr/bin:/bin"]
    ) throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path("bus"))"
        self.environment = environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
        try folder.folder("services")
        let limitElements = Self.sessionLimits.merging(limits) { $1 }.map { "<limit name=\"\($0)\">\($1)</limit>" }.joined(
            separator: "\n  ")
        try folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(folder.path("services"))</servicedir>
              <policy context="default">
                <allow user="*"/>
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
              \(limitElements)
            </busconfig>
            """, to: "bus.conf")
        daemon = Mutex(try Self.launch(in: folder, self.environment))
    }

    /// Makes a name activatable: the bus starts the program for it. Takes effect at once.
    public func addService(_ name: String, exec: String) throws {
        try folder.write("[D-BUS Service]\nName=\(name)\nExec=\(exec)\n", to: "services/\(name).service")
        // It would notice the new file by itself, but not before everything that asks for it.
        let connection = try Connection.open(address: address, loop: try EventLoop())
        defer { connection.close() }
        let reload = Message.methodCall(
            to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "ReloadConfig")
        _ = try connection.callAndWait(reload, timeout: .seconds(20))
    }

    /// Starts the bus again at its address and waits until it listens.
    public func start() throws {
        let process = try Self.launch(in: folder, environment)
        daemon.withLock { $0 = process }
    }

    private static func launch(in folder: TemporaryFolder, _ environment: [String: String]) throws -> RunningProcess {
        let process = try RunningProcess(
            "dbus-daemon", ["--config-file=\(folder.path("bus.conf"))", "--nofork", "--nopidfile", "--print-address"],
            environment: environment)
        try process.waitForOutput("\n")
        return process
    }

    /// Ends the bus, and with it all connections.
    public func stop() throws {
        try process.end()
    }

    /// Ends the bus and starts it again at the same address.
    public func restart() throws {
        try stop()
        try start()
    }

    /// The dbus-daemon.
    public var process: RunningProcess { daemon.withLock { $0 } }

    /// Waits until somebody owns a name (or, with `isOwned` false, nobody), and returns who.
    @discardableResult
    public func waitForOwner(
        of name: BusName, isOwned: Bool = true, within limit: Duration = .seconds(20)
    ) throws -> String? {
        let loop = try EventLoop()
        let connection = try Connection.open(address: address, loop: loop)
        defer { connection.close() }
        var owner: String??
        connection.subscribe(
            MatchRule(sender: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged", arg0: name.rawValue)
        ) { signal in
            let newOwner = (try? signal.body())?.last?.string ?? ""
            owner = .some(newOwner.isEmpty ? nil : newOwner)
        }
        connection.owner(of: name) { answer in
            if case .success(let current) = answer { owner = .some(current) }
        }
        let isThere = { if let owner { (owner != nil) == isOwned } else { false } }
        guard loop.run(until: isThere, timeout: limit) else {
            throw TestFailure(
                "Not within \(limit): \(name) \(isOwned ? "owned" : "free").\n\(process.log)")
        }
        return owner ?? nil
    }
}
