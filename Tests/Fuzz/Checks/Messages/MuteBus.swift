import EventLoop
import Foundation
import Synchronization

@testable import DBus

/// A bus that never says a word: what connections send stays in their queues, and what the bus would deliver is handed to
/// them.
final class MuteBus {
    let loop: EventLoop
    let address: String
    private let socket: Int32

    init() throws {
        loop = try EventLoop()
        let path = "\(try Self.makeFolder())/bus"
        address = "unix:path=\(path)"
        socket = Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(socket, 64) == 0 else {
            throw BrokenPromise(description: "There is no socket at \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(socket)
    }

    /// Makes the calling thread the loop's.
    func adopt() { loop.run(until: { true }) }

    /// A folder in memory where there is one, since nothing in it is to last.
    static func makeFolder() throws -> String {
        let memory = "/dev/shm"
        let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        let folder = "\(parent)/settingsd-fuzz-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        made.withLock { $0.append(folder) }
        return folder
    }

    /// They are used until the process ends, which then removes them.
    private static let made: Mutex<[String]> = {
        atexit { MuteBus.removeFolders() }
        return Mutex([])
    }()

    private static func removeFolders() {
        for folder in made.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Lets `body` use a connection, and takes what it has sent away with it.
    func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try Connection.open(address: address, loop: loop)
        let end = accept(socket, nil, nil)
        defer {
            connection.close()
            close(end)
        }
        return try body(connection)
    }

    /// Accepts a connection that somebody else has opened.
    func takeEnd() -> Int32 { accept(socket, nil, nil) }
}
