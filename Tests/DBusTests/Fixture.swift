import DBus
import EventLoop
import TestSupport

/// An object for the tests: it echoes, fails, keeps calls, and has properties of each kind.
final class TestObject: ExportedObject {
    static let path: ObjectPath = "/org/example/Test1"
    static let name: InterfaceName = "org.example.Test1"
    static let busName: BusName = "org.example.Test1"

    static let interface = Interface(
        name: name,
        methods: [
            Interface.Method(
                "Echo", inputs: [Interface.Argument("value", "v")], outputs: [Interface.Argument("value", "v")]),
            Interface.Method(
                "Describe", inputs: [Interface.Argument("name", "s"), Interface.Argument("details", "a{sv}")]),
            Interface.Method("Fail"),
            Interface.Method("Keep", inputs: [Interface.Argument("number", "u")]),
            Interface.Method("AnswerWithNUL", outputs: [Interface.Argument("text", "s")]),
        ],
        signals: [Interface.Signal("Happened", arguments: [Interface.Argument("what", "s")])],
        properties: [
            Interface.Property("Label", "s", access: .readWrite),
            Interface.Property("Version", "u", changes: .constant),
        ])

    var label = "first"
    var kept: [MethodCall] = []
    var onKeep: (MethodCall) -> Void = { _ in }

    func handle(_ call: MethodCall) {
        switch call.member {
        case "Echo": call.reply(call.arguments)
        case "Fail": call.fail(BusError(name: "org.example.Error.Refused", message: "Not today."))
        case "AnswerWithNUL": call.reply([.string("a\0b")])
        case "Keep":
            kept.append(call)
            onKeep(call)
        default: call.reply([])
        }
    }

    func value(of property: String, interface: InterfaceName) throws(BusError) -> Value {
        property == "Label" ? .string(label) : .uint32(7)
    }

    func set(_ property: String, interface: InterfaceName, to value: Value, call: MethodCall) {
        guard let text = value.string else {
            return call.fail(.invalidArgs("\(property) takes a string, not \(value.signature)."))
        }
        label = text
        call.reply([])
    }
}

/// A service and a client on a private bus, both served by one loop.
final class Fixture {
    let bus: PrivateBus
    let loop: EventLoop
    let service: Connection
    let client: Connection
    let server: ObjectServer
    let object = TestObject()

    init(limits: [String: Int] = [:]) throws {
        bus = try PrivateBus(limits: limits)
        loop = try EventLoop()
        service = try Connection.open(address: bus.address, loop: loop)
        client = try Connection.open(address: bus.address, loop: loop)
        server = ObjectServer(connection: service)
        server.export(TestObject.path, interfaces: [TestObject.interface], object: object)
        var isOwner = false
        service.requestName(TestObject.busName) { isOwner = (try? $0.get()) == .owned }
        try wait { isOwner && client.uniqueName != nil }
    }

    func wait(_ condition: () -> Bool) throws {
        guard loop.run(until: condition, timeout: .seconds(20)) else {
            throw TestFailure("The condition does not come to hold.")
        }
    }

    /// Serves the loop until a process has ended, which is no event of the loop.
    func serve(_ process: RunningProcess) throws -> ExitStatus {
        var isOver = false
        func look() {
            isOver = !process.isRunning
            if !isOver { loop.schedule(after: .milliseconds(5), handler: look) }
        }
        look()
        try wait { isOver }
        return try process.waitForExit()
    }

    func message(
        _ member: MemberName, _ arguments: [Value] = [], interface: InterfaceName = TestObject.name,
        path: ObjectPath = TestObject.path
    ) throws -> Message {
        let message = Message.methodCall(to: TestObject.busName, path: path, interface: interface, member: member)
        try message.append(arguments)
        return message
    }

    /// A call of the bus itself.
    func busMessage(_ member: MemberName, _ arguments: [Value] = []) throws -> Message {
        let message = Message.methodCall(
            to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: member)
        try message.append(arguments)
        return message
    }

    /// Calls the service and returns what it answers.
    func ask(
        _ member: MemberName, _ arguments: [Value] = [], interface: InterfaceName = TestObject.name,
        path: ObjectPath = TestObject.path
    ) throws -> [Value] {
        let call = try message(member, arguments, interface: interface, path: path)
        return try client.callAndWait(call, timeout: .seconds(20)).body()
    }

    /// Calls the service and returns the error that it answers, or nil for a good answer.
    func refusal(
        _ member: MemberName, _ arguments: [Value] = [], interface: InterfaceName = TestObject.name,
        path: ObjectPath = TestObject.path
    ) throws -> BusError? {
        do {
            _ = try ask(member, arguments, interface: interface, path: path)
            return nil
        } catch let error as BusError {
            return error
        }
    }
}
