/// Which messages a subscriber wants (D-Bus specification, "Match Rules"). What is nil matches everything.
public struct MatchRule: Hashable, Sendable {
    public var kind: Message.Kind?
    /// Compared here too when it is a unique name or the bus itself; a well-known name is left to the bus, since the
    /// messages carry their sender's unique name.
    public var sender: BusName?
    public var path: ObjectPath?
    /// The path or one below it; not together with `path`.
    public var pathNamespace: ObjectPath?
    public var interface: InterfaceName?
    public var member: MemberName?
    /// The first argument, a string; compared byte for byte.
    public var arg0: String?

    /// Makes a rule for signals, the usual kind.
    public init(
        kind: Message.Kind? = .signal, sender: BusName? = nil, path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil,
        arg0: String? = nil
    ) {
        self.kind = kind
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arg0 = arg0
    }

    /// The rule as AddMatch takes it.
    public var text: String {
        let parts: [(String, String?)] = [
            ("type", kind?.rawValue), ("sender", sender?.rawValue), ("path", path?.rawValue),
            ("path_namespace", pathNamespace?.rawValue), ("interface", interface?.rawValue),
            ("member", member?.rawValue), ("arg0", arg0.map(Self.escaped)),
        ]
        return parts.compactMap { key, value in value.map { "\(key)='\($0)'" } }.joined(separator: ",")
    }

    /// An apostrophe ends the quotes, stands there escaped by a backslash, and opens them again.
    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { escaped += #"'\''"#.utf8 } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
