import SettingsModel
import Testing

@Suite struct EmailRuleTests {
    @Test(arguments: [
        "", "ada@example.org", "a+b@example.org", "x@exämple.de", "x@example.photography", "x@localhost", "x@xn--exmple-cua.de",
        "first.last@sub.example.co.uk", "o'brien@example.org", "!#$%&'*+-/=?^_`{|}~@example.org", "é@example.org", "用户@例子.公司",
        "x@1.example", "1@2", "x@a-b.c", "x@1.2.3", "x@1.2.3.4.example", "X@EXAMPLE.ORG",
        "x@" + String(repeating: "a", count: 63) + ".de",
    ])
    func anAddressIsStoredExactly(_ address: String) throws {
        let outcome = try Fixture(["profile.email": "before@example.org"]).outcome(
            .setValues(["profile.email": .string(address)]))
        #expect(outcome.edits == [Edit(key: "profile.email", before: "before@example.org", after: .string(address))])
    }

    @Test(arguments: [
        ("x@", "nothing follows the @"), ("@y", "nothing stands before the @"), ("@", "nothing stands before the @"),
        ("a b@c.de", "U+0020 SPACE is not allowed"), ("x@y@z", "only one @"), ("x", "has an @"), (" ", "U+0020 SPACE"),
        (".x@y.de", "a dot before the @"), ("x.@y.de", "a dot before the @"), ("x..z@y.de", "a dot before the @"),
        ("\"a b\"@c.de", "U+0020 SPACE"), ("\"a\"@c.de", "U+0022 QUOTATION MARK is not allowed before the @"),
        ("a,b@c.de", "U+002C COMMA is not allowed before the @"), ("<a@c.de>", "U+003C LESS-THAN SIGN"),
        ("a(c)@d.de", "U+0028 LEFT PARENTHESIS"), ("a\\b@c.de", "U+005C REVERSE SOLIDUS"), ("a:b@c.de", "U+003A COLON"),
        ("x@.de", "an empty part"), ("x@y..de", "an empty part"), ("x@y.de.", "an empty part"), ("x@.", "an empty part"),
        ("x@-y.de", "begins or ends with a hyphen"), ("x@y-.de", "begins or ends with a hyphen"),
        ("x@y_z.de", "U+005F LOW LINE is not allowed in the domain"),
        ("x@[127.0.0.1]", "U+005B LEFT SQUARE BRACKET is not allowed"),
        ("x@[IPv6:::1]", "U+005B LEFT SQUARE BRACKET is not allowed"), ("x@127.0.0.1", "an address of numbers"),
        ("x@y.de\n", "U+000A"), ("x\u{0}@y.de", "U+0000"), ("x@y\u{202E}.de", "U+202E"),
        ("x\u{3000}@y.de", "U+3000 IDEOGRAPHIC SPACE"),
        ("x@y.d\u{2028}e", "U+2028 LINE SEPARATOR"), ("x@" + String(repeating: "a", count: 64) + ".de", "more than 63"),
        ("mailto:x@y.de", "U+003A COLON"), ("x@y.de?subject=z", "U+003F QUESTION MARK is not allowed in the domain"),
    ])
    func whatIsNoAddressIsRefusedWithTheReason(_ address: String, _ reason: String) throws {
        let message = try #require(fault("profile.email", address))
        #expect(message.hasPrefix("profile.email: \(address.quoted()) is refused: "))
        #expect(message.contains(reason), "\(message)")
    }

    /// Swift's characters would join a mark to the sign before it and hide the sign.
    @Test(arguments: [
        ("x@\u{301}y@z", "only one @"), (".\u{301}x@y.de", "a dot before the @"), ("x..\u{301}z@y.de", "a dot before the @"),
        ("x@-\u{301}y.de", "begins or ends with a hyphen"), ("x@y..\u{301}de", "an empty part"),
        ("x@y_\u{301}.de", "U+005F LOW LINE"),
    ])
    func aCombiningMarkHidesNoSign(_ address: String, _ reason: String) {
        let message = fault("profile.email", address)
        #expect(message?.contains(reason) == true, "\(message ?? "accepted")")
    }

    @Test func anAddressHasAtMost254Bytes() {
        let domain = "@" + Array(repeating: String(repeating: "d", count: 60), count: 3).joined(separator: ".")
        let longest = String(repeating: "l", count: 254 - domain.utf8.count) + domain
        #expect(fault("profile.email", longest) == nil)
        #expect(fault("profile.email", "l" + longest)?.contains("it has 255 bytes; an e-mail address has at most 254") == true)
        let bytes = String(repeating: "é", count: 127 - 10) + "@" + String(repeating: "d", count: 20)
        #expect(fault("profile.email", bytes)?.contains("it has 255 bytes") == true)
    }
}
