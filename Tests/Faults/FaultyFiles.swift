import Foundation
import TestSupport

/// The calls that faultyfiles.c counts, in its order.
enum FaultyCall: Int32, CaseIterable, Sendable {
    case openat, opendir, readdir, close, stat, lstat, fstat, faccessat, readlink, flock, fcntl, pread, pwrite, ftruncate
    case fchmod, fchown, fdatasync, fsync, mkdir, renameat2, unlink, inotifyAddWatch, chmod, statx, statvfs

    /// The system calls that it makes.
    var systemCalls: Set<String> {
        switch self {
        case .openat: ["openat"]
        case .opendir: ["openat", "newfstatat", "close"]
        case .readdir: ["getdents64"]
        case .stat, .lstat, .fstat: ["newfstatat"]
        case .faccessat: ["faccessat", "faccessat2"]
        case .pread: ["pread64"]
        case .pwrite: ["pwrite64"]
        case .renameat2: ["rename", "renameat", "renameat2"]
        case .inotifyAddWatch: ["inotify_add_watch"]
        case .statvfs: ["statfs"]
        default: ["\(self)"]
        }
    }
}

/// What a call does instead of its work.
enum Fault: Hashable, Sendable, CustomStringConvertible {
    /// It fails with this `errno` value.
    case error(Int32)
    /// It reads or writes half.
    case short
    /// The process is killed before it.
    case kill
    /// It writes half, then the process is killed.
    case tear
    /// The process stops before it, until it is continued.
    case stop
    /// It never returns.
    case hang

    fileprivate var action: Int32 {
        switch self {
        case .error(let code): code
        case .short: -1
        case .kill: -2
        case .tear: -3
        case .stop: -4
        case .hang: -5
        }
    }

    var description: String {
        switch self {
        case .error(let code): String(cString: strerror(code))
        case .short: "half of it"
        case .kill: "killed"
        case .tear: "killed after half of it"
        case .stop: "stopped"
        case .hang: "hung"
        }
    }
}

/// Where a fault strikes.
struct FaultPlan: Hashable, Sendable, CustomStringConvertible {
    /// nil: any call.
    var call: FaultyCall?
    /// Which occurrences of the call, counted from 1.
    var occurrences: ClosedRange<Int32>
    var fault: Fault

    var description: String {
        let until = occurrences.upperBound == .max ? " and later" : ""
        return "\(call.map { "\($0)" } ?? "call") \(occurrences.lowerBound)\(until): \(fault)"
    }
}

/// Makes the calls of a program on its files fail, by a library that is loaded before it. Controls it while it runs.
final class FaultyFiles {
    /// The environment of the program.
    let environment: [String: String]
    private let plan: UnsafeMutableBufferPointer<Int32>
    private let folder: TemporaryFolder

    private enum Field: Int { case armed, call, first, last, action, hits, total, counts }

    /// - Parameters:
    ///   - root: the calls on what lies below it count.
    ///   - isLogging: whether to keep a list of the calls.
    ///   - isPlain: whether files cannot be exchanged, nor renamed only where nothing is.
    init(below root: String, isLogging: Bool = false, isPlain: Bool = false) throws {
        folder = try TemporaryFolder()
        let size = 4 * (Field.counts.rawValue + FaultyCall.allCases.count)
        try folder.write(String(repeating: "\0", count: size), to: "plan")
        let file = open(folder.path("plan"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED else {
            throw TestFailure("mmap: error \(errno)")
        }
        plan = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: Int32.self), count: size / 4)
        var environment = ["LD_PRELOAD": try Self.library.get(), "FAULTY_PLAN": folder.path("plan"), "FAULTY_ROOT": root]
        if isPlain { environment["FAULTY_PLAIN"] = "1" }
        if isLogging { environment["FAULTY_LOG"] = try folder.write("", to: "log") }
        self.environment = environment
    }

    deinit {
        munmap(plan.baseAddress, plan.count * 4)
    }

    private static let library: Result<String, any Error> = Result {
        let source = (#filePath as NSString).deletingLastPathComponent + "/faultyfiles.c"
        let target = (try Products.path("settingsd") as NSString).deletingLastPathComponent + "/faultyfiles.so"
        let new = "\(target).\(getpid())"
        let compiler = try RunningProcess(
            "cc", ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", new, source], environment: ["PATH": "/usr/bin:/bin"])
        guard try compiler.waitForExit(within: .seconds(60)) == .exited(0), rename(new, target) == 0 else {
            throw TestFailure("\(source) cannot be built.\n\(compiler.log)")
        }
        return target
    }

    /// Counts calls from now on; with a plan, lets them fail.
    func arm(_ fault: FaultPlan? = nil) {
        disarm()
        for index in Field.hits.rawValue..<plan.count { plan[index] = 0 }
        self[.call] = fault?.call?.rawValue ?? -1
        self[.first] = fault?.occurrences.lowerBound ?? .max
        self[.last] = fault?.occurrences.upperBound ?? .max
        self[.action] = fault?.fault.action ?? 0
        self[.armed] = 1
    }

    /// Lets all calls do their work again.
    func disarm() { self[.armed] = 0 }

    /// How often the fault has struck since it was armed.
    var hits: Int { Int(self[.hits]) }

    /// The number of calls since it was armed.
    var total: Int32 { self[.total] }

    func count(of call: FaultyCall) -> Int32 { plan[Field.counts.rawValue + Int(call.rawValue)] }

    /// The calls while it was armed that did their work, each with its path.
    var log: [(call: String, path: String)] {
        (folder.read("log") ?? "").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            return words.count == 2 && words[0] != "failed" ? (words[0], words[1]) : nil
        }
    }

    func clearLog() throws { try folder.write("", to: "log") }

    private subscript(field: Field) -> Int32 {
        get { plan[field.rawValue] }
        set { plan[field.rawValue] = newValue }
    }
}
