import CDBus
import EventLoop
import Glibc
import SettingsBus
import SettingsModel

@testable import DBus
@testable import SettingsService
@testable import SettingsStore

/// The daemon's end: each call is answered once, and what it changes can be read back.
///
/// The daemon's object is on a mute bus, its store without a disk: what is to be stored is carried out in memory.
final class ServiceCheck {
    private let bus: MuteBus
    private let store: SettingsStore
    private let identity: CallerIdentity
    private let start: StoreState
    private let log: ServiceLog
    private var served: Served

    /// What lasts for one check.
    private struct Served {
        let connection: Connection
        let end: Int32
        let server: ObjectServer
        let object: SettingsObject
        var unanswered = 0
    }

    init(_ bus: MuteBus) throws {
        self.bus = bus
        let folder = try MuteBus.makeFolder()
        store = try SettingsStore(
            paths: StorePaths(document: "\(folder)/settings.json", journal: "\(folder)/journal.jsonl", lock: "\(folder)/lock"),
            schema: .builtIn, loop: bus.loop, log: { _, _ in })
        // A caller of whom the bus says nothing.
        identity = try bus.withConnection { CallerIdentity(connection: $0) }
        log = ServiceLog(environment: [:], output: -1)
        store.isBusy = true
        for actions in [[Action("UpdateProfile", ["name": "Ada"])], [Action("SelectProvider", ["provider": "mpd"])]] {
            var batch = Batch(store.state)
            batch.add(.request(Request(actions: actions)) { _ in }, to: store.state, store.file)
            store.state.take(batch)
        }
        start = store.state
        served = try Self.serve(bus, store, identity, log)
    }

    private static func serve(
        _ bus: MuteBus, _ store: SettingsStore, _ identity: CallerIdentity, _ log: ServiceLog
    ) throws -> Served {
        let connection = try Connection.open(address: bus.address, loop: bus.loop)
        let end = bus.takeEnd()
        let server = ObjectServer(connection: connection)
        server.refuse = { CallLimits.refusal(of: $0) }
        let object = SettingsObject(
            store: store, server: server, identity: identity, log: log, reload: { $0() })
        object.export()
        return Served(connection: connection, end: end, server: server, object: object)
    }

    /// Leaves everything as it was.
    func check(_ messages: [Message]) throws {
        for message in messages { try take(message) }
        try carryOut()
        try reset()
    }

    /// Hands a message in as the bus would; a call is answered when its turn comes or waits for its change.
    private func take(_ message: Message) throws {
        let before = (served.connection.outgoingBytes, store.queue.count)
        let held = served.server.queue.waitingBytes
        let isQuestion = message.kind == .methodCall && !message.expectsNoReply
        if message.sender == nil { dbus_message_set_sender(message.raw, ":1.7") }
        served.connection.take(message)
        // Calls begin when nothing more is to be read; what is asked for behind them comes behind them.
        var isServed = false
        bus.loop.whenIdle { isServed = true }
        bus.loop.run { isServed }
        let isAnswered = served.connection.outgoingBytes > before.0
        let waits = store.queue.count > before.1
        // Behind much that is under way or was answered and not taken, a call waits for its turn.
        if isQuestion, served.server.queue.waitingBytes == held {
            try promise(isAnswered != waits, "\(message.member ?? "") is answered: \(isAnswered), waits: \(waits)")
            if waits { served.unanswered += 1 }
        }
    }

    /// Makes the changes that the calls have asked for, answers and announces them.
    private func carryOut() throws {
        var batch = Batch(store.state)
        for work in store.queue { batch.add(work, to: store.state, store.file) }
        store.queue = []
        let text = JournalText(store.state.ledger.journal + batch.lines, path: "/journal", schema: .builtIn)
        try promise(text.problems == [], "\(text.problems)")
        try promise(text.ledger?.document == batch.document, "The journal has another document than memory")
        for (key, value) in batch.document.values {
            try promise(Schema.builtIn.setting(named: key)?.rule.fault(in: value) == nil, "\(key) has the value \(value)")
        }
        store.state.take(batch)
        let before = served.connection.outgoingBytes
        store.answer(batch.outcomes)
        store.announceAnswered()
        if served.unanswered > 0 {
            try promise(served.connection.outgoingBytes > before, "\(served.unanswered) calls are not answered")
        }
    }

    private func reset() throws {
        // The object keeps the server, and the server the object.
        served.server.withdraw(SettingsNames.path)
        served.connection.close()
        close(served.end)
        store.state = start
        served = try Self.serve(bus, store, identity, log)
    }
}
