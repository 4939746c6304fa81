import Foundation
import TestSupport
import Testing

/// What `check` says about schema files; there is no bus.
@Suite struct CommandCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ arguments: String...) throws -> RunningProcess {
        let process = try RunningProcess(
            Products.path("settingsctl"), ["check"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
        return process
    }

    private let good = #"{"type": "object", "properties": {"on": {"type": "boolean", "default": true}}}"#

    @Test func aRightFileIsPassedOverInSilence() throws {
        let file = try folder.write(good, to: "org.example.Clock.json")
        let process = try check(file)
        #expect(try process.waitForExit() == .exited(0))
        #expect(process.stdout == "" && process.stderr == "")
    }

    @Test func everyFaultComesWithItsPlace() throws {
        let file = try folder.write(
            "{\"type\": \"object\", \"properties\": {\n  \"on\": {\"type\": \"bool\"},\n  \"n\": 5}}",
            to: "org.example.Clock.json")
        let process = try check(file)
        #expect(try process.waitForExit() == .exited(4))
        #expect(
            process.stdout == """
                \(file):2:18: there is no type "bool" here; did you mean "boolean"?
                \(file):3:8: expected an object, found the number 5

                """)
        #expect(process.stderr == "settingsctl: check: \(file) has 2 faults\n")
    }

    @Test func aFileThatIsNotCalledAsAnApplicationIsAtFault() throws {
        let file = try folder.write(good, to: "clock.json")
        let process = try check("--json", file)
        #expect(try process.waitForExit() == .exited(4))
        let answer = try JSONSerialization.jsonObject(with: Data(process.stdout.utf8)) as? [String: Any]
        let faults = try #require(answer?["faults"] as? [[String: Any]])
        #expect(faults.count == 1 && faults[0]["line"] as? Int == 1 && faults[0]["column"] as? Int == 1)
        #expect((faults[0]["message"] as? String)?.hasPrefix("\"clock\" has one part") == true)
        #expect(answer?["file"] as? String == file)
    }

    @Test func whatIsNoSchemaFileIsAtFaultAtOnceAndNotReadToItsEnd() throws {
        let fifo = folder.path("org.example.Fifo.json")
        #expect(mkfifo(fifo, 0o600) == 0)
        let large = try folder.write("", to: "org.example.Large.json")
        #expect(truncate(large, 100 << 20) == 0)
        let wrong = folder.path("pipe.json")
        #expect(mkfifo(wrong, 0o600) == 0)
        let faults = [
            (fifo, "it is no regular file; a schema is one"), (folder.path, "it is no regular file; a schema is one"),
            (large, "the file has more than 1048576 bytes; a schema is smaller"),
            (wrong, "it is no regular file; a schema is one"),
        ]
        for (file, fault) in faults {
            let process = try check(file)
            #expect(try process.waitForExit() == .exited(4))
            #expect(process.stdout.hasSuffix("\(file):1:1: \(fault)\n"), "\(process.log)")
        }
    }

    @Test func aMissingFileAndAMissingOperandAreNoFaults() throws {
        let missing = try check(folder.path + "/none.json")
        #expect(try missing.waitForExit() == .exited(1))
        #expect(missing.stderr.contains("none.json: No such file or directory"))
        #expect(try check().waitForExit() == .exited(2))
    }
}
