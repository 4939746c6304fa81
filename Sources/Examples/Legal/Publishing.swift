import ExampleSupport
import Foundation
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
        for file in files {
            let text = try Self.text(file, version: version, date: date)
            if texts.contains(where: { $0.language == text.language }) {
                throw .usage("\(file) is a second text in \(text.language ?? ""); a version has one in each language")
            }
            texts.append(text)
        }
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
        if title.isEmpty { throw Failure("\(file) does not begin with a title", status: .refused) }
        if body.isEmpty { throw Failure("\(file) has no text below its title", status: .refused) }
        if let failure = Failure.tooLong(body, of: file, "nothing was published") { throw failure }
        return LegalText(language: language, version: version, date: date, title: String(title), body: body)
    }

    /// A text file's lines, whichever way they end, without a byte order mark.
    private static func lines(of file: String) throws(Failure) -> [String] {
        var status = stat()
        if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure("\(file) is \(status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file")", status: .storage)
        }
        guard let content = FileManager.default.contents(atPath: file) else {
            throw Failure("cannot read \(file): \(systemMessage(errno))", status: .storage)
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
}

/// What was published, and where.
struct PublishedReport: Report {
    var kind: LegalKind
    var version: String
    /// All that there are of the version.
    var languages: [String]
    var file: String
    /// The file that has another text in force, where there is one.
    var behind: String?

    func lines(width: Int) -> [Line] {
        [Line("published: \(kind.words), version \(version) in \(languages.joined(separator: ", ")): \(file)")]
    }
}
