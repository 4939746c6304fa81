extension String {
    /// The text of a number as people write it: `120`, `0.5`; Swift's own is `120.0`.
    package init(written number: Double) {
        let text = number.description
        self = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension BinaryInteger {
    /// The number with what is counted: `1 item`, `2 items`.
    ///
    /// - Parameter noun: in the singular; its plural ends in s.
    package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }

    /// How many of something there may be, `at least 1, at most 3 items`; nil where any number may.
    ///
    /// - Parameter noun: in the singular; its plural ends in s.
    package static func range(_ least: Self?, _ most: Self?, of noun: String) -> String? {
        switch (least, most) {
        case (let least?, let most?) where least == most: "exactly \(most.counted(noun))"
        case (let least?, let most?): "at least \(least), at most \(most.counted(noun))"
        case (let least?, nil): "at least \(least.counted(noun))"
        case (nil, let most?): "at most \(most.counted(noun))"
        case (nil, nil): nil
        }
    }
}

extension Int {
    /// Says what is wrong with a count of something, or nil when nothing is.
    ///
    /// - Parameter noun: what is counted, in the singular.
    func fault(as noun: String, least: Int = 0, most: Int?) -> String? {
        if let most, self > most { return "it has \(counted(noun)); at most \(most) \(most == 1 ? "is" : "are") allowed" }
        if self < least { return "it has \(counted(noun)); at least \(least) \(least == 1 ? "is" : "are") needed" }
        return nil
    }
}
