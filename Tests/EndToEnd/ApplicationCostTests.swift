import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// What many installed applications cost.
@Suite(.logsOnFailure) struct ApplicationCostTests {
    private static func id(_ number: Int) -> String { "org.example.App\(number)" }

    /// Tells which files of a folder have been opened (inotify(7)).
    private final class OpenWatch {
        private let descriptor = inotify_init1(Int32(IN_NONBLOCK))

        init(_ folder: String) throws {
            guard inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0 else {
                throw TestFailure("\(folder) cannot be watched.")
            }
        }

        deinit { close(descriptor) }

        /// The names of the files that were opened since the last time; the folder itself has none.
        func names() -> [String] {
            var names: [String] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                buffer.withUnsafeBytes { bytes in
                    var offset = 0
                    while offset < count {
                        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        let start = offset + MemoryLayout<inotify_event>.size
                        offset = start + Int(event.len)
                        names.append(String(decoding: bytes[start..<offset].prefix { $0 != 0 }, as: UTF8.self))
                    }
                }
            }
            return names.filter { !$0.isEmpty }
        }
    }

    @Test func aHundredSchemasCostTheStartTheirFoldersListingOnly() throws {
        let session = try TestSession()
        for number in 0..<100 { try session.install(as: Self.id(number)) }
        let opened = try OpenWatch(session.folder.path(TestSession.userSchemas))
        let daemon = try session.startDaemon()
        let caller = try Caller(session, application: Self.id(7), keeping: daemon)
        try caller.ask("ReadAll", path: SettingsNames.path)
        #expect(try caller.introspection(SettingsNames.applicationsPath).split(separator: "<node name=").count == 101)
        #expect(opened.names() == [])
        try caller.ask("ReadAll")
        #expect(opened.names() == ["\(Self.id(7)).json"])
        #expect(try caller.managed().count == 100)
        #expect(opened.names().count == 99)
    }

    @Test func allStoresShareOneWatchAndOneThread() throws {
        let session = try TestSession()
        for number in 0..<20 { try session.install(as: Self.id(number)) }
        let daemon = try session.startDaemon()
        let caller = try Caller(session)
        for number in 0..<20 {
            let values = Value.variants([("seconds", .boolean(true))])
            let path = SettingsNames.path(ofApplication: Self.id(number))
            #expect(try caller.ask("Write", [values, .variants([])], path: path) == [.uint64(1)])
        }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.pid)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.pid)/fd/\($0)")
        }
        #expect(descriptors.count { $0.contains("inotify") } == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.pid)/task").count == 2)
        // Each is followed all the same.
        for number in [3, 17] {
            let name = "home/.config/settingsd/apps/\(Self.id(number)).json"
            try within(.seconds(20), "the document") { session.folder.read(name) != nil }
            try session.folder.write("{ \"scale\": \(number) }", to: name)
            try within(.seconds(20), "the edit") {
                let path = SettingsNames.path(ofApplication: Self.id(number))
                return try caller.ask("Read", [.string("scale")], path: path).first?.unwrapped == .double(Double(number))
            }
        }
    }

    @Test(.enabled(if: !RunningProcess.isSanitized)) func changesOfALongListLeaveNoMemoryBehind() throws {
        let session = try TestSession()
        try session.install()
        let alarms = (0..<10_000).map { "{ \"name\": \"\($0)\", \"on\": true, \"made\": \($0) }" }
        try session.folder.write("{ \"alarms\": [\(alarms.joined(separator: ", "))] }", to: WorldClock.document)
        let daemon = try session.startDaemon()
        let caller = try Caller(session, application: WorldClock.id, keeping: daemon)
        func memory() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            return try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
        #expect(try caller.read("seconds") == .boolean(false))
        let before = try memory()
        for number in 0..<20 { try caller.ask("AddAlarm", [.string("\(number)")], WorldClock.actions) }
        let after = try memory()
        // The list takes about a megabyte in a message, of which a change sends three.
        #expect(after - before < 16 << 10, "\(before) KiB before, \(after) KiB after")
        #expect(try caller.read("alarms").map { $0.signature } == "aa{sv}")
        let length = try caller.values()["alarms"]?.items?.count
        #expect(length == 10_020)
    }
}
