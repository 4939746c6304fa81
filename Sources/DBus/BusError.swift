/// An error as the bus carries it: a name for programs and a message for people.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    public var name: ErrorName
    public var message: String

    /// Makes an error of any name.
    public init(name: ErrorName, message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { message.isEmpty ? name.rawValue : "\(message) (\(name))" }
}

/// The errors of the D-Bus specification and of libdbus that this module sends or makes itself. Tell errors apart by
/// their name: `error.name == .serviceUnknown`.
extension ErrorName {
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
    public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    public static let invalidSignature: ErrorName = "org.freedesktop.DBus.Error.InvalidSignature"
    public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    /// More of something than whoever says so allows.
    public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    public static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
    /// Nobody owns the name that a call went to, and nothing can be started for it.
    public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    /// There is no bus at the address.
    public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
    /// The call was not answered in time, or the one who should have answered left the bus.
    public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    /// The connection to the bus is gone, or was before the call.
    public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
}

extension BusError {
    public static func unknownMethod(_ message: String) -> BusError { BusError(name: .unknownMethod, message: message) }
    public static func unknownObject(_ message: String) -> BusError { BusError(name: .unknownObject, message: message) }
    public static func unknownInterface(_ message: String) -> BusError {
        BusError(name: .unknownInterface, message: message)
    }
    public static func unknownProperty(_ message: String) -> BusError {
        BusError(name: .unknownProperty, message: message)
    }
    public static func propertyReadOnly(_ message: String) -> BusError {
        BusError(name: .propertyReadOnly, message: message)
    }
    public static func invalidArgs(_ message: String) -> BusError { BusError(name: .invalidArgs, message: message) }
    public static func failed(_ message: String) -> BusError { BusError(name: .failed, message: message) }
    public static func noBus(_ message: String) -> BusError { BusError(name: .noServer, message: message) }
    public static func timeout(_ message: String) -> BusError { BusError(name: .noReply, message: message) }
    public static let noMemory = BusError(name: .noMemory, message: "out of memory")
    public static let disconnected = BusError(name: .disconnected, message: "the connection to the bus is closed")
}
