import Foundation
import Testing

/// The documentation shows programs as they are in Sources/Examples, where the tests run them.
@Suite struct TourTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The programs between fences in a page, without the fences.
    private func programs(_ page: String, _ language: String) throws -> [String] {
        try text(page).components(separatedBy: "\n```\(language)\n").dropFirst().map { rest in
            String(rest[..<(rest.range(of: "```")?.lowerBound ?? rest.endIndex)])
        }
    }

    private func examples(_ names: [String]) throws -> [String] {
        try names.map { try text("Sources/Examples/\($0)") }
    }

    @Test func theTourShowsTheExamples() throws {
        let tour = "Sources/SettingsClient/SettingsClient.docc/Tour.md"
        #expect(
            try programs(tour, "swift")
                == examples(["Hello", "Follow", "Rename", "Panel", "Label", "Bar"].map { "\($0)/main.swift" }))
        #expect(try programs(tour, "python") == examples(["Python/window_gtk.py", "Python/window_qt.py"]))
    }

    @Test func theArticleOnApplicationsShowsItsExample() throws {
        let article = "Sources/SettingsClient/SettingsClient.docc/Applications.md"
        #expect(try programs(article, "swift") == examples(["Zones/main.swift"]))
        #expect(try programs(article, "python") == examples(["Python/clock_gtk.py"]))
    }

    @Test func theReadmeShowsTheExamples() throws {
        #expect(try programs("README.md", "swift") == examples(["Hello/main.swift"]))
        #expect(try programs("README.md", "python") == examples(["Python/follow.py"]))
    }
}
