import DBus
import Foundation
import SettingsBus
import TestSupport
import Testing

/// A folder of schemas that cannot be listed for a while.
@Suite(.logsOnFailure) struct SchemaFolderTests {
    private let bed: FaultBed

    init() throws { bed = try FaultBed() }

    private func file(of application: String) -> String { "home/.local/share/settingsd/schemas/\(application).json" }

    private func install(_ application: String) throws {
        let schema = #"{"type": "object", "properties": {"loud": {"type": "boolean", "default": true}}}"#
        try bed.session.folder.write(schema, to: file(of: application))
    }

    private func isServed(_ application: String) throws -> Bool {
        try bed.client.ask("ReadAll", at: SettingsNames.path(ofApplication: application)).count == 2
    }

    private func waitForProblem() throws {
        try bed.client.wait("the problem") {
            try bed.client.problems().contains {
                $0.contains("schemas cannot be listed: ") && $0.hasSuffix("; its schemas are not known")
            }
        }
    }

    /// Waits until the folder has been looked at again and again.
    private func waitForLooks() throws {
        let hits = bed.faults.hits
        try bed.client.wait("more looks at the folder") { bed.faults.hits > hits + 1 }
        try waitForProblem()
    }

    @Test(arguments: [FaultyCall.opendir, .readdir], [EIO, EMFILE])
    func itsApplicationsStayAndWhatIsNewComesWhenItCanBeListedAgain(call: FaultyCall, error: Int32) throws {
        try install("org.example.Old")
        try bed.start(isFaulty: true)
        #expect(try isServed("org.example.Old"))
        bed.faults.arm(FaultPlan(call: call, occurrences: 1 ... .max, fault: .error(error)))
        try install("org.example.New")
        try waitForProblem()
        try waitForLooks()
        #expect(try isServed("org.example.Old"))
        bed.faults.disarm()
        try bed.client.wait("the new application") { try isServed("org.example.New") }
        try bed.client.wait("no problem") { try bed.client.problems() == [] }
        #expect(try isServed("org.example.Old"))
        // One that has really gone is gone.
        #expect(unlink(bed.session.folder.path(file(of: "org.example.Old"))) == 0)
        try bed.client.wait("the end of the old application") { (try? isServed("org.example.Old")) == nil }
    }

    @Test(arguments: [FaultyCall.opendir, .readdir]) func itsApplicationsComeWhenItCouldNotBeListedAtTheStart(call: FaultyCall)
        throws
    {
        try install("org.example.Old")
        try bed.start(isFaulty: true, plan: FaultPlan(call: call, occurrences: 1 ... .max, fault: .error(EIO)))
        try waitForLooks()
        // That it is not there is not known.
        let error = #expect(throws: BusError.self) { try isServed("org.example.Old") }
        #expect(error?.message.contains("schemas cannot be listed: ") == true, "\(String(describing: error))")
        bed.faults.disarm()
        try bed.client.wait("the application") { try isServed("org.example.Old") }
        #expect(try bed.client.problems() == [])
    }

    /// One that counts for more may be in the folder that cannot be listed.
    @Test func aSchemaIsNotTakenForAnotherMeanwhile() throws {
        try install("org.example.Old")
        let other = #"{"type": "object", "properties": {"quiet": {"type": "boolean", "default": true}}}"#
        try bed.session.folder.write(other, to: "share/settingsd/schemas/org.example.Old.json")
        try bed.start(isFaulty: true)
        let path = SettingsNames.path(ofApplication: "org.example.Old")
        let values = try bed.client.ask("ReadAll", at: path)
        bed.faults.arm(FaultPlan(call: .opendir, occurrences: 1 ... .max, fault: .error(EIO)))
        try bed.client.reload()
        try waitForProblem()
        #expect(try bed.client.ask("ReadAll", at: path) == values)
    }
}
