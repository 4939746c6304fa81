import Foundation
import TestSupport
import Testing

/// A session whose umask takes every right away from what its processes make.
@Suite(.logsOnFailure) struct UmaskTests {
    @Test func filesAndFoldersHaveTheirModesWhateverTheUmask() throws {
        let session = try TestSession()
        let client = try Client(session)
        let daemon = try RunningProcess(
            "/bin/sh", ["-c", "umask 0777; exec \"$0\"", Products.path("settingsd")], environment: session.environment,
            home: session.folder)
        try session.bus.waitForOwner(of: TestSession.daemonName)
        try client.set(["profile.name": "Ada"])
        try client.wait("the document") { session.folder.read(TestSession.document)?.contains("Ada") == true }
        #expect(try daemon.end() == .exited(0))
        let files = [TestSession.document, TestSession.journal, "home/.local/state/settingsd/lock"]
        for file in files { #expect(try mode(session.folder.path(file)) == 0o600, "\(file)") }
        let folders = [
            "home/.config", "home/.config/settingsd", "home/.local", "home/.local/state", "home/.local/state/settingsd",
        ]
        for folder in folders { #expect(try mode(session.folder.path(folder)) == 0o700, "\(folder)") }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
