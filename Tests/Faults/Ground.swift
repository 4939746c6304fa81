import Foundation
import TestSupport
import Testing

/// What the files are before a fault strikes.
enum Ground: CaseIterable, CustomTestStringConvertible, Sendable {
    /// A home without any of the folders.
    case nothing
    case aCommit
    /// A journal whose last line a kill has torn; what is left of it is longer than the next line.
    case aTornLine
    /// A document that a kill has kept from following the journal.
    case aLaggingDocument
    /// A journal that the next commit brings over its limit, so that it is written anew.
    case aLongJournal

    /// Those that change what a commit does.
    static let beforeCommits: [Ground] = [.nothing, .aCommit, .aTornLine, .aLongJournal]

    var testDescription: String { "\(self)" }

    struct Made {
        let files: [String: Data]
        /// What they say.
        let snapshot: Snapshot
    }

    func make(in bed: FaultBed) throws -> Made {
        try bed.reset()
        if self == .nothing { return Made(files: [:], snapshot: Snapshot(revision: 0, values: [:])) }
        try bed.start()
        try bed.client.set(["profile.name": "Ada", "provider.id": "mpd"])
        if self == .aLongJournal {
            var answers = 0
            for number in 2...1250 {
                try bed.client.send(["profile.name": "Ada \(number)"]) { _ in answers += 1 }
            }
            try bed.client.wait("all answers") { answers == 1249 }
        }
        var snapshot = try bed.client.snapshot()
        try bed.waitForDocument(snapshot)
        var files = bed.files()
        if self == .aTornLine {
            let torn = #"{"revision":2,"time":17,"application":""# + String(repeating: "x", count: 2000)
            files[TestSession.journal]?.append(Data(torn.utf8))
        }
        if self == .aLaggingDocument {
            let document = files[TestSession.document]
            try bed.client.set(["profile.name": "Ada Lovelace", "support.help": "mailto:help@example.org"])
            snapshot = try bed.client.snapshot()
            files = bed.files()
            files[TestSession.document] = document
        }
        try bed.kill()
        return Made(files: files, snapshot: snapshot)
    }
}
