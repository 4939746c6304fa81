import ExampleSupport
import Foundation

/// What is published now, and what has been since somebody began to watch.
struct WatchReport: Report {
    /// A text that is new, in another version, or gone.
    struct News: Encodable {
        var kind: LegalKind
        var language: String
        var before: LegalText?
        var now: LegalText?

        var words: String {
            let what = "\(kind.words), \(language): "
            return switch (before, now) {
            case (let before?, let now?) where before.edition == now.edition: what + "changed, as \(now.edition) still"
            case (let before?, let now?): what + "\(before.edition) → \(now.edition)"
            case (nil, let now?): what + "published, \(now.edition)"
            case (_, nil): what + "no longer published"
            }
        }

        enum CodingKeys: CodingKey { case kind, language, before, now }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encode(language, forKey: .language)
            try container.encode(before?.edition, forKey: .before)
            try container.encode(now?.edition, forKey: .now)
        }
    }

    /// What came with the last change.
    var news: [News]
    var texts: [ListReport.Entry]
    /// All that came before, for a screen.
    private let past: [News]
    private let isFirst: Bool
    private let list: ListReport
    /// The text that is read meanwhile.
    private let text: TextReport?
    private let publication: Publication

    enum CodingKeys: CodingKey { case news, texts }

    /// - Parameters:
    ///   - last: the report before this one; nil: this is the first.
    ///   - kinds: what is watched.
    ///   - list: what is published, as lines and for programs.
    ///   - text: the text that is read meanwhile.
    init(
        after last: WatchReport?, _ kinds: [LegalKind], in publication: Publication, _ list: ListReport,
        reading text: TextReport?
    ) {
        self.publication = publication
        texts = list.texts
        news = last.map { Self.news(of: kinds, from: $0.publication, to: publication) } ?? []
        past = last.map { $0.past + $0.news } ?? []
        isFirst = last == nil
        (self.text, self.list) = (text, list)
    }

    /// Whether it tells anything that the one before did not.
    var isNew: Bool { isFirst || !news.isEmpty }

    private static func news(of kinds: [LegalKind], from old: Publication, to new: Publication) -> [News] {
        kinds.flatMap { kind -> [News] in
            (new[kind] + old[kind]).languages.compactMap { language in
                let (before, now) = (old[kind].best(in: language), new[kind].best(in: language))
                return before == now ? nil : News(kind: kind, language: language, before: before, now: now)
            }
        }
    }

    func lines(width: Int) -> [Line] {
        let shown = text?.lines(width: width) ?? list.lines(width: width)
        // Elsewhere than on a screen, what was told before is there still.
        let told = width == .max ? news : (past + news).suffix(5)
        if width == .max, text == nil, !isFirst { return told.map { Line($0.words) } }
        return told.map { Line($0.words, .bold) } + (told.isEmpty ? [] : [""]) + shown
    }
}

extension [LegalText] {
    /// The text in this language and no other.
    fileprivate func best(in language: String) -> LegalText? { first { $0.language == language } }
}
