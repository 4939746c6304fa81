public import JSON

/// One thing that is wrong with a schema file.
public struct SchemaFault: Hashable, Sendable, CustomStringConvertible {
    /// Where it stands in the text; nil where the file as a whole is at fault.
    public let position: JSONPosition?
    /// What was found, what was expected and what to do: a clause without a capital, a full stop and the position.
    public let message: String

    public init(position: JSONPosition? = nil, message: String) {
        self.position = position
        self.message = message
    }

    public var description: String { position.map { "\($0): \(message)" } ?? message }
}

/// Everything that is wrong with a schema file, in the order of the text, as far as it was looked for.
public struct SchemaFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// One at least.
    public let faults: [SchemaFault]
    /// Whether the file could not be read for a reason that may pass by itself.
    public let mayPass: Bool

    /// The largest number of faults that are told of.
    public static let limit = 100

    init(_ faults: [SchemaFault], mayPass: Bool = false) {
        self.mayPass = mayPass
        self.faults = faults.sorted { a, b in
            guard let a = a.position, let b = b.position else { return a.position == nil && b.position != nil }
            return (a.line, a.column) < (b.line, b.column)
        }
    }

    init(_ message: String, mayPass: Bool = false) { self.init([SchemaFault(message: message)], mayPass: mayPass) }

    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
