internal import CLinux
internal import Glibc
internal import SettingsModel

/// What a process is called: the name under which its changes stand in the history. For people, never for permission.
enum ProcessIdentity {
    /// The process's app id (Flatpak, Snap), else the desktop id of its unit, else the name of its program or script;
    /// empty for a process that is gone.
    static func application(of process: Int32) -> String { presentable(claimedName(of: process)) }

    /// A name as it may stand in messages, logs and tables: a process can call itself anything.
    static func presentable(_ name: String) -> String {
        var shown = ""
        for scalar in name.unicodeScalars.prefix(maximumLength) {
            shown.unicodeScalars.append(scalar.isControlOrBidi ? "\u{FFFD}" : scalar)
        }
        return shown
    }

    /// Of scalars; app ids have 255 bytes at most.
    private static let maximumLength = 255

    private static func claimedName(of process: Int32) -> String {
        let folder = "/proc/\(process)"
        if let info = sandboxInfo(of: process), let id = flatpakID(in: info) { return id }
        if let groups = contents(of: folder + "/cgroup"), let id = desktopID(inGroups: groups) { return id }
        let arguments = contents(of: folder + "/cmdline").map { $0.split(separator: "\0").map(String.init) } ?? []
        if let program = linkTarget(of: folder + "/exe") { return programName(program, arguments: arguments) }
        let command = contents(of: folder + "/comm").map { String($0.prefix { $0 != "\n" }) } ?? ""
        return programName(command: command, arguments: arguments)
    }

    /// The name of a program whose executable is not to be seen, as from a user namespace (ptrace(2)): the command line has
    /// it in full where it agrees with what the kernel calls the process.
    ///
    /// - Parameter command: the text of `/proc/PID/comm`, which the kernel cuts off after 15 bytes.
    static func programName(command: String, arguments: [String]) -> String {
        guard let program = arguments.first else { return command }
        let name = programName(program, arguments: arguments)
        let candidates = [name, lastPart(of: program)]
        return candidates.contains { $0.utf8.starts(with: command.utf8) } ? name : command
    }

    /// The name in a `.flatpak-info` (flatpak-metadata(5)).
    static func flatpakID(in info: String) -> String? {
        var isApplication = false
        for line in info.split(separator: "\n") {
            if line.hasPrefix("[") { isApplication = line == "[Application]" }
            if isApplication, line.hasPrefix("name=") { return String(line.dropFirst("name=".count)) }
        }
        return nil
    }

    /// The id that the name of a control group gives, going by the nearest one that follows a convention.
    ///
    /// - Parameter groups: the text of `/proc/PID/cgroup` (cgroups(7)).
    static func desktopID(inGroups groups: String) -> String? {
        for line in groups.split(separator: "\n") {
            guard let controllers = line.split(separator: ":", omittingEmptySubsequences: false).dropFirst().first,
                controllers.isEmpty || controllers == "name=systemd"
            else { continue }
            for unit in line.split(separator: "/").reversed() {
                if let id = desktopID(ofUnit: String(unit)) ?? snapID(ofUnit: String(unit)) { return id }
            }
        }
        return nil
    }

    /// systemd's "Desktop Environment Integration": `app[-LAUNCHER]-ID-RANDOM.scope` and `app[-LAUNCHER]-ID[@RANDOM].service`,
    /// with hyphens inside of the parts escaped.
    static func desktopID(ofUnit unit: String) -> String? {
        guard unit.hasPrefix("app-"), let dot = unit.lastIndex(of: ".") else { return nil }
        var parts = unit[..<dot].prefix { $0 != "@" }.split(separator: "-").dropFirst()
        switch unit[dot...] {
        case ".scope" where parts.count >= 2: parts = parts.dropLast()
        case ".service": break
        default: return nil
        }
        return parts.last.map { unescaped(String($0)) }
    }

