import Foundation
import TestSupport

/// The tree that the tests were built from.
enum Project {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// The text of a file of the tree.
    static func text(of name: String) throws -> String {
        try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    /// What a program of the project prints.
    static func output(of name: String, _ arguments: [String], input: String = "") throws -> String {
        let result = try RunningProcess(Products.path(name), arguments, environment: ["LANG": "C.UTF-8"], input: input).result()
        guard result.status == .exited(0), result.stderr.isEmpty else { throw TestFailure("\(name) \(arguments): \(result)") }
        return result.stdout
    }
}
