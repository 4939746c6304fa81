import Foundation
import TestSupport
import Testing

@Suite struct DocumentationTests {
    /// DocC takes the library's comments and articles without a warning, and hardly a public declaration has no comment.
    @Test func theLibraryIsDocumented() throws {
        let folder = try TemporaryFolder()
        let build = (try Products.path("settingsctl") as NSString).deletingLastPathComponent
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try RunningProcess(
            Project.root.appending(path: "Sources/documentation").path, [build, folder.path("docs")],
            environment: ["PATH": path, "LANG": "C.UTF-8", "HOME": folder.path]
        ).result()
        #expect(result.status == .exited(0), "\(result)")
        #expect(result.stdout.split(separator: "\n").last?.hasSuffix("public declarations have a comment") == true, "\(result)")
        let page = folder.path("docs/settingsd.doccarchive/data/documentation/settingsclient/settingsclient.json")
        #expect(FileManager.default.fileExists(atPath: page))
    }
}
