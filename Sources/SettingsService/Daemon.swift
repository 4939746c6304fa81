internal import CLinux
internal import DBus
internal import EventLoop
internal import Glibc
internal import SettingsBus
internal import SettingsModel
internal import SettingsStore

/// The whole of `settingsd`.
public enum Daemon {
    /// How the daemon ends.
    package enum Status: Int32, CaseIterable, Sendable {
        case done = 0
        case failed = 1
        case usage = 2
        case nameTaken = 3
        case shutOut = 4

        /// The meaning, as the manual has it.
        package var meaning: String {
            switch self {
            case .done: "it was told to end, or the session's bus has gone"
            case .failed: "there is no bus, or the home is another account's"
            case .usage: "wrong usage"
            case .nameTaken: "another settingsd serves the bus"
            case .shutOut: "a folder was made anew outside of the unit's sandbox; the service manager starts settingsd again"
            }
        }
    }

    /// Runs the daemon to its end.
    ///
    /// - Parameters:
    ///   - arguments: the command line, the program's name included.
    /// - Returns: the exit status.
    public static func main(arguments: [String], environment: [String: String]) -> Int32 {
        ProcessEnvironment.claimStandardStreams()
        let log = ServiceLog(environment: environment)
        let parsed: DaemonArguments
        do throws(DaemonArguments.Fault) {
            parsed = try DaemonArguments(Array(arguments.dropFirst()))
        } catch {
            log.write(.error, error.message)
            return (write(DaemonArguments.usage, to: STDERR_FILENO) ? Status.usage : .failed).rawValue
        }
        switch parsed.printed {
        case .help: return print(DaemonArguments.usage)
        case .version: return print("settingsd \(SettingsVersion.current)\n")
        case .interface: return print(SettingsInterfaces.xml(for: .builtIn))
        case nil: return serve(parsed, environment: environment, log: log)
        }
    }

    private static func serve(_ arguments: DaemonArguments, environment: [String: String], log: ServiceLog) -> Int32 {
        prepareSignals()
        prepareMemory()
        do {
            let loop = try EventLoop()
            let service = Service(loop: loop, log: log, notifier: ServiceNotifier(environment: environment, log: log))
            try service.start(arguments, environment: environment)
            loop.run()
            return service.status.rawValue
        } catch let error as BusError {
            log.write(.error, error.message)
        } catch {
            log.write(.error, "\(error)")
        }
        return Status.failed.rawValue
    }

    /// What signals do before the loop takes its own, and in place of ending the process. All others keep their default:
    /// nobody sends them but to end the process at once, which nothing that is stored minds.
    private static func prepareSignals() {
        // A stream that is gone, a file that has reached its limit and a terminal that is in use are errors of the write.
        for ignored in [SIGPIPE, SIGXFSZ, SIGTTOU] { signal(ignored, SIG_IGN) }
        // There is nothing yet to finish or to read again. An "ignore" that was inherited does not count.
        for ending in [SIGTERM, SIGINT, SIGXCPU] { signal(ending) { _ in _exit(Status.done.rawValue) } }
        signal(SIGHUP) { _ in }
    }

    /// Has large pieces of memory, as the texts of large documents need for a moment, go back to the system at once; the C
    /// library would come to keep up to 64 MiB for the next ones (mallopt(3), M_MMAP_THRESHOLD).
    ///
    /// The largest message that is not refused stays below that with all that libdbus reads it into. Were its memory taken
    /// from the system anew each time, reading such messages would take longer than the bus takes to send them, and what waits
    /// there holds up every other caller.
    private static func prepareMemory() {
        mallopt(M_MMAP_THRESHOLD, 3 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }

    private static func print(_ text: String) -> Int32 {
        (write(text, to: STDOUT_FILENO) ? Status.done : .failed).rawValue
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
