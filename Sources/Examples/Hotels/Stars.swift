import ExampleSupport

/// How ratings and marks are drawn.
struct Drawing: Sendable {
    private let star: String
    private let half: String
    private let none: String
    let favourite: String
    let gap: String

    /// - Parameter isASCII: whether no other characters are understood.
    init(isASCII: Bool) {
        (star, half, none, favourite, gap) = isASCII ? ("*", "+", ".", "!", ", ") : ("★", "½", "☆", "♥", " · ")
    }

    /// Five places, stars first. Half stars are shown, and what is between two of them is rounded down, so that no hotel
    /// shows more than it has, nor as many as a search asks for when that leaves it out.
    func stars(_ rating: Double) -> String {
        let halves = Int(rating * 2)
        let full = String(repeating: star, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return full + String(repeating: none, count: 5 - (halves + 1) / 2)
    }
}
