import CDBus
import Glibc
import TestSupport

@testable import DBus

/// A peer of the bus that writes and reads bytes when and as it likes: many calls at once, half a message, or no reading
/// at all. Nothing here blocks but the handshake.
final class RawPeer {
    /// How many messages have come.
    private(set) var received = 0
    /// False once the bus has thrown the peer out.
    private(set) var isOpen = true
    /// Whether `pump` reads.
    var reads = true

    private let socket: Int32
    private var outgoing: ArraySlice<UInt8> = []
    private var incoming: [UInt8] = []
    private var serial: UInt32 = 0

    /// Connects and says Hello.
    init(_ session: TestSession) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let path = session.bus.address.dropFirst("unix:path=".count)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw TestFailure("No connection to \(path): \(String(cString: strerror(errno)))") }
        let user = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
        send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
        try wait("the bus to accept the peer") { !incoming.isEmpty }
        incoming = []
        send(Array("BEGIN\r\n".utf8))
        let bus: InterfaceName = "org.freedesktop.DBus"
        send(try bytes(of: .methodCall(to: .bus, path: "/org/freedesktop/DBus", interface: bus, member: "Hello")))
        // The answer, and that the name is there.
        try wait("a name") { received == 2 }
        received = 0
    }

    deinit { close() }

    /// Leaves in the middle of whatever there is.
    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(socket)
    }

    /// A message as on the wire, with the next serial.
    func bytes(of message: Message) throws -> [UInt8] {
        serial += 1
        dbus_message_set_serial(message.raw, serial)
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(message.raw, &bytes, &count) != 0 else { throw TestFailure("Out of memory.") }
        defer { dbus_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// Puts bytes behind what waits to be written.
    func send(_ bytes: [UInt8]) { outgoing += bytes }

    /// Writes and reads as much as there is and has room.
    func pump() {
        while isOpen, !outgoing.isEmpty {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            outgoing = outgoing.dropFirst(count)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while isOpen, reads {
            let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
            if count == 0 || count < 0 && errno == ECONNRESET { return close() }
            guard count > 0 else { break }
            incoming += buffer[..<count]
            take()
        }
    }

    /// Whether everything has been written.
    var isIdle: Bool { outgoing.isEmpty || !isOpen }

    /// Counts whole messages and forgets them (specification, "Message Format"); the bus writes in this byte order.
    private func take() {
        var start = 0
        while incoming.count - start >= 16, incoming[start] == UInt8(ascii: "l") {
            func number(at offset: Int) -> Int {
                incoming[start + offset..<start + offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            let size = 16 + (number(at: 12) + 7) / 8 * 8 + number(at: 4)
            guard incoming.count - start >= size else { break }
            start += size
            received += 1
        }
        incoming.removeFirst(start)
    }

    func wait(_ what: String, _ condition: () -> Bool) throws {
        try within(.seconds(40), what) {
            pump()
            return condition() || !isOpen
        }
    }
}
