import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// Files that cannot be read for a while: a value that nobody knows is not answered as if it were the default.
@Suite(.logsOnFailure) struct UnreadTests {
    private static let application = "org.example.Old"
    private static let path = SettingsNames.path(ofApplication: application)

    /// From which call on all fail: the schema may be read and the application's own files not, or one of them.
    @Test(arguments: [FaultyCall.openat, .pread], [EMFILE, EIO])
    func anApplicationsValueIsRightOrRefusedAndComesBack(call: FaultyCall, error: Int32) throws {
        let bed = try FaultBed()
        try bed.session.folder.write(
            #"{"type": "object", "properties": {"name": {"type": "string", "default": ""}}}"#,
            to: "home/.local/share/settingsd/schemas/\(Self.application).json")
        func values() throws -> [String: SettingValue]? { try bed.client.ask("ReadAll", at: Self.path).last?.settings }
        try bed.start()
        try bed.client.ask("Write", [.variants([("name", .string("Ada"))]), .variants([])], at: Self.path)
        try bed.end()
        for first: Int32 in 1...8 {
            try bed.start(isFaulty: true)
            bed.faults.arm(FaultPlan(call: call, occurrences: first ... .max, fault: .error(error)))
            do {
                #expect(try values() == ["name": "Ada"], "from call \(first) on")
            } catch let refusal as BusError {
                #expect(refusal.message.contains(bed.session.folder.path("home")), "\(refusal)")
            }
            bed.faults.disarm()
            try bed.client.wait("the value, from call \(first) on") { (try? values()) == ["name": "Ada"] }
            try bed.client.wait("no problem") { try bed.client.problems() == [] }
            try bed.end()
        }
    }

    @Test(arguments: [EMFILE, EIO]) func aDaemonThatCannotReadItsFilesSaysSoAndEnds(error: Int32) throws {
        let bed = try FaultBed()
        try bed.start()
        try bed.client.set(["profile.name": "Ada"])
        try bed.end()
        let all = FaultPlan(call: .openat, occurrences: 1 ... .max, fault: .error(error))
        try bed.start(isFaulty: true, plan: all)
        if bed.daemon?.isRunning == true {
            #expect(try bed.client.snapshot().values["profile.name"] == "Ada")
        } else {
            #expect(bed.daemon?.stderr.contains("its values are not known") == true, "\(bed.daemon?.log ?? "")")
        }
        try bed.start()
        #expect(try bed.client.snapshot().values["profile.name"] == "Ada")
    }
}
