import EventLoop
import ExampleSupport
import Foundation
import SettingsClient
import SettingsCommand

/// Text files that become a new version of what is published, in a layer's file.
struct Publishing {
    let kind: LegalKind
    let texts: [LegalText]

    /// - Parameters:
    ///   - files: one for each language, named for it: `privacy.de.txt`. The first line is the title, the others the text.
    ///   - date: of the version, `2026-03-01`.
    init(_ kind: LegalKind, _ files: [String], version: String, date: String) throws(Failure) {
        self.kind = kind
        var texts: [LegalText] = []
        for file in files { texts.append(try Self.text(file, version: version, date: date)) }
        self.texts = texts
    }

    private static func text(_ file: String, version: String, date: String) throws(Failure) -> LegalText {
        let parts = (file as NSString).lastPathComponent.split(separator: ".")
        let languages = parts.count < 2 ? [] : Languages.variants(String(parts[parts.count - 2]))
        guard let language = languages.first, (2...3).contains(languages.last?.count ?? 0) else {
            throw .usage("\(file) does not tell its language in its name; one is like privacy.de.txt")
        }
        let lines = try lines(of: file)
        let title = lines[0].drop { $0 == "#" || $0 == " " }
        let body = lines.dropFirst().joined(separator: "\n").trimmingCharacters(in: .newlines)
        return LegalText(language: language, version: version, date: date, title: String(title), body: body)
    }

    /// A text file's lines, whichever way they end, without a byte order mark.
    private static func lines(of file: String) throws(Failure) -> [String] {
        guard let content = FileManager.default.contents(atPath: file) else {
            throw Failure("cannot read \(file): \(String(cString: strerror(errno)))", status: .storage)
        }
        let mark = Data([0xEF, 0xBB, 0xBF])
        let bytes = [UInt8](content.starts(with: mark) ? content.dropFirst(mark.count) : content)
        var lines: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let isReturned = line.last == UInt8(ascii: "\r")
            guard let text = String(validating: isReturned ? line.dropLast() : line, as: UTF8.self) else {
                throw Failure("\(file):\(lines.count + 1): the line is no valid UTF-8", status: .refused)
            }
            lines.append(text)
        }
        return lines
    }

    /// Asks the daemon whether the schema takes the texts; in a file they would have no effect otherwise.
    func check(with client: ApplicationClient) throws(ClientError) {
        do throws(ClientError) {
            _ = try client.previewAndWait(Action("SetValues", encoding: ["values": [kind.rawValue: texts]]))
        } catch {
            // A lock keeps users out, and is looked at when the values are found to be right.
            if error.kind != .refused(.locked) { throw error }
        }
    }

    /// Writes the texts into a layer's file, and leaves what else is there. It is locked, so that no user's own text goes
    /// before it.
    func write(to file: String) throws {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        if file.hasSuffix("/") || exists && isFolder.boolValue {
            throw Failure.usage("--to takes a file, and \(file) is a folder")
        }
        var layer: [String: Any] = [:]
        if let content = FileManager.default.contents(atPath: file) {
            guard let old = try JSONSerialization.jsonObject(with: content) as? [String: Any] else {
                throw Failure("\(file) is no JSON object", status: .storage)
            }
            layer = old
        }
        layer[kind.rawValue] = try JSONSerialization.jsonObject(with: JSONEncoder().encode(texts))
        let locked = layer["locked"] as? [String] ?? []
        layer["locked"] = locked.contains(kind.rawValue) ? locked : locked + [kind.rawValue]
        let content = try JSONSerialization.data(
            withJSONObject: layer, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        try Self.write(content + Data("\n".utf8), to: file)
    }

    /// Replaces a layer's file, or what a link there leads to. Every account must be able to read it.
    private static func write(_ content: Data, to file: String) throws(Failure) {
        let file = URL(fileURLWithPath: file).resolvingSymlinksInPath()
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try content.write(to: file, options: .atomic)
        } catch {
            throw Failure(
                "cannot write \(file.path): \(error.localizedDescription)", hint: "as an administrator, or --to another file",
                status: .storage)
        }
        guard chmod(file.path, 0o644) == 0 else {
            throw Failure("cannot let others read \(file.path): \(String(cString: strerror(errno)))", status: .storage)
        }
    }

    /// Waits until the daemon has taken the file over.
    func wait(for client: ApplicationClient) throws {
        func isThere() -> Bool {
            do throws(ClientError) {
                return try client.value(of: kind.rawValue, as: [LegalText].self) == texts
            } catch {
                // What does not even look like it is something else.
                return false
            }
        }
        if client.loop.run(until: { isThere() }, timeout: .seconds(5)) { return }
        let problems = try client.statusAndWait().problems
        throw Failure(
            "it is written, but not in force" + (problems.isEmpty ? "" : ": \(problems.joined(separator: "; "))"),
            hint: "legal list tells which file is in force")
    }
}

/// What was published, and where.
struct PublishedReport: Report {
    var kind: LegalKind
    var version: String
    var languages: [String]
    var file: String

    func lines(width: Int) -> [Line] {
        [Line("published: \(kind.words), version \(version) in \(languages.joined(separator: ", ")): \(file)")]
    }
}
