import EventLoop
import Foundation
import SettingsModel
import Testing

@testable import SettingsStore

@Suite struct CommitTests {
    @Test func changesThatTakeLongToRefuseDoNotHoldTheLoopAllAtOnce() throws {
        let bed = try StoreBed()
        try bed.open()
        let long = Action("UpdateProfile", ["name": .string(String(repeating: "x", count: 60_000))])
        var order: [String] = []
        for _ in 0..<200 {
            bed.store.submit(Request(actions: [long], application: "test")) { result in
                if order.isEmpty { bed.loop.afterTurn { order.append("another") } }
                order.append((try? result.get()) == nil ? "refused" : "stored")
            }
        }
        bed.wait(for: "all answers") { order.count == 201 }
        #expect(order.filter { $0 == "refused" }.count == 200)
        #expect(order.last == "refused", "Another one's turn comes between the first and the last.")
    }

    @Test func theFirstSetEverIsInTheJournalWhenItIsAnswered() throws {
        let bed = try StoreBed()
        try bed.open()
        #expect(try bed.fileNames() == [], "Opening alone writes nothing.")
        let commit = try bed.set("profile.name", "Ada")
        #expect(commit.revision == 1)
        let lines = try bed.journalLines()
        #expect(lines.count == 2)
        #expect(
            lines.first
                == #"{"format":1,"revision":0,"values":{},"unknown":{},"document":null,"watched":{"provider.id":"none"}}"#)
        #expect(lines.last?.hasPrefix(#"{"revision":1,"time":"#) == true)
        #expect(
            lines.last?.hasSuffix(
                #""origin":"bus","application":"test","actions":[{"name":"SetValues","arguments":{"values":{"profile.name":"Ada"}}}],"#
                    + #""values":{"profile.name":"Ada"},"previous":{"profile.name":""},"#
                    + #""before":{"profile.name":null},"after":{"profile.name":"Ada"},"document":0}"#) == true)
        #expect(bed.commits.map(\.commit) == [commit])
    }

    @Test func theDocumentFollowsInNormalForm() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("provider", "spotify")
        try bed.set("profile.name", "Ada")
        bed.close()
        #expect(
            try bed.documentText() == """
                {
                  "format": 1,
                  "revision": 2,
                  "profile": {
                    "name": "Ada"
                  },
                  "provider": {
                    "id": "spotify"
                  }
                }

                """)
        for path in [bed.documentPath, bed.journalPath] {
            #expect(try bed.permissions(path) == 0o600)
            #expect(try bed.permissions((path as NSString).deletingLastPathComponent) == 0o700)
        }
        #expect(try bed.fileNames().filter { $0.hasSuffix(".new") } == [])
    }

    @Test func valuesAndHistorySurviveARestart() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        try bed.set("profile.name", "Grace")
        try bed.set("profile.email", "g@example.org")
        try bed.reopen()
        #expect(try bed.value("profile.name") == "Grace")
        #expect(bed.store.document.revision == 3)
        #expect(bed.store.changes(since: 0).changes.map(\.revision) == [1, 2, 3])
        #expect(bed.store.changes(since: 1).changes.first?.previous == ["profile.name": "Ada"])
        _ = try bed.submit([Action("Undo")]).get()
        _ = try bed.submit([Action("Undo")]).get()
        #expect(try bed.value("profile.name") == "Ada")
        try bed.reopen()
        _ = try bed.submit([Action("Redo")]).get()
        #expect(try bed.value("profile.name") == "Grace")
        #expect(bed.store.document.revision == 6)
        #expect(bed.store.problems == [])
    }

    @Test func steadyChangesNeverLeaveTheDocumentMoreThanASecondBehind() throws {
        let bed = try StoreBed()
        try bed.open()
        var due: [(text: String, deadline: ContinuousClock.Instant)] = []
        for number in 1...60 {
            try bed.set("profile.name", "name \(number)")
            due.append(("\"revision\": \(number),", .now + .seconds(1)))
            var isTime = false
            bed.loop.schedule(after: .milliseconds(30)) { isTime = true }
            bed.loop.run(until: { isTime })
            let document = bed.exists(bed.documentPath) ? try bed.documentText() : ""
            let written = due.lastIndex { document.contains($0.text) } ?? -1
            due.removeFirst(written + 1)
            if let late = due.first, late.deadline < .now { Issue.record("\(late.text) is not written.") }
        }
    }

    @Test func anUndoInABatchGoesByWhatComesBeforeIt() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        var values: [String?] = []
        let actions = [Action("SetValues", ["values": .record(["profile.name": "Grace"])]), Action("Undo"), Action("Undo")]
        for action in actions {
            bed.store.submit(Request(actions: [action])) { result in
                values.append((try? result.get())?.transaction?.change.values["profile.name"]?.string)
            }
        }
        bed.wait(for: "every answer") { values.count == 3 }
        #expect(values == ["Grace", "Ada", ""])
        #expect(bed.store.document.revision == 4)
    }

    @Test func aNoOpNeitherWritesNorTells() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitForDocument(containing: "Ada")
        let journal = try bed.text(bed.journalPath)
        var answered = false
        bed.store.submit(Request(actions: [Action("SetValues", ["values": .record(["profile.name": "Ada"])])])) {
            #expect($0.map(\.revision) == .success(1))
            answered = true
        }
        bed.wait(for: "the answer") { answered }
        #expect(bed.commits.count == 1)
        #expect(try bed.text(bed.journalPath) == journal)
    }

    @Test func aConflictRefusesANoOpTooAndNamesBothRevisions() throws {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("profile.name", "Ada")
        let error = #expect(throws: SettingsError.self) { try bed.set("profile.name", "Ada", expecting: 7) }
        #expect(error?.name == .conflict)
        #expect(error?.message.contains("revision 7") == true)
        #expect(error?.message.contains("current one is 1") == true)
    }

    @Test func whatComesDuringAFlushSharesTheNextOneInOrder() throws {
        let bed = try StoreBed()
        try bed.open()
        var revisions: [UInt64] = []
        // Who shares a flush is answered before any is told of.
        var flushes = 0
        var isTelling = true
        let tell = bed.store.onCommit
        bed.store.onCommit = {
            isTelling = true
            tell?($0, $1)
        }
        for number in 1...500 {
            bed.store.submit(Request(actions: [Action("SetValues", ["values": .record(["profile.name": .string("\(number)")])])]))
            {
                if case .success(let commit) = $0 { revisions.append(commit.revision) }
                if isTelling { flushes += 1 }
                isTelling = false
            }
        }
        bed.wait(for: "every answer") { revisions.count == 500 }
        #expect(flushes < 100)
        #expect(revisions == Array(1...500))
        #expect(bed.commits.map(\.commit.revision) == Array(1...500))
        #expect(try bed.journalLines().count == 501)
    }

    @Test func allWhoseChangesShareAFlushAreAnsweredBeforeAnyIsAnnounced() throws {
        let bed = try StoreBed()
        try bed.open()
        var order: [String] = []
        bed.store.onCommit = { commit, _ in
            order.append("told " + (commit.transaction.map { "\($0.change.revision)" } ?? commit.actions.map(\.name).joined()))
        }
        let requests = [
            Action("UpdateProfile", ["name": "Ada"]), Action("SetSupportLink", ["link": "help", "url": "https://example.org/"]),
            Action("OpenSupportLink", ["link": "help"]), Action("UpdateProfile", ["name": "Ada"]),
            Action("UpdateProfile", ["name": "Grace"]),
        ]
        for (number, action) in requests.enumerated() {
            bed.store.submit(Request(actions: [action])) { _ in order.append("answer \(number)") }
        }
        bed.store.reload { order.append("reloaded") }
        bed.wait(for: "everything") { order.count == 10 }
        #expect(
            order.filter { $0 != "reloaded" } == (0..<5).map { "answer \($0)" } + [
                "told 1", "told 2", "told OpenSupportLink", "told 3",
            ])
    }

    /// What waits is worked on before what is durable is announced, and may be done at once.
    @Test(arguments: ["SelectProvider", "OpenSupportLink"]) func whatWaitsIsNotAnnouncedBeforeWhatItFollows(action: String) throws
    {
        let bed = try StoreBed()
        try bed.open()
        try bed.set("support.help", "https://example.org/")
        bed.waitUntilIdle()
        var order: [String] = []
        bed.store.onCommit = { commit, _ in
            order.append("told \(commit.actions.map(\.name).joined())")
            #expect(bed.store.queue.isEmpty, "What waits is on its way.")
        }
        func submit(_ name: String, _ arguments: [String: SettingValue]) {
            bed.store.submit(Request(actions: [Action(name, arguments)])) { _ in order.append("answered \(name)") }
        }
        submit("UpdateProfile", ["name": "Ada"])
        bed.wait(for: "the first one's flush") { bed.store.isBusy }
        submit(action, action == "SelectProvider" ? ["provider": "spotify"] : ["link": "help"])
        bed.wait(for: "everything") { order.count == 4 }
        #expect(order == ["answered UpdateProfile", "told UpdateProfile", "answered \(action)", "told \(action)"])
    }

    @Test func anAppendWithAnExpectedRevisionIsDecidedInTheBatch() throws {
        let bed = try StoreBed()
        try bed.open()
        var results: [Result<UInt64, SettingsError>] = []
        for name in ["Ada", "Grace"] {
            let request = Request(
                actions: [Action("SetValues", ["values": .record(["profile.name": .string(name)])])], expectedRevision: 0)
            bed.store.submit(request) { results.append($0.map(\.revision)) }
        }
        bed.wait(for: "both answers") { results.count == 2 }
        #expect(results.first == .success(1))
        guard case .failure(let error) = results.last else { return #expect(Bool(false), "The second must be refused.") }
        #expect(error.name == .conflict)
    }
}
