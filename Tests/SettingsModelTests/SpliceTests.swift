import Testing

@testable import SettingsModel

/// What is kept of changes of long lists.
@Suite struct SpliceTests {
    private static func list(_ numbers: [Int]) -> SettingValue {
        .list(element: .integer, numbers.map { .integer(Int64($0)) })
    }

    @Test func aSpliceLeadsFromOneListToTheOtherAndBack() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let old = (0..<Int.random(in: 0...8)).map { _ in SettingValue.integer(Int64.random(in: 0...2, using: &random)) }
            var new = old
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0...new.count, using: &random)
                if Bool.random(using: &random) || place == new.count {
                    new.insert(.integer(Int64.random(in: 0...2, using: &random)), at: place)
                } else {
                    new.remove(at: place)
                }
            }
            let splice = Splice(from: old, to: new)
            try #require(splice.applied(to: old) == new, "\(old) → \(new)")
            try #require(splice.inverse.applied(to: new) == old, "\(old) → \(new)")
        }
    }

    @Test func aSpliceThatDoesNotFitIsNotMade() {
        let splice = Splice(count: 3, place: 1, removed: [.integer(1)], inserted: [])
        #expect(splice.applied(to: [.integer(0), .integer(1), .integer(2)]) == [.integer(0), .integer(2)])
        #expect(splice.applied(to: [.integer(0), .integer(2), .integer(2)]) == nil)
        #expect(splice.applied(to: [.integer(0), .integer(1)]) == nil)
        for (count, place) in [(3, 3), (3, -1), (0, 0), (3, .max), (-1, 0)] {
            let odd = Splice(count: count, place: place, removed: [.integer(1)], inserted: [])
            #expect(odd.applied(to: Array(repeating: .integer(1), count: max(0, count))) == nil, "\(count), \(place)")
        }
    }

    private static func transaction(_ before: SettingValue?, _ after: SettingValue?, effective: SettingValue? = nil)
        -> Transaction
    {
        let change = SettingsChange(
            revision: 1, values: ["list": effective ?? after ?? list([])], previous: ["list": before ?? list([])],
            actions: ["SetValues"], origin: .bus, application: "", time: 0)
        return Transaction(change: change, edits: [Edit(key: "list", before: before, after: after)])
    }

    @Test func ofALongListOnlyTheDifferenceIsKept() throws {
        let old = Array(0..<1000)
        let whole = Self.transaction(Self.list(old), Self.list(Array(old[..<500]) + [-1] + Array(old[500...])))
        let kept = KeptTransaction(whole)
        #expect(kept.change.values == [:] && kept.change.previous == [:])
        guard case .splice("list", .integer, let splice)? = kept.edits.first else {
            Issue.record("It is kept whole.")
            return
        }
        #expect(splice == Splice(count: 1000, place: 500, removed: [], inserted: [.integer(-1)]))
        #expect(kept.whole(from: ["list": Self.list(old)]) == whole)
        // What follows a line that is lost.
        #expect(kept.whole(from: [:]).edits == [])
    }

    @Test func whatIsShortOrDifferentAsAWholeIsKeptWhole() {
        let old = Array(0..<1000)
        for transaction in [
            Self.transaction(Self.list(Array(0..<10)), Self.list(Array(0..<11))),
            Self.transaction(Self.list(old), Self.list(old.reversed())),
            Self.transaction(nil, Self.list(old)), Self.transaction(Self.list(old), nil),
            Self.transaction(Self.list(old), Self.list(old + [1]), effective: Self.list([])),
        ] {
            let kept = KeptTransaction(transaction)
            #expect(kept.change == transaction.change)
            #expect(kept.edits == transaction.edits.map(KeptEdit.whole))
        }
    }

    @Test func undoAndRedoGoOverManyChangesOfALongList() throws {
        var history = History()
        var values = ["list": Self.list(Array(0..<1000))]
        var states = [values]
        for number in 0..<50 {
            guard case .list(_, var items)? = values["list"] else { return }
            if number.isMultiple(of: 3) { items.remove(at: number) } else { items.insert(.integer(-1), at: number * 7) }
            let transaction = Self.transaction(values["list"], .list(element: .integer, items))
            history.record(KeptTransaction(transaction), from: values)
            values["list"] = .list(element: .integer, items)
            states.append(values)
        }
        func step(_ name: String, _ step: History.Step?) throws {
            let edits = try #require(step?.edits)
            var transaction = Self.transaction(values["list"], edits[0].after)
            transaction.change.actions = [name]
            history.record(KeptTransaction(transaction), from: values)
            values["list"] = edits[0].after
        }
        for state in states.dropLast().reversed() {
            try step("Undo", history.undo(from: values))
            try #require(values == state)
        }
        #expect(history.undo(from: values) == nil)
        for state in states.dropFirst() {
            try step("Redo", history.redo(from: values))
            try #require(values == state)
        }
    }

    @Test func aLongListIsCheckedWhereItIsDifferentAlone() throws {
        let rule = ValueRule.list(ListRule(of: .integer(Bounds(maximum: 5000)), maximumCount: 1001, isUnique: true))
        let setting = Setting("list", rule, default: Self.list([]), "A list")
        let current = Self.list(Array(0..<1000))
        let items = try #require(current.items)
        func refusal(_ items: [SettingValue]) -> String? {
            do throws(SettingsError) {
                try setting.check(.list(element: .integer, items), current: current)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(refusal(items) == nil)
        #expect(refusal(items + [.integer(1000)]) == nil)
        #expect(refusal(items + [.integer(5001)])?.contains("item 1001: 5001 is refused") == true)
        #expect(refusal(items + [.integer(7)])?.contains("item 1001 is the same as item 8") == true)
        #expect(refusal([.integer(7)] + items)?.contains("item 9 is the same as item 1") == true)
        #expect(refusal(items + [.integer(1001), .integer(1002)])?.contains("at most 1001") == true)
        #expect(refusal([.integer(-1)] + items.dropFirst(2) + [.integer(-1)])?.contains("is the same as item 1") == true)
    }
}
