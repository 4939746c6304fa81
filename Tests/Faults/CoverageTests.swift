import Foundation
import TestSupport
import Testing

/// What the faults cover.
@Suite(.logsOnFailure) struct CoverageTests {
    private static let canTrace: Bool = {
        let strace = try? RunningProcess("strace", ["-o", "/dev/null", "true"], environment: ["PATH": "/usr/bin:/bin"])
        return (try? strace?.waitForExit()) == .exited(0)
    }()

    /// strace(1) sees every system call, whatever the program calls to make it.
    @Test(.enabled(if: canTrace, "NOT PROVEN HERE: strace(1) may not trace a process."))
    func everySystemCallOnTheFilesIsOneThatCanFail() throws {
        let bed = try FaultBed()
        let trace = bed.session.folder.path("trace")
        let preloads = bed.faults.environment.flatMap { ["-E", "\($0)=\($1)"] }
        bed.faults.arm()
        let strace = try RunningProcess(
            "strace", ["-f", "-yy", "-s", "0", "-o", trace] + preloads + [Products.path("settingsd")],
            environment: bed.session.environment)
        try bed.client.wait("the start") { try bed.client.isServed() }
        let made = try bed.client.snapshot().setting(["profile.name": "Ada"])
        try bed.client.set(["profile.name": "Ada"])
        try bed.waitForDocument(made)
        try bed.client.set(["profile.name": "Grace"])
        try bed.waitForDocument(made.setting(["profile.name": "Grace"]))
        // An edit by hand, a document that is gone, and a journal that has to be made again.
        try bed.session.folder.write(#"{"profile": {"name": "Edsger"}}"#, to: TestSession.document)
        try bed.client.wait("the edit") { try bed.documentRevision() == 3 }
        for (name, value) in [(TestSession.document, "Barbara"), (TestSession.journal, "Ada")] {
            try FileManager.default.removeItem(atPath: bed.session.folder.path(name))
            let revision = try bed.client.set(["profile.name": value])
            try bed.client.wait("the document") { try bed.documentRevision() == revision }
        }
        // strace passes no signal on; the daemon ends with its bus.
        try bed.session.bus.stop()
        #expect(try strace.waitForExit() == .exited(0))

        var seen: [String: Int] = [:]
        let lines = try #require(bed.session.folder.read("trace")).split(separator: "\n")
        for line in lines where line.contains(bed.session.folder.path("home")) {
            // `123 openat(…`; what goes on from an earlier line begins with `<...`.
            let call = line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" && $0 != "<" }
            if !call.isEmpty { seen[String(call), default: 0] += 1 }
        }
        var counted: [String: Int] = [:]
        for call in FaultyCall.allCases {
            for name in call.systemCalls { counted[name, default: 0] += Int(bed.faults.count(of: call)) }
        }
        for call in ["fdatasync", "flock", "renameat2", "statx"] { #expect(seen[call, default: 0] > 3, "\(call)") }
        for (call, count) in seen where call != "execve" {
            #expect(counted[call, default: 0] >= count, "\(call) was made \(count) times")
        }
    }
}
