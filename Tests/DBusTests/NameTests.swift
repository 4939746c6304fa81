import CDBus
import DBus
import TestSupport
import Testing

struct NameTests {
    @Test(arguments: [":1.42", "org.example.Test1", "a.b", "a-b.c-d", "_a._b", ":1.2.3"])
    func validBusNamesAreTaken(name: String) {
        #expect(BusName(name)?.rawValue == name)
    }

    @Test(arguments: ["", ".", ":", "a", ".a.b", "a..b", "a.b.", "1a.b", "a.1b", "a.b\0", "a b.c", "ä.b", ":1.", "a.b/c"])
    func invalidBusNamesAreRefused(name: String) {
        #expect(BusName(name) == nil)
    }

    @Test func namesOfMoreThan255BytesAreRefused() {
        let longest = "a." + String(repeating: "b", count: 253)
        #expect(BusName(longest) != nil && InterfaceName(longest) != nil && ErrorName(longest) != nil)
        #expect(BusName(longest + "b") == nil && InterfaceName(longest + "b") == nil)
        #expect(MemberName(String(repeating: "m", count: 255)) != nil)
        #expect(MemberName(String(repeating: "m", count: 256)) == nil)
    }

    @Test(arguments: ["", "1a", "a.b", "a-b", "a b", "é", "a\0"]) func invalidMembersAreRefused(name: String) {
        #expect(MemberName(name) == nil)
    }

    @Test(arguments: ["", "a", "a/b", "//", "/a/", "/a//b", "/a-b", "/a.b", "/ä", "/a\0"])
    func invalidPathsAreRefused(path: String) {
        #expect(ObjectPath(path) == nil)
    }

    /// Whatever these types accept, libdbus must accept too, for it ends the process otherwise.
    @Test func theTypesAgreeWithLibdbus() throws {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array("abZ019_-.:/ é(){}savyxht".unicodeScalars)
        var disagreements: [String] = []
        for _ in 0..<20_000 {
            var text = String()
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                text.unicodeScalars.append(try #require(alphabet.randomElement(using: &random)))
            }
            let agrees =
                (InterfaceName(text) != nil) == (dbus_validate_interface(text, nil) != 0)
                && (ErrorName(text) != nil) == (dbus_validate_error_name(text, nil) != 0)
                && (MemberName(text) != nil) == (dbus_validate_member(text, nil) != 0)
                && (ObjectPath(text) != nil) == (dbus_validate_path(text, nil) != 0)
                && ((try? Signature(text)) != nil) == (dbus_signature_validate(text, nil) != 0)
                // libdbus also takes unique names without a dot, which no bus gives out.
                && (BusName(text) == nil || dbus_validate_bus_name(text, nil) != 0)
            if !agrees { disagreements.append(text) }
        }
        #expect(disagreements == [])
    }

    @Test func aPathForAnyTextIsThatOfSystemd() {
        let apps: ObjectPath = "/org/settingsd/Settings1/apps"
        // From sd_bus_path_encode(3) and its rules.
        #expect(ObjectPath.root.appending(encoded: "foo.bar").rawValue == "/foo_2ebar")
        #expect(apps.appending(encoded: "org.gnome.Clocks").rawValue == "\(apps)/org_2egnome_2eClocks")
        #expect(apps.appending(encoded: "").rawValue == "\(apps)/_")
        #expect(apps.appending(encoded: "7zip").rawValue == "\(apps)/_37zip")
        #expect(apps.appending(encoded: "a_b-1").rawValue == "\(apps)/a_5fb_2d1")
        #expect(apps.appending(encoded: "é\n").rawValue == "\(apps)/_c3_a9_0a")
    }

    @Test func theTextOfAnEncodedPathIsFoundAgain() throws {
        let apps: ObjectPath = "/org/settingsd/Settings1/apps"
        for text in ["org.gnome.Clocks", "", "_", "7zip", "a_b-1", "é\n", "\0", "/"] {
            #expect(apps.encodedText(of: apps.appending(encoded: text)) == text)
        }
        #expect(ObjectPath.root.encodedText(of: "/foo_2ebar") == "foo.bar")
        // Neither elsewhere nor spelt as nobody spells it: with capitals, half an escape, one that is not needed, no UTF-8.
        for path in [
            "\(apps)", "/org/settingsd/a", "\(apps)/a/b", "\(apps)/a_2Eb", "\(apps)/a_2", "\(apps)/a_62", "\(apps)/_ff", "/",
        ] {
            #expect(apps.encodedText(of: try #require(ObjectPath(path))) == nil, "\(path)")
        }
    }

    @Test func theChildrenOfAPathAreTheNextElementsBelowIt() {
        let paths: [ObjectPath] = ["/org/a/One", "/org/a/Two", "/org/ab", "/org/a"]
        #expect(ObjectPath.children(of: "/", among: paths) == ["org"])
        #expect(ObjectPath.children(of: "/org", among: paths) == ["a", "ab"])
        #expect(ObjectPath.children(of: "/org/a", among: paths) == ["One", "Two"])
        #expect(ObjectPath.children(of: "/org/a/One", among: paths) == [])
        #expect(ObjectPath("/org/a/One").parent == "/org/a")
        #expect(ObjectPath("/org").parent == .root)
        #expect(ObjectPath.root.parent == nil)
    }

    @Test func aSignatureKnowsItsCompleteTypes() throws {
        #expect(Signature("sa{sv}(ia(ss))aav").elements == ["s", "a{sv}", "(ia(ss))", "aav"])
        let types: [Signature] = ["", "a{sv}", "ss"]
        #expect(types.map(\.elements.count) == [0, 1, 2])
        #expect(types.map(\.isSingle) == [false, true, false])
        #expect(throws: BusError.self) { try Signature(String(repeating: "a", count: 33) + "y") }
        #expect(throws: BusError.self) { try Signature(String(repeating: "y", count: 256)) }
        #expect(try Signature(String(repeating: "a", count: 32) + "y").isSingle)
    }
}