    /// snapd: `snap.NAME.APP-RANDOM.scope`, `snap.NAME.APP.RANDOM.scope` and `snap.NAME.APP.service`; the desktop file of
    /// such an application is `NAME_APP`.
    static func snapID(ofUnit unit: String) -> String? {
        let parts = unit.split(separator: ".")
        guard parts.count >= 4, parts[0] == "snap", ["scope", "service"].contains(parts[parts.count - 1]) else { return nil }
        // snapd's random part is a UUID, whose five groups follow the name after a hyphen.
        var application = parts[2].split(separator: "-")
        if parts.count == 4, parts[3] == "scope", application.count > 5 { application = application.dropLast(5) }
        return "\(parts[1])_\(application.joined(separator: "-"))"
    }

    /// The name of a program, or of the script that it runs.
    ///
    /// - Parameters:
    ///   - program: the path of the executable.
    ///   - arguments: the command line.
    static func programName(_ program: String, arguments: [String]) -> String {
        let deleted = " (deleted)"
        let path = program.hasSuffix(deleted) ? String(program.dropLast(deleted.count)) : program
        let name = lastPart(of: path)
        guard interpreters.contains(String(name.prefix { !$0.isNumber })) else { return name }
        return scriptName(in: Array(arguments.dropFirst())) ?? name
    }

    /// By name up to its version.
    private static let interpreters: Set<String> = [
        "bash", "dash", "sh", "zsh", "fish", "ksh", "python", "pypy", "perl", "ruby", "node", "nodejs", "gjs", "gjs-console",
        "lua", "luajit", "php", "guile", "tclsh", "busybox",
    ]

    private static func scriptName(in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case "-m" where index + 1 < arguments.count: return arguments[index + 1]
            case "-c", "-e", "-": return nil
            case _ where argument.hasPrefix("-"): continue
            default: return lastPart(of: argument)
            }
        }
        return nil
    }

    private static func lastPart(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// systemd's escaping of unit names: `\xHH` for a byte.
    private static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let code = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Files

    /// The `.flatpak-info` in the process's root, which Flatpak puts on a file system in memory.
    ///
    /// The root may be of the process's own making, on a file system that never answers (fuse(4)); whoever waits for one
    /// cannot even be killed. So nothing is asked of any that is not known to be in memory.
    private static func sandboxInfo(of process: Int32) -> String? {
        let place = unsafe linux_open_cached("/proc/\(process)/root", ".flatpak-info")
        guard place >= 0 else { return nil }
        defer { close(place) }
        guard let mounts = contents(of: "/proc/\(process)/mountinfo", limit: 1 << 20),
            isInMemory(mount: linux_mount_id(place), among: mounts)
        else { return nil }
        return contents(of: "/proc/self/fd/\(place)", following: true)
    }

    /// Whether a mount is one of tmpfs.
    ///
    /// - Parameter mounts: the text of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)).
    static func isInMemory(mount: Int64, among mounts: String) -> Bool {
        guard let line = mounts.split(separator: "\n").first(where: { $0.hasPrefix("\(mount) ") }) else { return false }
        // Optional fields end with a hyphen, which no other field is.
        return line.split(separator: " ").drop { $0 != "-" }.dropFirst().first == "tmpfs"
    }

    /// The beginning of a regular file. What a caller's sandbox shows in its place is not waited for.
    ///
    /// - Parameters:
    ///   - following: whether the path may be a link.
    ///   - limit: bytes that are read at most.
    private static func contents(of path: String, following: Bool = false, limit: Int = 16 << 10) -> String? {
        let fd = unsafe open(path, O_RDONLY | O_CLOEXEC | (following ? 0 : O_NOFOLLOW) | O_NONBLOCK | O_NOCTTY)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var status = stat()
        guard unsafe fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var bytes: [UInt8] = []
        // What the kernel makes up comes in pieces.
        while bytes.count < limit {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(fd, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func linkTarget(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
