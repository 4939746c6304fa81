import Foundation
import TestSupport
import Testing

/// A file system of a test's own at a folder, unmounted with this object.
final class Disk {
    enum Kind {
        /// In memory, of so many KiB.
        case memory(Int)
        /// ext4 in a file of so many KiB.
        case image(Int)
    }

    /// Where it is mounted.
    let path: String
    /// The file that an `image` is in.
    let image: String
    private let folder: TemporaryFolder
    /// What it is mounted in, to be removed only when it is not.
    private let place: TemporaryFolder

    /// - Parameter name: a folder in `place`.
    /// - Throws: `TestFailure` where it cannot be mounted.
    init(_ kind: Kind, at name: String, in place: TemporaryFolder) throws {
        self.place = place
        path = try place.folder(name)
        folder = try TemporaryFolder()
        image = folder.path("image")
        switch kind {
        case .memory(let size): try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(size)k,mode=0700", "settingsd-test", path])
        case .image(let size):
            try Self.run("truncate", ["-s", "\(size)K", image])
            try Self.run("mkfs.ext4", ["-q", "-F", image])
            try Self.run("mount", ["-o", "loop,errors=remount-ro", image, path])
        }
    }

    deinit {
        if isReadOnly { umount2(path, Int32(MNT_DETACH)) }
        umount2(path, Int32(MNT_DETACH))
    }

    static func run(_ program: String, _ arguments: [String]) throws {
        let process = try RunningProcess(program, arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        guard try process.waitForExit() == .exited(0) else { throw TestFailure("\(program) \(arguments)\n\(process.log)") }
    }

    /// Whether nothing can be written by its path; what is open stays as it is.
    private(set) var isReadOnly = false

    func setReadOnly(_ isReadOnly: Bool) throws {
        if isReadOnly == self.isReadOnly { return }
        self.isReadOnly = isReadOnly
        if isReadOnly {
            try Self.run("mount", ["--bind", path, path])
            try Self.run("mount", ["-o", "remount,bind,ro", path])
        } else {
            umount2(path, Int32(MNT_DETACH))
        }
    }

    private var filler: String { path + "/filler" }

    /// Takes all the space that is left.
    func fill() {
        guard let file = fopen(filler, "a") else { return }
        let block = [UInt8](repeating: 0, count: 4096)
        while fwrite(block, 1, block.count, file) == block.count, fflush(file) == 0 {}
        fclose(file)
    }

    /// Gives the space back.
    func free() { unlink(filler) }

    /// Lets the file system in an image find an error in itself.
    func fail() throws {
        let script = "echo 1 > /sys/fs/ext4/$(basename $(findmnt -n -o SOURCE '\(path)'))/trigger_fs_error"
        try Self.run("bash", ["-c", script])
    }

    /// What the disk would hold after a power cut now: a look at a copy, whose journal is replayed when it is mounted.
    func afterPowerCut<Result>(_ look: (_ path: String) throws -> Result) throws -> Result {
        let copy = folder.path("copy")
        let after = try folder.folder("after")
        try Self.run("cp", ["--sparse=always", image, copy])
        try Self.run("mount", ["-o", "loop", copy, after])
        defer {
            // A process that was just started may still have a file of it open.
            umount2(after, Int32(MNT_DETACH))
            unlink(copy)
        }
        return try look(after)
    }

    // MARK: What is possible here

    static let canMount = canMount(.memory(64))
    static let canMountImages = canMount(.image(8192))

    private static func canMount(_ kind: Kind) -> Bool {
        guard let place = try? TemporaryFolder() else { return false }
        return (try? Disk(kind, at: "disk", in: place)) != nil
    }
}

extension Trait where Self == ConditionTrait {
    static var needsMounts: Self {
        .enabled(if: Disk.canMount, "NOT PROVEN HERE: mounting a tmpfs is not permitted; run as root.")
    }

    static var needsLoopDevices: Self {
        .enabled(if: Disk.canMountImages, "NOT PROVEN HERE: an ext4 image cannot be mounted; run as root with loop devices.")
    }

    static var needsAnotherAccount: Self {
        .enabled(
            if: Disk.canMount && Unprivileged.canStart,
            "NOT PROVEN HERE: another account cannot run the daemon; run as root, with the programs where all may read them.")
    }
}

/// An account without any privilege.
enum Unprivileged {
    static let uid: uid_t = 65534

    /// The program and arguments that run a program as that account.
    static func command(_ program: String, _ arguments: [String] = []) -> (String, [String]) {
        ("setpriv", ["--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", "--", program] + arguments)
    }

    static let canStart: Bool = {
        guard let path = try? Products.path("settingsd") else { return false }
        let (program, arguments) = command(path, ["--version"])
        let process = try? RunningProcess(program, arguments, environment: ["PATH": "/usr/bin:/bin"])
        return (try? process?.waitForExit()) == .exited(0)
    }()
}
