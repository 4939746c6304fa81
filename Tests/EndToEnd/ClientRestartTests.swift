import DBus
import EventLoop
import Foundation
import SettingsBus
import SettingsClient
import SettingsModel
import TestSupport
import Testing

/// The client library while the daemon and the bus come and go, among senders who are not the daemon.
@Suite(.logsOnFailure, .timeLimit(.minutes(10))) struct ClientRestartTests {
    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    /// The names that a reader has been told, in order; each change counts once, however often it is told.
    private func names(_ reader: ClientReader<SettingsChanges>) -> [String] {
        reader.elements.compactMap { event in
            guard case .changed(let change) = event else { return nil }
            return change.values["profile.name"]?.string
        }
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func aDaemonThatGoesAndComesBackIsFollowed(signal: Int32) throws {
        let daemon = try session.startDaemon()
        let client = try session.client()
        let reader = ClientReader(client)
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        try daemon.end(signal)
        try reader.wait("the loss") { $0.last == "NoDaemon" }
        #expect(client.loss?.kind == .noDaemon)
        // The copy stays.
        #expect(client.profile.name == "Ada")
        let again = try session.startDaemon()
        try reader.wait("a snapshot") { $0.last == "snapshot 1" }
        #expect(client.loss == nil)
        try session.control("set", "profile.name", "Bob")
        try eventually("the change") { client.profile.name == "Bob" }
        try reader.wait("the change") { $0 == ["snapshot 0", "changed 1", "NoDaemon", "snapshot 1", "changed 2"] }
        _ = again
    }

    @Test func changesMeanwhileAreToldOnceAndInOrder() throws {
        let loop = try EventLoop()
        let daemon = try session.startDaemon()
        try session.control("set", "profile.name", "1")
        // This thread serves the client, and does not while the daemon is killed and two others make changes.
        let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        let reader = ClientReader(client)
        #expect(loop.run(until: { reader.names == ["snapshot 1"] }, timeout: .seconds(20)))
        try daemon.end(SIGKILL)
        let second = try session.startDaemon()
        try session.control("set", "profile.name", "2")
        try second.end()
        let third = try session.startDaemon()
        try session.control("set", "profile.name", "3")
        #expect(loop.run(until: { reader.names.last == "snapshot 3" }, timeout: .seconds(20)))
        try session.control("set", "profile.name", "4")
        #expect(loop.run(until: { client.profile.name == "4" && reader.names.last == "changed 4" }, timeout: .seconds(20)))
        #expect(names(reader) == ["2", "3", "4"])
        #expect(reader.names.suffix(4) == ["changed 2", "changed 3", "snapshot 3", "changed 4"])
        _ = third
    }

    @Test func aDispatchStartsTheDaemonThatHasGone() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        let client = try session.client()
        // Each second one changes nothing, so that no signal tells of it.
        for name in ["Ada", "Ada", "Bo", "Bo", "Cy", "Cy", "Di", "Di"] {
            let daemon = try session.object(["status", "--json"])["pid"] as? Int
            kill(pid_t(try #require(daemon)), SIGKILL)
            try eventually("the loss") { client.loss != nil }
            try client.dispatchAndWait(.updateProfile(name: name))
            #expect(client.profile.name == name)
            #expect(client.loss == nil)
        }
    }

    @Test func aDaemonKilledInTheMiddleOfChangesLosesNoneThatWasAnswered() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        let client = try session.client()
        let reader = ClientReader(client)
        var answered: [String] = []
        for number in 1...60 {
            if number % 20 == 0, let pid = try session.object(["status", "--json"])["pid"] as? Int { kill(pid_t(pid), SIGKILL) }
            do {
                try client.dispatchAndWait(.updateProfile(name: "\(number)"))
                answered.append("\(number)")
                #expect(client.profile.name == "\(number)")
            } catch {
                // Whether this one was made is not known; it is not sent again.
                #expect(error.name == "org.freedesktop.DBus.Error.NoReply" || error.kind == .noDaemon, "\(error)")
            }
        }
        try client.dispatchAndWait(.updateProfile(name: "end"))
        try eventually("the last change") { names(reader).last == "end" }
        let told = names(reader)
        #expect(Set(told).count == told.count)
        #expect(Set(answered).isSubset(of: told))
        #expect(told.dropLast() == told.dropLast().sorted { Int($0) ?? 0 < Int($1) ?? 0 }[...])
    }

    @Test func aBusThatIsRestartedIsConnectedToAgain() throws {
        try session.bus.addService(TestSession.daemonName.rawValue, exec: Products.path("settingsd"))
        let client = try session.client()
        let reader = ClientReader(client)
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        for name in ["Bob", "Eve"] {
            try session.bus.restart()
            try eventually("the return") { client.loss == nil && reader.names.last?.hasPrefix("snapshot") == true }
            try client.dispatchAndWait(.updateProfile(name: name))
            #expect(client.profile.name == name)
        }
        try eventually("the last change") { names(reader) == ["Ada", "Bob", "Eve"] }
        #expect(reader.names.filter { $0.hasPrefix("snapshot") } == ["snapshot 0", "snapshot 1", "snapshot 2"])
    }

    @Test func withoutABusCallsFailAtOnceAndReadsGoOn() throws {
        let daemon = try session.startDaemon()
        let client = try session.client()
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        try session.bus.stop()
        // The bus may have told that the daemon has gone before it went itself; that is one loss.
        try eventually("the loss") { client.loss != nil }
        let error = #expect(throws: ClientError.self) { try client.dispatchAndWait(.signOut) }
        #expect(error?.kind == .noBus)
        #expect(client.profile.name == "Ada")
        _ = daemon
    }

    @Test func signalsThatTheBusHasDroppedAreMadeUpFor() throws {
        // A bus that keeps little for a client that does not read; what is beyond that it drops.
        let session = try TestSession(limits: ["max_outgoing_bytes": 50_000])
        let daemon = try session.startDaemon()
        let loop = try EventLoop()
        let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        let reader = ClientReader(client.changes(buffer: 1000), on: loop)
        #expect(loop.run(until: { reader.names == ["snapshot 0"] }, timeout: .seconds(20)))
        // The kernel's own buffers take a few hundred kilobytes; the name is at most 4 KiB.
        let writer = try session.client()
        let count = 150
        let name = String(repeating: "👩‍👩‍👧‍👦", count: 80)
        for number in 1...count { try writer.dispatchAndWait(.updateProfile(name: name + "\(number)")) }
        try eventually("nothing") { client.revision == 0 }
        #expect(loop.run(until: { client.revision > 0 }, timeout: .seconds(20)))
        let gap = loop.run(until: { client.revision == UInt64(count) }, timeout: .milliseconds(300))
        #expect(!gap, "The bus has dropped nothing; the test tests nothing.")
        try writer.dispatchAndWait(.updateProfile(name: "end"))
        #expect(loop.run(until: { reader.names.last == "snapshot \(count + 1)" }, timeout: .seconds(20)))
        #expect(client.profile.name == "end")
        let changes = reader.names.filter { $0.hasPrefix("changed") }
        #expect(changes == (1...count + 1).map { "changed \($0)" })
        _ = daemon
    }

    @Test func signalsOfOthersAreIgnored() throws {
        let daemon = try session.startDaemon()
        let client = try session.client()
        let reader = ClientReader(client)
        // To all, and to each client there is: unique names are counted up from :1.0.
        let forged = try session.shell(
            """
            for to in '' --destination=:1.{0..8}; do
                busctl --user $to emit /org/settingsd/Settings1 org.settingsd.Settings1 Changed \\
                    ta{sv}a{sv} 1 1 profile.name s Evil 0 || exit
            done
            """)
        #expect(forged.status == .exited(0), "\(forged)")
        try client.dispatchAndWait(.updateProfile(name: "Ada"))
        try reader.wait("the change") { $0 == ["snapshot 0", "changed 1"] }
        #expect(names(reader) == ["Ada"])
        _ = daemon
    }

    @Test func nonsenseFromTheOwnerOfTheNameLeadsToAFreshLook() throws {
        let loop = try EventLoop()
        let owner = try Connection.open(address: session.bus.address, loop: loop)
        var snapshots = 0
        owner.onMethodCall = { call in
            let reply = Message.reply(to: call)
            #expect(throws: Never.self) {
                if call.member == "ChangesSince" {
                    try reply.append([.uint64(5), .boolean(false), .array(element: "(ta{sv}a{sv})", [])])
                } else if call.member == "ReadAll" {
                    snapshots += 1
                    try reply.append([.uint64(5), .variants([("profile.name", .string("\(snapshots)"))])])
                }
                try owner.send(reply)
            }
        }
        var isOwned = false
        owner.requestName(TestSession.daemonName) { _ in isOwned = true }
        #expect(loop.run(until: { isOwned }, timeout: .seconds(20)))
        let client = try SettingsClient.connectAndWait(on: loop, address: session.bus.address)
        #expect(client.profile.name == "1")
        let signal = Message.signal(
            path: SettingsNames.path, interface: SettingsNames.interface, member: SettingsSignal.changed.member)
        try signal.append([.string("nonsense")])
        try owner.send(signal)
        #expect(loop.run(until: { client.profile.name == "2" }, timeout: .seconds(20)))
    }
}
