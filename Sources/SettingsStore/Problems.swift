/// What is wrong now, by where it came up, so that each part withdraws its own when all is well again.
struct Problems {
    enum Area: Int, CaseIterable {
        case document
        case access
        case journal
        case lag
        case storage
        case others
        case layers
    }

    private var sentences: [Area: [String]] = [:]

    subscript(area: Area) -> [String] {
        get { sentences[area] ?? [] }
        set { sentences[area] = newValue.isEmpty ? nil : newValue }
    }

    var all: [String] { Area.allCases.flatMap { self[$0] } }
}
