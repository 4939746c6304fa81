import ExampleSupport

/// What is published, in which versions and languages, and where.
struct ListReport: Report {
    struct Entry: Encodable {
        var kind: LegalKind
        var title: String
        var version: String?
        var date: String?
        var languages: [String]
        /// `locked`, `admin`, `vendor`; `user` for what nobody has published.
        var source: String?
        var file: String?
    }

    var texts: [Entry]
    /// Where to publish, for the case that nothing is.
    private let places: [String]

    enum CodingKeys: CodingKey { case texts }

    init(
        of kinds: [LegalKind] = LegalKind.allCases, in publication: Publication, _ languages: [String], places: [String],
        origin: (LegalKind) -> (source: String?, file: String?) = { _ in (nil, nil) }
    ) {
        self.places = places
        texts = kinds.compactMap { kind in
            guard let text = publication[kind].best(languages) else { return nil }
            let (source, file) = origin(kind)
            return Entry(
                kind: kind, title: text.title ?? kind.words, version: text.version, date: text.date,
                languages: publication[kind].languages, source: source, file: file)
        }
    }

    func lines(width: Int) -> [Line] {
        if texts.isEmpty {
            return
                (["Nothing is published yet; a publisher's file goes to one of"] + places.map { "  \($0)" }
                + ["An administrator publishes a text: legal publish privacy --release 1.0 privacy.en.txt"]).map { .hint($0) }
        }
        let rows = texts.map { text in
            let languages = text.languages.joined(separator: ", ")
            let origin = text.source == "user" ? "your own text, which nobody has published" : text.file ?? ""
            return [text.kind.rawValue, text.title, text.version ?? "", text.date ?? "", languages, origin]
        }
        return columns(rows, width: width).flatMap(\.self).map { Line($0) }
    }
}
