import DBus
import Foundation
import SettingsBus
import SettingsModel
import TestSupport
import Testing

/// The command-line tools of other projects: busctl, gdbus, dbus-send with dbus-monitor, qdbus.
@Suite(.logsOnFailure) struct BindingToolTests {
    /// How a tool says what, as data.
    struct Tool: CustomTestStringConvertible {
        let name: String
        let program: String
        /// The words of a call; nil where the tool has no way to say it.
        let call: @Sendable (BindingCall) -> [String]?
        /// What stands before an error's name in the output.
        let errorMark: String
        /// What follows a key and is its value with its type, as a regular expression.
        let value: String
        /// What shows signals, and what it prints when it has begun; nil where the tool has nothing.
        var monitor: (words: [String], begun: String)?
        var environment: [String: String] = [:]

        var testDescription: String { name }
    }

    private static let (service, path) = (SettingsNames.busName.rawValue, SettingsNames.path.rawValue)

    static let tools = [
        Tool(
            name: "busctl", program: "busctl",
            call: { call in
                let types = call.arguments.map(\.signature.rawValue).joined()
                return ["--user", "--json=short", "call", service, call.path.rawValue, call.interface.rawValue]
                    + [call.member.rawValue] + (types.isEmpty ? [] : [types]) + call.arguments.flatMap(\.busctlWords)
            }, errorMark: "error-name=", value: #"":(\{"type":"[^"]*","data":"[^"]*"\})"#,
            monitor: (["busctl", "--user", "--json=short", "monitor", service], "Monitoring"),
            // It prints the message alone; the log has the name.
            environment: ["SYSTEMD_LOG_LEVEL": "debug", "SYSTEMD_LOG_TARGET": "console"]),
        Tool(
            name: "gdbus", program: "gdbus",
            call: { call in
                ["call", "--session", "-d", service, "-o", call.path.rawValue, "-m", "\(call.interface).\(call.member)"]
                    + call.arguments.map(\.variantText)
            }, errorMark: "GDBus.Error:", value: "': (<[^>]*>)",
            monitor: (["gdbus", "monitor", "--session", "-d", service, "-o", path], "is owned by")),
        Tool(
            name: "dbus-send", program: "dbus-send",
            call: { call in
                let words = call.arguments.compactMap(\.dbusSendWord)
                guard words.count == call.arguments.count else { return nil }
                return ["--session", "--print-reply", "--dest=\(service)", call.path.rawValue]
                    + ["\(call.interface).\(call.member)"] + words
            }, errorMark: "Error ", value: #""\s+variant\s+(\w+ "[^"]*")"#,
            monitor: (["dbus-monitor", "--session", "type='signal',sender='\(service)'"], "NameAcquired")),
        Tool(
            name: "qdbus", program: "/usr/lib/qt5/bin/qdbus",
            call: { call in
                let words = call.arguments.compactMap(\.qdbusWord)
                guard words.count == call.arguments.count else { return nil }
                return ["--literal", service, call.path.rawValue, "\(call.interface).\(call.member)"] + words
            }, errorMark: "Error: ", value: #"" = (\[Variant[^\]]*\])"#),
    ].filter { FileManager.default.isExecutableFile(atPath: $0.program.hasPrefix("/") ? $0.program : "/usr/bin/\($0.program)") }

    let session: TestSession

    init() throws {
        session = try TestSession()
    }

    private func run(_ tool: Tool, _ words: [String]) throws -> RunningProcess {
        let process = try RunningProcess(
            tool.program, words, environment: session.environment.merging(tool.environment) { $1 })
        try process.waitForExit()
        return process
    }

    /// The last part of the name of the error that a call is answered with.
    private func error(_ tool: Tool, _ words: [String]) throws -> String {
        let output = try run(tool, words).log
        guard let mark = output.range(of: tool.errorMark + "org.") else { return "none: \(output)" }
        let name = "org." + output[mark.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "." }
        return ErrorName(name).map { BusError(name: $0, message: "").shortName } ?? name
    }

    /// The value of a key or property, with its type, where it stands first in an output.
    private func value(of name: String, in output: String, _ tool: Tool) throws -> String? {
        let pattern = try NSRegularExpression(pattern: NSRegularExpression.escapedPattern(for: name) + tool.value)
        let match = pattern.firstMatch(in: output, range: NSRange(output.startIndex..., in: output))
        return match.flatMap { Range($0.range(at: 1), in: output) }.map { String(output[$0]) }
    }

    @Test(arguments: tools) func readingSettingAndSignalsAgreeInValueAndType(tool: Tool) throws {
        let daemon = try session.startDaemon()
        let monitor = try tool.monitor.map { monitor in
            let process = try RunningProcess(
                "stdbuf", ["-oL"] + monitor.words, environment: session.environment.merging(tool.environment) { $1 })
            try eventually("the monitor") { process.log.contains(monitor.begun) }
            return process
        }
        for call in [BindingCall.naming("Zoë e\u{301}"), .storing("")] {
            let process = try run(tool, try #require(tool.call(call)))
            #expect(try process.waitForExit() == .exited(0), "\(process.log)")
        }
        let after = try run(tool, try #require(tool.call(.readingAll))).stdout
        let name = try #require(try value(of: "profile.name", in: after, tool), "\(after)")
        #expect(name.contains("Zoë") && name != "Zoë")
        let provider = try #require(try value(of: "provider.id", in: after, tool))
        #expect(provider.contains("mpd"))
        guard let monitor else { return }
        try eventually("the last signal") { try value(of: "Id", in: monitor.stdout, tool) != nil }
        for (key, expected) in [("profile.name", name), ("Name", name), ("provider.id", provider), ("Id", provider)] {
            #expect(try value(of: key, in: monitor.stdout, tool) == expected)
        }
        _ = daemon
    }

    @Test(arguments: tools) func everyErrorThatTheToolCanCauseHasItsName(tool: Tool) throws {
        try BindingCall.prepare(session)
        let daemon = try session.startDaemon()
        var checked = 0
        for call in BindingCall.all {
            guard let words = tool.call(call) else { continue }
            // qdbus and gdbus look at the introspection first and refuse by themselves what is not in it.
            if ["gdbus", "qdbus"].contains(tool.name), Self.foundByIntrospection.contains(call.error) { continue }
            #expect(try error(tool, words) == call.error, "\(tool.name) \(call.error)")
            checked += 1
        }
        #expect(checked >= 9)
        _ = daemon
    }

    private static let foundByIntrospection: Set = ["UnknownMethod", "UnknownObject", "UnknownInterface", "InvalidArgs"]

    @Test(arguments: StorageFault.allCases) func whatCannotBeStoredIsAnErrorToEach(fault: StorageFault) throws {
        try fault.prepare(session)
        let daemon = try session.startDaemon()
        for tool in Self.tools {
            let words = try #require(tool.call(.storing(fault.rawValue)))
            #expect(try error(tool, words) == fault.rawValue, "\(tool.name)")
        }
        _ = daemon
    }
}

extension Value {
    /// The value as words of busctl, without its type.
    fileprivate var busctlWords: [String] {
        switch self {
        case .string(let text): [text]
        case .int32(let number): ["\(number)"]
        case .uint64(let number): ["\(number)"]
        case .variant(let content): [content.signature.rawValue] + content.busctlWords
        case .structure(let fields): fields.flatMap(\.busctlWords)
        case .array(_, let items): ["\(items.count)"] + items.flatMap(\.busctlWords)
        case .dictionary(_, _, let entries):
            ["\(entries.count)"] + entries.flatMap { $0.key.busctlWords + $0.value.busctlWords }
        default: preconditionFailure("The tests have no such argument.")
        }
    }

    /// The value as GVariant's text.
    fileprivate var variantText: String {
        switch self {
        case .string(let text): "'\(text.replacingOccurrences(of: "\n", with: "\\n"))'"
        case .int32(let number): "\(number)"
        case .uint64(let number): "uint64 \(number)"
        case .variant(let content): "<\(content.variantText)>"
        case .structure(let fields): "(\(fields.map(\.variantText).joined(separator: ", ")))"
        case .array(_, let items): "[\(items.map(\.variantText).joined(separator: ", "))]"
        case .dictionary(_, _, let entries):
            entries.isEmpty
                ? "@\(signature) {}"
                : "{\(entries.map { "\($0.key.variantText): \($0.value.variantText)" }.joined(separator: ", "))}"
        default: preconditionFailure("The tests have no such argument.")
        }
    }

    /// The value as a word of dbus-send, which knows no dictionaries of variants.
    fileprivate var dbusSendWord: String? {
        switch self {
        case .string(let text): "string:\(text)"
        case .int32(let number): "int32:\(number)"
        case .variant(let content): content.dbusSendWord.map { "variant:\($0)" }
        default: nil
        }
    }

    /// The value as a word of qdbus, which knows strings and what it can make of them.
    fileprivate var qdbusWord: String? {
        switch self {
        case .string(let text): text
        case .variant(let content): content.qdbusWord
        default: nil
        }
    }
}
