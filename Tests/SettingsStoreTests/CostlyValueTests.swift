import SettingsModel
import Testing

@testable import SettingsStore

/// A document with more values than can be checked in the time that there is.
@Suite struct CostlyValueTests {
    /// Takes 20,000 steps for a long text.
    private static let pattern = Pattern(source: "costly") { text, limit in
        let steps = text.utf8.count > 4 ? 20_000 : 10
        if steps >= limit { return (.undecided("no end"), limit) }
        return (text.hasPrefix("good") ? .matches : .differs, steps)
    }

    private static let schema = Schema(
        application: "org.example.Patterns",
        settings: (0..<500).map { Setting("text.n\($0)", .string(StringRule(pattern: pattern)), default: "good", "") })

    private func text(_ values: (Int) -> String) -> String {
        #"{"text": {"# + (0..<500).map { #""n\#($0)": "\#(values($0))""# }.joined(separator: ",") + "}}"
    }

    private func bed(_ text: String) throws -> StoreBed {
        let bed = try StoreBed()
        bed.schema = Self.schema
        try bed.write(text, to: bed.documentPath)
        try bed.open()
        return bed
    }

    @Test func whatCannotBeCheckedIsAProblemAndStays() throws {
        let text = text { $0 < 450 ? "bad value" : $0 < 499 ? "good value" : "good" }
        let bed = try bed(text)
        let problems = bed.store.problems
        #expect(problems.count == 499)
        #expect(problems[0].contains("does not match the pattern"), "\(problems[0])")
        #expect(problems[460].contains("too many steps are taken for the values of this file"), "\(problems[460])")
        #expect(problems[460].contains("line 1, column "))
        #expect(bed.store.document.values == ["text.n499": "good"])
        bed.waitUntilReloaded()
        #expect(try bed.documentText().contains(#""n460": "good value""#))
    }

    @Test func whatMatchesIsTakenWhateverItCosts() throws {
        let bed = try bed(text { _ in "good value" })
        #expect(bed.store.problems == [])
        #expect(bed.store.document.values.count == 500)
        // The journal has it, too.
        try bed.reopen()
        #expect(bed.store.document.values.count == 500)
    }
}
