import Foundation

/// What a helper of the tests could not bring about; its text holds the logs of whoever should have done it.
public struct TestFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Returns as soon as the condition holds, which it looks at often.
///
/// - Parameters:
///   - limit: generous, since only a failure uses it up.
///   - what: what is waited for, for the failure's text.
/// - Throws: `TestFailure` when time has run out.
public func within(
    _ limit: Duration = .seconds(20), _ what: String, _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + limit
    var pause: UInt32 = 500
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TestFailure("Not within \(limit): \(what).") }
        usleep(pause)
        pause = min(pause * 2, 10_000)
    }
}
