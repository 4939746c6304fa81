import SettingsModel
import Testing

@testable import SettingsStore

/// What a hand has written into the document that the schema does not take.
@Suite struct RefusedValueTests {
    private static let settings = [
        Setting("zones", .list(ListRule(of: .string(StringRule()))), default: .strings([]), ""),
        Setting("servings", .integer(Bounds(maximum: 50)), default: .integer(2), ""),
        Setting("shown", .boolean, default: .boolean(false), ""),
    ]
    private static let actions = [
        ActionDeclaration("More", "", [.add(.key("servings"), .literal(.integer(1)))]),
        ActionDeclaration("Toggle", "", [.toggle(.key("shown"))]),
    ]
    private static let text = #"{"zones": ["UTC", 7], "servings": 999, "shown": "x"}"#

    private func bed() throws -> StoreBed {
        let bed = try StoreBed()
        bed.schema = Schema(application: "org.example.Clock", settings: Self.settings, actions: Self.actions)
        try bed.write(Self.text, to: bed.documentPath)
        try bed.open()
        return bed
    }

    private static let relative: [(Action, place: String)] = [
        (.insertValue("Asia/Tokyo", into: "zones"), "zones, item 2, takes a string, found the number 7"),
        (.removeValue("UTC", from: "zones"), "zones, item 2, takes a string, found the number 7"),
        (Action("More"), "servings"), (Action("Toggle"), "shown"),
    ]

    @Test(arguments: relative)
    func whatGoesByARefusedValueIsRefusedAndKeepsIt(_ action: Action, place: String) throws {
        let bed = try bed()
        // The positions are those of the document as it stands there now.
        bed.waitUntilReloaded()
        let before = try bed.documentText()
        guard case .failure(let refusal) = bed.submit([action]) else {
            Issue.record("\(action.name) was carried out")
            return
        }
        #expect(refusal.name == .invalidArgument)
        #expect(refusal.message.contains("\(bed.documentPath), line 1, column "))
        #expect(refusal.message.contains(place))
        #expect(refusal.message.contains("settingsctl -a org.example.Clock reset "))
        #expect(throws: refusal) { try bed.store.preview([action]) }
        #expect(try bed.documentText() == before)
        #expect(bed.store.document.values == [:])
    }

    @Test func otherKeysAndAWholeValueAreTaken() throws {
        let bed = try bed()
        let other = Action.setValues(["servings": .integer(3)])
        #expect(try bed.submit([other, Action("More")]).get().transaction?.change.values == ["servings": .integer(4)])
        bed.waitForDocument(containing: "7")
        _ = try bed.submit([.setValues(["zones": .strings(["UTC"])])]).get()
        _ = try bed.submit([.insertValue("Asia/Tokyo", into: "zones")]).get()
        #expect(try bed.store.resolve("zones").value == .strings(["UTC", "Asia/Tokyo"]))
    }

    @Test(arguments: [Action.resetValues(["zones", "servings", "shown"]), .resetAll])
    func aResetTakesARefusedValueOutForGood(_ reset: Action) throws {
        let bed = try bed()
        #expect(bed.store.problems.count == 3)
        let commit = try bed.submit([reset]).get()
        #expect(commit.transaction?.change.values == [:])
        bed.waitForDocument(containing: "\"revision\": \(bed.store.document.revision)")
        bed.wait(for: "the document without it") { try !bed.documentText().contains("999") }
        bed.waitUntilReloaded()
        #expect(try !bed.documentText().contains("999"))
        #expect(bed.store.problems == [])
        try bed.reopen()
        bed.waitUntilReloaded()
        #expect(bed.store.problems == [])
        #expect(try !bed.documentText().contains("999"))
        #expect(try bed.submit([reset]).get().transaction == nil)
    }

    @Test(arguments: [Action.setValues(["servings": .integer(5)]), .resetValues(["servings"]), .resetAll])
    func theProblemGoesWithTheAnswerAndNotWithTheDocument(_ action: Action) throws {
        let bed = try bed()
        bed.waitUntilReloaded()
        // The document follows this one at once, and the next one later.
        _ = try bed.submit([.setValues(["shown": .boolean(true)])]).get()
        #expect(bed.store.problems.count == 2)
        _ = try bed.submit([action]).get()
        #expect(!bed.store.problems.contains { $0.contains("servings") }, "\(bed.store.problems)")
        #expect(bed.store.problems.count == (action.name == "ResetAll" ? 0 : 1))
        bed.waitForDocument(containing: "\"revision\": \(bed.store.document.revision)")
        bed.waitUntilReloaded()
        #expect(bed.store.problems.count == (action.name == "ResetAll" ? 0 : 1))
    }

    @Test(arguments: [#"{"servings": null}"#, #"{"servings": 5}"#])
    func aDocumentThatLagsDoesNotBringItBack(_ after: String) throws {
        // The request is in the journal, the document had no time to follow.
        let bed = try StoreBed()
        bed.schema = Schema(application: "org.example.Clock", settings: Self.settings)
        let checkpoint = #"{"format": 1, "revision": 1, "values": {}, "unknown": {"servings": 999}, "document": 1}"#
        let change =
            #"{"revision": 2, "origin": "bus", "actions": [], "before": {"servings": null}, "after": \#(after), "document": 1}"#
        try bed.write(checkpoint + "\n" + change + "\n", to: bed.journalPath)
        try bed.write(#"{"format": 1, "revision": 1, "servings": 999}"#, to: bed.documentPath)
        try bed.open()
        bed.waitForDocument(containing: "\"revision\": \(bed.store.document.revision)")
        bed.wait(for: "the document without it") { try !bed.documentText().contains("999") }
        bed.waitUntilReloaded()
        #expect(bed.store.problems == [])
        #expect(try !bed.documentText().contains("999"))
        #expect(bed.store.document.revision == 2)
    }

    @Test(arguments: [#""servings": 5"#, #""servings": 999"#])
    func aLockRefusesTheResetOfAnyValue(_ value: String) throws {
        let bed = try bed()
        try bed.write("{\(value)}", to: bed.documentPath)
        bed.waitUntilReloaded()
        try bed.write(#"{"servings": 4, "locked": ["servings"]}"#, to: bed.adminPath)
        bed.waitUntilReloaded()
        guard case .failure(let refusal) = bed.submit([.resetValues(["servings"])]) else {
            Issue.record("The reset was carried out")
            return
        }
        #expect(refusal.name == .locked)
        #expect(try bed.submit([.resetAll]).get().transaction == nil)
    }
}
