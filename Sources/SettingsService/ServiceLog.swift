internal import Glibc
internal import SettingsModel
public import SettingsStore

/// The daemon's log: a line a message on standard error, with a priority in front where the journal reads it.
public struct ServiceLog: Sendable {
    private let isJournal: Bool
    private let output: Int32

    /// - Parameters:
    ///   - environment: JOURNAL_STREAM tells whether standard error goes to the journal (systemd.exec(5)).
    ///   - output: the descriptor that is written to; standard error if not given.
    public init(environment: [String: String], output: Int32? = nil) {
        isJournal = environment["JOURNAL_STREAM"].map(Self.isStandardError) ?? false
        self.output = output ?? STDERR_FILENO
    }

    /// Writes one message; what would break or turn round the line in it is replaced.
    public func write(_ priority: LogPriority, _ message: String) {
        var line = isJournal ? "<\(priority.rawValue)>" : "settingsd: "
        for scalar in message.unicodeScalars {
            line.unicodeScalars.append(scalar.isControlOrBidi ? "\u{FFFD}" : scalar)
        }
        line += "\n"
        // There is nobody to tell where it cannot be written.
        line.withUTF8 { bytes in _ = unsafe Glibc.write(output, bytes.baseAddress, bytes.count) }
    }

    /// Writes one line about a change that was refused: what, by whom and why, but no value and no link.
    ///
    /// - Parameters:
    ///   - actions: what was asked for, and the settings that each names.
    ///   - settings: the application whose settings they are; empty for the daemon's own.
    ///   - application: who asked.
    ///   - reason: without values.
    public func writeRefusal(
        of actions: [(name: String, keys: [String])], in settings: String, by application: String, reason: String
    ) {
        let shown = actions.prefix(3).map { name, keys in
            if keys.isEmpty { return name }
            return "\(name) of \(keys.prefix(5).joined(separator: ", "))\(keys.count > 5 ? ", …" : "")"
        }
        let more = actions.count > 3 ? " and \(actions.count - 3) more" : ""
        let place = settings.isEmpty ? "" : " in the settings of \(settings)"
        let caller = application.isEmpty ? "" : " by \(application)"
        write(.notice, "refused \(shown.joined(separator: ", "))\(more)\(place)\(caller): \(reason)")
    }

    /// systemd.exec(5): device and inode number of the journal's stream, in decimal, separated by a colon.
    private static func isStandardError(_ stream: String) -> Bool {
        var status = stat()
        guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

extension SettingsError {
    /// The reason without values: the message where it holds none, else what the name says of itself.
    var loggedReason: String {
        switch name {
        case .locked, .conflict, .readOnly, .storageFailed, .documentDamaged, .nothingToUndo, .tooLarge: description
        case .unknownKey, .unknownAction, .invalidValue, .invalidArgument:
            "\(name.rawValue): \(name.summary.prefix { $0 != ";" })"
        }
    }
}
