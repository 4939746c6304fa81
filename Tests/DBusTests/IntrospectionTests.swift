import DBus
import EventLoop
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite(.logsOnFailure)
struct IntrospectionTests {
    private static let interface = Interface(
        name: "org.example.Documented1",
        summary: "Shows what a person reads -- even <this> & \"that\" \u{1B}[1m --- to the end-",
        methods: [
            Interface.Method(
                "Write", inputs: [Interface.Argument("values", "a{sv}", "New values by key.")],
                outputs: [Interface.Argument("revision", "t", "The revision they made.")],
                summary: Array(repeating: "Sets each key, all or none of them.", count: 6).joined(separator: " "),
                errors: ["org.example.Error.Locked", "org.example.Error.UnknownKey"]),
            Interface.Method("Reload"),
        ],
        signals: [Interface.Signal("Changed", arguments: [Interface.Argument("\"<&>\"", "t")])],
        properties: [
            Interface.Property("Revision", "t", changes: .silent), Interface.Property("Name", "s", access: .readWrite),
            Interface.Property("Version", "s", changes: .constant),
            Interface.Property("Cache", "s", changes: .invalidates),
        ])

    /// What an XML parser finds: elements with their attributes, and comments.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [String] = []
        var comments: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            let list = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            elements.append(name + list.joined())
        }

        func parser(_ parser: XMLParser, foundComment comment: String) {
            comments.append(comment.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
    }

    private func read(_ document: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in \(document)")
        return reader
    }

    @Test func everythingDeclaredIsInTheDocument() throws {
        let document = Introspection.document(
            interfaces: [Self.interface], children: ["apps"], includeStandard: false)
        let change = "annotation name=org.freedesktop.DBus.Property.EmitsChangedSignal value="
        #expect(
            try read(document).elements == [
                "node", "interface name=org.example.Documented1", "method name=Write",
                "arg direction=in name=values type=a{sv}", "arg direction=out name=revision type=t",
                "method name=Reload", "signal name=Changed", "arg name=\"<&>\" type=t",
                "property access=read name=Revision type=t", change + "false",
                "property access=readwrite name=Name type=s", "property access=read name=Version type=s",
                change + "const", "property access=read name=Cache type=s", change + "invalidates", "node name=apps",
            ])
    }

    @Test func everySummaryIsACommentThatXMLAllows() throws {
        let document = Introspection.document(interfaces: [Self.interface], includeStandard: false)
        let comments = try read(document).comments
        #expect(
            comments == [
                "Shows what a person reads - - even <this> & \"that\" \u{FFFD}[1m - - - to the end-",
                Self.interface.methods[0].summary
                    + " Errors: org.example.Error.Locked, org.example.Error.UnknownKey.",
                "New values by key.", "The revision they made.",
            ])
        #expect(document.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test func anotherBindingReadsTheObjectAndItsParents() throws {
        let fixture = try Fixture()
        let introspect = { (path: String) in
            let process = try RunningProcess(
                "gdbus", ["introspect", "--address", fixture.bus.address, "-d", TestObject.busName.rawValue, "-o", path],
                environment: ["PATH": "/usr/bin:/bin"])
            #expect(try fixture.serve(process) == .exited(0), "\(process.stderr)")
            return process.stdout
        }
        let object = try introspect(TestObject.path.rawValue)
        for text in [
            "interface org.freedesktop.DBus.Properties", "interface org.freedesktop.DBus.Peer",
            "interface org.freedesktop.DBus.Introspectable", "Echo(in  v value,\n", "Happened(s what);",
            "readwrite s Label = 'first';", "readonly u Version = 7;",
        ] {
            #expect(object.contains(text), "\(text) in \(object)")
        }
        #expect(try introspect("/org/example").contains("node Test1"))
        #expect(try introspect("/").contains("node org"))
    }
}
