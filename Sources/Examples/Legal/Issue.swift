import EventLoop
import ExampleSupport
import Foundation
import JSON
import SettingsClient
import SettingsCommand

/// The publishing of texts in one of the daemon's files, or in one that becomes a part of a package.
struct Issue {
    let publishing: Publishing
    let client: ApplicationClient
    /// The layers' files, the most important first: the administrator's, then the vendor's.
    private let order: [String]
    private let vendors: [String]

    init(_ publishing: Publishing, _ client: ApplicationClient) throws {
        self.publishing = publishing
        self.client = client
        let files = try client.statusAndWait().files
        let lists = ["admin", "vendor"].map { name in
            (files[name] ?? "").split(separator: ":").map { LayerFile.resolved(String($0)) }
        }
        (order, vendors) = (lists[0] + lists[1], lists[1])
    }

    private var key: String { publishing.kind.rawValue }

    /// Writes the texts into a file, and leaves what else is there. They are locked, so that no user's own text goes before
    /// them.
    ///
    /// - Parameters:
    ///   - isForced: whether they may be older than what is there.
    ///   - dropsLanguages: whether other versions in other languages may go.
    /// - Returns: all texts that the file has now, and what was there in other versions.
    func write(to path: String, isForced: Bool, dropsLanguages: Bool) throws -> (texts: [LegalText], gone: [LegalText]) {
        let file = try LayerFile(path)
        defer { file.close() }
        var layer = try file.content()
        let present =
            try layer[key].map { value in
                (value.array ?? []).compactMap(\.object).map(LegalText.init)
            } ?? published(before: file.path)
        let texts = publishing.joined(with: present)
        try check(texts)
        let newer = present.first { $0.isNewer(than: publishing.texts[0]) }
        if let newer, !isForced {
            throw Failure(
                "version \(publishing.texts[0].version ?? "") of the \(publishing.kind.words) is older than "
                    + "version \(newer.version ?? ""), which is published; nothing was changed",
                hint: "to put it in that one's place all the same: --force", status: .refused, name: "OlderVersion")
        }
        let gone = present.filter { text in !texts.contains { $0.language == text.language } }
        guard gone.isEmpty || dropsLanguages else {
            throw Failure(
                "version \(publishing.texts[0].version ?? "") would be the only one, and is not there in \(gone.languagesAndVersions); "
                    + "nothing was changed",
                hint: "give a file in each language, or let the others go: --drop", status: .refused, name: "MissingLanguages")
        }
        layer[key] = .array(texts.map(\.json))
        let locked = layer["locked"]?.array ?? []
        layer["locked"] = .array(locked.contains(.string(key)) ? locked : locked + [.string(key)])
        try file.write(layer)
        return (texts, gone)
    }

    /// What a file of the daemon's takes the place of: the texts of the layers below, which it would hide.
    private func published(before path: String) throws -> [LegalText] {
        guard order.contains(path), winner(over: path, try entry()) == nil, try entry()?.source != "user" else { return [] }
        return try client.value(of: key)
    }

    /// Asks the daemon whether the schema takes the texts; in a file they would have no effect otherwise. A file may hold more
    /// than one call: each text is asked about by itself.
    private func check(_ texts: [LegalText]) throws(ClientError) {
        for text in texts {
            do throws(ClientError) {
                _ = try client.previewAndWait(Action("SetValues", encoding: ["values": [key: [text]]]))
            } catch {
                // A lock keeps users out, and is looked at when the values are found to be right.
                if error.kind != .refused(.locked) { throw error }
            }
        }
    }

    private func entry() throws(ClientError) -> SettingDescription? {
        try client.describeAndWait(key).settings.first?.description
    }

    /// The file whose text stays in force though another has one, too; nil where there is none.
    private func winner(over path: String, _ entry: SettingDescription?) -> String? {
        guard let entry, let place = order.firstIndex(of: path), let file = entry.sourceFile,
            let other = order.firstIndex(of: LayerFile.resolved(file)), other < place
        else { return nil }
        // Among the administrator's files a lock goes before a value without one.
        return entry.source == "locked" || vendors.contains(path) ? file : nil
    }

    /// Waits until the daemon has taken the texts over, where the file is one of its own and no other goes before it.
    ///
    /// - Returns: what goes before it, in words, and the file where it is one.
    func wait(in path: String) throws -> (words: String, file: String?)? {
        let path = LayerFile.resolved(path)
        // A package is made of other files than those that are in force.
        guard order.contains(path) else { return nil }
        if let file = winner(over: path, try entry()) {
            return ("it is written, but \(file) goes before it, and has another text in force", file)
        }
        if vendors.contains(path), try entry()?.source == "user" {
            return ("it is written, but you see a text of your own: settingsctl -a \(client.application) reset \(key)", nil)
        }
        func isThere() -> Bool {
            do throws(ClientError) {
                // Whoever publishes further languages meanwhile adds to them.
                return Set(publishing.texts).isSubset(of: try client.value(of: key, as: [LegalText].self))
            } catch {
                // What does not even look like it is something else.
                return false
            }
        }
        if client.loop.run(until: { isThere() }, timeout: .seconds(5)) { return nil }
        let problems = client.problems
        throw Failure(
            "it is written, but not in force" + (problems.isEmpty ? "" : ": \(problems.joined(separator: "; "))"),
            hint: "legal list tells which file is in force")
    }
}

extension Publishing {
    /// The texts together with those of the same version in other languages, which stay where they are.
    func joined(with present: [LegalText]) -> [LegalText] {
        var joined = present.filter { $0.isSameVersion(as: texts[0]) }
        for text in texts {
            if let place = joined.firstIndex(where: { $0.language == text.language }) {
                joined[place] = text
            } else {
                joined.append(text)
            }
        }
        return joined
    }
}

extension [LegalText] {
    /// As `de (version 1.0), fr (version 1.1)`.
    var languagesAndVersions: String {
        map { "\($0.language ?? "?") (version \($0.version ?? "?"))" }.joined(separator: ", ")
    }
}

extension LegalText {
    /// What a record of a layer's file says.
    fileprivate init(_ object: JSONObject) {
        func text(_ name: String) -> String? { object[name]?.string }
        self.init(
            language: text("language"), version: text("version"), date: text("date"), title: text("title"), body: text("body"))
    }

    fileprivate var json: JSONValue {
        let fields = [("language", language), ("version", version), ("date", date), ("title", title), ("body", body)]
        return .object(JSONObject(fields.compactMap { name, text in text.map { (key: name, value: .string($0)) } }))
    }

    /// The parts of the version, as numbers of any length.
    private var numbers: [String] {
        let numbers = (version ?? "").split(separator: ".").map { String($0.drop { $0 == "0" }) }
        return Array(numbers[..<((numbers.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    }

    func isSameVersion(as other: LegalText) -> Bool { numbers == other.numbers }

    func isNewer(than other: LegalText) -> Bool {
        other.numbers.lexicographicallyPrecedes(numbers) { ($0.count, $0) < ($1.count, $1) }
    }
}
