import ExampleSupport
import Foundation
import SettingsClient
import SettingsCommand

extension Program {
    static let legal = Program(
        name: "legal", summary: "imprint, privacy policy and licence agreement, as they are published on this machine",
        application: "org.settingsd.Legal", schema: PackageResources.org_settingsd_Legal_json,
        examples: [
            Example("legal list", "tells what is published, in which version, and by which file"),
            Example("legal show privacy", "shows the privacy policy in your language"),
            Example("legal show licence --language de", "shows the licence agreement in German, where there is one"),
            Example("legal publish privacy --release 1.3 privacy.en.txt privacy.de.txt", "publishes a new version, as root"),
            Example("legal watch", "waits, and tells of each new version as it is published"),
        ],
        commands: [
            Command(
                "list", "tells what is published, and where", json: "{\"texts\": [\(entryShape), \"source\", \"file\"}]}",
                run: list),
            Command(
                "show imprint|privacy|licence", "shows one of them, on a terminal with $PAGER",
                json: "{\"kind\", \"language\", \"version\", \"date\", \"title\", \"body\"}", run: show),
            Command(
                "watch [imprint|privacy|licence]", "tells of new versions; shows the one that is named, anew with each",
                json:
                    "{\"texts\": [\(entryShape)}], \"news\": [{\"kind\", \"language\", \"before\", \"now\": the editions}]}, one object for each change",
                run: watch),
            Command(
                "publish imprint|privacy|licence FILE…",
                "publishes a version: a file for each language, as privacy.de.txt; the first line is the title; other languages of the same version stay",
                options: [
                    Option("release VERSION", "the version, as 1.3"), Option("date YYYY-MM-DD", "its date; today if not given"),
                    Option("force", "publishes it in place of a newer version"),
                    Option("drop", "lets the languages go that the new version is not there in"),
                    Option("to FILE", "the layer's file to write; the administrator's if not given"),
                ],
                json: "{\"kind\", \"version\", \"languages\": [names], \"file\", \"behind\": the file that is in force instead}",
                run: publish),
        ],
        options: [Option("language LANGUAGE", "in this language: de, de_AT; else as LANGUAGE and the locale say")])
}

private let entryShape = "{\"kind\", \"title\", \"version\", \"date\", \"languages\": [names]"

@Sendable private func list(_ invocation: Invocation) throws {
    let client = try invocation.connect()
    let described = try client.describeAndWait()
    let report = ListReport(
        in: try client.settings(as: Publication.self), invocation.languages, places: try places(client)
    ) { kind in
        let entry = described.settings.first { $0.key == kind.rawValue }?.description
        return (entry?.source, entry?.sourceFile)
    }
    invocation.print(report)
}

/// The files for publishing, the most important first: those of whoever administers the machine, then packages'.
private func places(_ client: ApplicationClient) throws -> [String] {
    try layers(client, "admin").map { "\($0) (for an administrator)" } + layers(client, "vendor").map { "\($0) (for a package)" }
}

/// The files of layers, the most important first.
private func layers(_ client: ApplicationClient, _ names: String...) throws -> [String] {
    let files = try client.statusAndWait().files
    return (names.isEmpty ? ["admin", "vendor"] : names).flatMap { (files[$0] ?? "").split(separator: ":").map(String.init) }
}

@Sendable private func show(_ invocation: Invocation) throws {
    let kind = try LegalKind(named: invocation.operands[0])
    let client = try invocation.connect()
    let texts = try client.value(of: kind.rawValue, as: [LegalText].self)
    guard let text = texts.best(invocation.languages) else {
        let places = try places(client).joined(separator: " or ")
        throw Failure(
            "no \(kind.words) is published",
            hint: invocation.hasProblems
                ? nil : "publish it in \(places): legal publish \(kind) --release 1.0 \(kind).en.txt, as an administrator",
            name: "NotPublished")
    }
    if let wanted = invocation["language"], let language = text.language,
        !invocation.languages.contains(where: language.hasPrefix)
    {
        let languages = texts.languages.joined(separator: ", ")
        invocation.notice("there is no \(kind.words) in \(wanted), but in \(languages)")
    }
    if try client.describeAndWait(kind.rawValue).settings.first?.description.source == "user" {
        invocation.notice("this is a text of your own; settingsctl -a org.settingsd.Legal reset \(kind) shows what is published")
    }
    invocation.page(TextReport(kind: kind, text: text))
}

@Sendable private func watch(_ invocation: Invocation) throws {
    let kind = try invocation.operands.first.map { name throws(Failure) in try LegalKind(named: name) }
    let kinds = kind.map { [$0] } ?? LegalKind.allCases
    let client = try invocation.connect()
    let places = try places(client)
    var last: WatchReport?
    try invocation.follow(client) { settings in
        let publication = try settings.settings(as: Publication.self)
        let list = ListReport(of: kinds, in: publication, invocation.languages, places: places)
        let text = kind.flatMap { kind in
            publication[kind].best(invocation.languages).map { TextReport(kind: kind, text: $0) }
        }
        let next = WatchReport(after: last, kinds, in: publication, list, reading: text)
        // What is shown again for another reason has no news.
        let report = next.isNew ? next : last ?? next
        last = report
        return report
    }
}

@Sendable private func publish(_ invocation: Invocation) throws {
    let kind = try LegalKind(named: invocation.operands[0])
    guard let version = invocation["release"] else { throw Failure.usage("a version is needed: --release 1.3") }
    let today = ISO8601DateFormatter.string(from: Date(), timeZone: .current, formatOptions: .withFullDate)
    let publishing = try Publishing(
        kind, Array(invocation.operands.dropFirst()), version: version, date: invocation["date"] ?? today)
    let client = try invocation.connect(tellsProblems: false)
    guard let file = try invocation["to"] ?? layers(client, "admin").first else {
        throw Failure("there is no layer to publish in")
    }
    let issue = try Issue(publishing, client)
    let (texts, gone) = try issue.write(to: file, isForced: invocation.has("force"), dropsLanguages: invocation.has("drop"))
    let before = try issue.wait(in: file)
    let languages = texts.compactMap(\.language)
    invocation.print(
        PublishedReport(kind: kind, version: version, languages: languages, file: file, behind: before?.file))
    if !gone.isEmpty {
        invocation.notice("no longer published, since the new version is not there in: \(gone.languagesAndVersions)")
    }
    if let before { invocation.remark(before.words) }
    let layers = try layers(client)
    if !layers.contains(where: { LayerFile.resolved($0) == LayerFile.resolved(file) }) {
        invocation.remark("it is written, but nobody here reads it: the layers' files are \(layers.joined(separator: ", "))")
    }
}

extension Invocation {
    /// What the texts are to be in, best first.
    fileprivate var languages: [String] { self["language"].map(Languages.variants) ?? Languages.preferred() }
}
