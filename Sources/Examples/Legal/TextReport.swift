import ExampleSupport

/// One text, as it is read.
struct TextReport: Report {
    var kind: LegalKind
    var text: LegalText
    /// What was asked for and is not there.
    var missing: String?

    func lines(width: Int) -> [Line] {
        let about = [text.edition, text.language ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        let heading = [Line(text.title ?? kind.words, .bold), Line(about, .dim), ""]
        let paragraphs = (text.body ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Programs get the publisher's own lines.
        return heading + paragraphs.flatMap { width == .max ? [$0] : $0.wrapped(to: min(width, 80)) }.map { Line($0) }
    }

    enum CodingKeys: CodingKey { case kind, language, version, date, title, body }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(text.language, forKey: .language)
        try container.encode(text.version, forKey: .version)
        try container.encode(text.date, forKey: .date)
        try container.encode(text.title, forKey: .title)
        try container.encode(text.body, forKey: .body)
    }
}
