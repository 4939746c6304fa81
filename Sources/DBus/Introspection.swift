/// Introspection data (D-Bus specification, "Introspection Data Format"), made from the declared tables.
public enum Introspection {
    static let interface = Interface(
        name: "org.freedesktop.DBus.Introspectable",
        methods: [Interface.Method("Introspect", outputs: [Interface.Argument("xml_data", "s")])])

    /// The `<interface>` elements, each member and argument with its documentation in a comment before it, since a
    /// person reads them too. They are indented as children of a `<node>`.
    public static func xml(interfaces: [Interface]) -> String {
        var writer = XMLWriter()
        for interface in interfaces { writer.add(interface) }
        return writer.text
    }

    /// A whole document, as Introspect answers it.
    ///
    /// - Parameters:
    ///   - interfaces: the object's own.
    ///   - children: the names of the nodes below.
    ///   - includeStandard: whether Properties, Introspectable and Peer are listed too.
    public static func document(interfaces: [Interface], children: [String] = [], includeStandard: Bool) -> String {
        var writer = XMLWriter()
        let standard = includeStandard ? [Properties.interface, Introspection.interface, Peer.interface] : []
        for interface in interfaces + standard { writer.add(interface) }
        for child in children { writer.line("<node name=\"\(writer.escaped(child))\"/>") }
        return """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            \(writer.text)</node>

            """
    }
}

/// Indented lines of XML.
private struct XMLWriter {
    private(set) var text = ""
    private var indent = 1
    private static let width = 100

    mutating func line(_ line: String) {
        text += String(repeating: "  ", count: indent) + line + "\n"
    }

    mutating func add(_ interface: Interface) {
        comment(interface.summary)
        line("<interface name=\"\(interface.name)\">")
        indent += 1
        for method in interface.methods { add(method) }
        for signal in interface.signals { add(signal) }
        for property in interface.properties { add(property) }
        indent -= 1
        line("</interface>")
    }

    private mutating func add(_ method: Interface.Method) {
        let errors = method.errors.isEmpty ? "" : "Errors: " + method.errors.joined(separator: ", ") + "."
        comment([method.summary, errors].filter { !$0.isEmpty }.joined(separator: "\n"))
        let arguments = method.inputs.map { ($0, "in") } + method.outputs.map { ($0, "out") }
        element("method", method.name, arguments: arguments)
    }

    private mutating func add(_ signal: Interface.Signal) {
        comment(signal.summary)
        element("signal", signal.name, arguments: signal.arguments.map { ($0, nil) })
    }

    private mutating func element(
        _ element: String, _ name: MemberName, arguments: [(argument: Interface.Argument, direction: String?)]
    ) {
        guard !arguments.isEmpty else { return line("<\(element) name=\"\(name)\"/>") }
        line("<\(element) name=\"\(name)\">")
        indent += 1
        for (argument, direction) in arguments {
            comment(argument.summary)
            let direction = direction.map { " direction=\"\($0)\"" } ?? ""
            line("<arg name=\"\(escaped(argument.name))\" type=\"\(argument.signature)\"\(direction)/>")
        }
        indent -= 1
        line("</\(element)>")
    }

    private mutating func add(_ property: Interface.Property) {
        comment(property.summary)
        let attributes =
            "name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(property.access.rawValue)\""
        // Unannotated properties announce their changes.
        guard property.changes != .announced else { return line("<property \(attributes)/>") }
        line("<property \(attributes)>")
        indent += 1
        let name = "org.freedesktop.DBus.Property.EmitsChangedSignal"
        line("<annotation name=\"\(name)\" value=\"\(property.changes.rawValue)\"/>")
        indent -= 1
        line("</property>")
    }

    /// Writes a comment, its lines wrapped at words. XML ends a comment at two hyphens, so they are kept apart.
    private mutating func comment(_ comment: String) {
        var safe = ""
        for character in escaped(control: comment) {
            if character == "-", safe.last == "-" { safe += " " }
            safe.append(character)
        }
        let lines = safe.split(separator: "\n").flatMap(wrapped)
        guard let last = lines.last else { return }
        guard lines.count > 1 else { return line("<!-- \(last) -->") }
        line("<!-- \(lines[0])")
        for middle in lines[1..<(lines.count - 1)] { line("     \(middle)") }
        line("     \(last) -->")
    }

    private func wrapped(_ paragraph: Substring) -> [String] {
        var lines: [String] = []
        for word in paragraph.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= Self.width - 2 * indent {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Text for an attribute.
    func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in self.escaped(control: text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// XML 1.0 has no control characters, not even escaped ones.
    private func escaped(control text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            let isAllowed = scalar == "\n" || scalar.value >= 0x20 && !(0xFFFE...0xFFFF).contains(scalar.value)
            escaped.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
        }
        return escaped
    }
}
