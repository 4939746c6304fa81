/// The declaration of an interface: the one table that dispatch, introspection and the interface XML come from.
public struct Interface: Hashable, Sendable {
    public var name: InterfaceName
    /// What the interface is for, for a person who reads the introspection data; so are the other summaries.
    public var summary: String
    public var methods: [Method]
    public var signals: [Signal]
    public var properties: [Property]

    public init(
        name: InterfaceName, summary: String = "", methods: [Method] = [], signals: [Signal] = [],
        properties: [Property] = []
    ) {
        self.name = name
        self.summary = summary
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }

    /// A value that a method takes or answers, or that a signal carries.
    public struct Argument: Hashable, Sendable {
        public var name: String
        /// One complete type.
        public var signature: Signature
        public var summary: String

        public init(_ name: String, _ signature: Signature, _ summary: String = "") {
            precondition(signature.isSingle, "Argument \(name) must have exactly one complete type.")
            self.name = name
            self.signature = signature
            self.summary = summary
        }
    }

    public struct Method: Hashable, Sendable {
        public var name: MemberName
        public var inputs: [Argument]
        public var outputs: [Argument]
        public var summary: String
        /// Names of the errors that it answers, for the documentation.
        public var errors: [String]

        public init(
            _ name: MemberName, inputs: [Argument] = [], outputs: [Argument] = [], summary: String = "",
            errors: [String] = []
        ) {
            self.name = name
            self.inputs = inputs
            self.outputs = outputs
            self.summary = summary
            self.errors = errors
        }
    }

    public struct Signal: Hashable, Sendable {
        public var name: MemberName
        public var arguments: [Argument]
        public var summary: String

        public init(_ name: MemberName, arguments: [Argument] = [], summary: String = "") {
            self.name = name
            self.arguments = arguments
            self.summary = summary
        }
    }

    public struct Property: Hashable, Sendable {
        public enum Access: String, Hashable, Sendable {
            case read
            case readWrite = "readwrite"
        }

        /// What PropertiesChanged says of it (annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`).
        public enum Changes: String, Hashable, Sendable {
            /// Each change is announced with the new value.
            case announced = "true"
            /// Each change is announced by name alone.
            case invalidates
            /// It never changes while the object exists.
            case constant = "const"
            /// It changes without a word.
            case silent = "false"
        }

        public var name: MemberName
        /// One complete type.
        public var signature: Signature
        public var access: Access
        public var changes: Changes
        public var summary: String

        public init(
            _ name: MemberName, _ signature: Signature, access: Access = .read, changes: Changes = .announced,
            summary: String = ""
        ) {
            precondition(signature.isSingle, "Property \(name) must have exactly one complete type.")
            self.name = name
            self.signature = signature
            self.access = access
            self.changes = changes
            self.summary = summary
        }
    }
}

extension [Interface.Argument] {
    /// The types of the arguments, one after the other.
    var signature: String { reduce(into: "") { $0 += $1.signature.rawValue } }
}
