import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// The bindings of Python, each with a client of its own in Tests/Bindings.
@Suite(.logsOnFailure) struct BindingTests {
    struct Binding: CustomTestStringConvertible {
        let module: String
        /// The errors for which it has no call, or which it finds itself.
        var cannot: Set<String> = []

        var testDescription: String { module }
        var file: String { "binding_" + module.lowercased() }
    }

    /// dasbus calls only what introspection shows; PyQt has no way to say an array of structures.
    static let bindings = [
        Binding(module: "dbus_next"), Binding(module: "jeepney"), Binding(module: "dbus"), Binding(module: "gi"),
        Binding(module: "dasbus", cannot: ["UnknownMethod", "UnknownInterface", "InvalidArgs"]),
        Binding(module: "PyQt5", cannot: ["UnknownAction"]),
    ].filter { Python.has($0.module) }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Bindings").path
    private static let name = "Zoë e\u{301} 👩‍👩‍👧‍👦"

    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    /// Runs a binding's client and returns the JSON that it prints.
    private func run(_ binding: Binding, _ job: [String: Any]) throws -> Any {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: job), as: UTF8.self)
        let file = try session.folder.write(text, to: "job.json")
        let result = try RunningProcess(
            Python.path, ["-B", "\(Self.folder)/scenario.py", String(binding.file.dropFirst("binding_".count)), file],
            environment: session.environment
        ).result()
        guard result.status == .exited(0) else { throw TestFailure("\(result)") }
        return try JSONSerialization.jsonObject(with: Data(result.stdout.utf8))
    }

    @Test(arguments: bindings) func readingSettingAndSignalsAgreeInValueAndType(binding: Binding) throws {
        let daemon = try session.startDaemon()
        let report = try #require(try run(binding, ["name": Self.name]) as? [String: Any])
        let before = try #require((report["before"] as? [Any])?.last as? [String: String])
        #expect(before.count == Schema.builtIn.keys.count)
        #expect(before["profile.name"] == "s:" && before["provider.id"] == "s:none")
        #expect(bytes(report["property"] as? String ?? "") == bytes(Self.name))
        #expect(report["selected"] as? Int == 2)
        let signals = try #require(report["signals"] as? [[Any]]).map { signal in
            [signal[0] as? String ?? ""] + (signal[1] as? [String: String] ?? [:]).map { "\($0)=\($1)" }
        }
        let interface = SettingsNames.interface.rawValue
        #expect(
            signals == [
                ["Changed", "profile.name=s:\(Self.name)"], ["PropertiesChanged", "\(interface).Profile.Name=s:\(Self.name)"],
                ["Changed", "provider.id=s:mpd"], ["PropertiesChanged", "\(interface).Provider.Id=s:mpd"],
            ])
        let after = try #require(report["after"] as? [Any])
        #expect(after.first as? Int == 2)
        let values = before.merging(["profile.name": "s:\(Self.name)", "provider.id": "s:mpd"]) { $1 }
        #expect(after.last as? [String: String] == values)
        _ = daemon
    }

    /// The errors that calls are answered with, without the common beginnings of their names.
    private func errors(_ binding: Binding, _ calls: [BindingCall]) throws -> [String] {
        let calls = calls.map { call in
            [call.path.rawValue, call.interface.rawValue, call.member.rawValue, call.arguments.map(\.tagged)] as [Any]
        }
        let names = try #require(try run(binding, ["calls": calls]) as? [String])
        return names.map { BusError(name: ErrorName($0) ?? "org.example.None", message: "").shortName }
    }

    @Test(arguments: bindings) func everyErrorHasItsName(binding: Binding) throws {
        try BindingCall.prepare(session)
        let daemon = try session.startDaemon()
        let calls = BindingCall.all.filter { !binding.cannot.contains($0.error) }
        #expect(try errors(binding, calls) == calls.map(\.error))
        _ = daemon
    }

    @Test(arguments: StorageFault.allCases) func whatCannotBeStoredIsAnErrorToEach(fault: StorageFault) throws {
        try fault.prepare(session)
        let daemon = try session.startDaemon()
        for binding in Self.bindings {
            #expect(try errors(binding, [.storing(fault.rawValue)]) == [fault.rawValue], "\(binding.module)")
        }
        _ = daemon
    }
}

extension Value {
    /// The value as JSON, with its type: what the clients in Tests/Bindings take.
    fileprivate var tagged: [Any] { [signature.rawValue, json] }

    private var json: Any {
        switch self {
        case .string(let text): text
        case .int32(let number): number
        case .uint64(let number): number
        case .variant(let content): content.tagged
        case .structure(let fields): fields.map(\.json)
        case .array(_, let items): items.map(\.json)
        case .dictionary(_, _, let entries):
            Dictionary(entries.map { ($0.key.string ?? "", $0.value.json) }) { first, _ in first }
        default: preconditionFailure("The tests have no such argument.")
        }
    }
}
