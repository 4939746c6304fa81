import DBus
import EventLoop
import TestSupport
import Testing

@Suite(.logsOnFailure)
struct BusTests {
    @Test func aConnectionGetsAUniqueName() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try Connection.open(address: bus.address, loop: loop)
        #expect(loop.run(until: { connection.uniqueName != nil }, timeout: .seconds(20)))
    }
}
