import Foundation
public import SettingsClient
package import SettingsCommand

/// What the daemon says is wrong with the settings, as far as the user has been told.
final class Problems {
    fileprivate(set) var sentences: [String] = []
    /// Those that nobody has been told of yet.
    fileprivate var untold: [String] = []
}

extension Invocation {
    /// What is wrong with the settings, as the daemon says it, and which names in their files are misspelt: what stands there is
    /// missing here.
    func problems(of status: ServiceStatus) -> [String] {
        status.problems + Misspellings.sentences(in: status.files, of: program.application)
    }

    /// Whether something is wrong with the settings, so that what seems to be missing may be there and unreadable.
    public var hasProblems: Bool { !problems.sentences.isEmpty }

    /// Keeps what is wrong with the settings, until the answer is there: a failure that says the same takes its place.
    func keep(_ now: [String]) { (problems.sentences, problems.untold) = (now, now) }

    /// Tells what is wrong with the settings and has not been told yet.
    ///
    /// - Parameter failure: what is told next; what it says itself is not told before.
    package func tellProblems(before failure: Failure? = nil) {
        let untold = problems.untold
        problems.untold = []
        for sentence in untold where failure.map({ sentence.isTold(in: $0.message) }) != true { remark(sentence) }
    }

    /// Tells what is wrong with the settings and has not been told yet, and when all of it was mended.
    func tell(_ now: [String], quietly: Bool = false) {
        let before = problems.sentences
        problems.sentences = now
        if quietly || now == before { return }
        for sentence in now where !before.contains(sentence) { remark(sentence) }
        if now.isEmpty { notice("nothing is wrong with the settings any more") }
    }
}

extension ApplicationClient {
    /// The settings that an administrator keeps as they are.
    public func lockedKeys() throws(ClientError) -> [String] {
        try describeAndWait().settings.filter(\.description.isLocked).map(\.key)
    }
}

extension String {
    /// Whether a message tells the same problem. The place may be another by now: the daemon writes a file again that was edited.
    fileprivate func isTold(in message: String) -> Bool {
        cause.split(whereSeparator: \.isNumber).allSatisfy { message.contains($0) }
    }

    /// What is wrong, without what follows from it: `FILE, line 4, column 12: zones takes an array, found the number 7`.
    fileprivate var cause: String {
        let end = zip(utf8.indices, utf8.indices.dropFirst()).first {
            utf8[$0] == UInt8(ascii: ";") && utf8[$1] == UInt8(ascii: " ")
        }
        return end.map { String(self[..<$0.0]) } ?? self
    }
}
