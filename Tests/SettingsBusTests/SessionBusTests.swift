import DBus
import Foundation
import SettingsBus
import TestSupport
import Testing

@Suite struct SessionBusTests {
    @Test func theVariableCountsIfItIsNotEmpty() throws {
        let address = "unix:path=/tmp/a;unix:abstract=b"
        #expect(
            try SessionBus.address(environment: ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": "/nowhere"])
                == address)
    }

    @Test func withoutTheVariableTheSocketOfTheRuntimeFolderCounts() throws {
        let folder = try TemporaryFolder()
        let socket = try Self.listen(at: folder.folder("a b") + "/bus")
        defer { close(socket) }
        for runtime in [folder.path("a b"), folder.path("a b/")] {
            let found = try SessionBus.address(environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": runtime])
            #expect(found == "unix:path=\(folder.path("a%20b/bus"))")
        }
    }

    @Test func withoutABusTheErrorSaysWhatToSet() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file/bus")
        for environment in [
            [:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "relative"], ["XDG_RUNTIME_DIR": folder.path],
            ["XDG_RUNTIME_DIR": folder.path("file")], ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"],
            ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a;autolaunch:scope=x"],
        ] {
            let error = #expect(throws: BusError.self) { try SessionBus.address(environment: environment) }
            #expect(error?.name == BusError.noBus("").name)
            #expect(error?.message.contains("set") == true)
            #expect(error?.message.contains("DBUS_SESSION_BUS_ADDRESS") == true)
        }
    }

    private static func listen(at path: String) throws -> Int32 {
        let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        return fd
    }
}
