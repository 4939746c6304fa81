extension BinaryInteger {
    /// The number with what is counted: `1 item`, `2 items`.
    ///
    /// - Parameter noun: in the singular; its plural ends in s.
    package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
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
