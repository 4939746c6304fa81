internal import Spelling

/// Finding out what a method call asks for.
extension Connection {
    /// Finds the declared method that a message calls, and decodes its arguments. A call that names no interface means
    /// the first one that has the member (D-Bus specification, "Method Calls").
    ///
    /// - Parameters:
    ///   - tables: the interfaces at the message's path.
    ///   - isObject: whether there is an object, and not just a place where Peer answers.
    /// - Throws: the standard error that the call is to be answered with.
    func resolve(
        _ message: Message, in tables: [MemberTable], isObject: Bool
    ) throws(BusError) -> (Responder, MethodCall) {
        let interface = message.interface
        let candidates = interface.map { name in tables.filter { $0.interface.name.rawValue == name } } ?? tables
        let member = message.member ?? ""
        for table in candidates {
            guard let method = table.methods[member] else { continue }
            let call = MethodCall(
                message, connection: self, interface: table.interface.name, method: method,
                arguments: try arguments(of: message, for: method))
            return (table.responder, call)
        }
        let path = message.path ?? ""
        guard isObject || interface != nil && !candidates.isEmpty else {
            throw .unknownObject("there is no object at \(path)")
        }
        guard !candidates.isEmpty else {
            throw .unknownInterface("the object at \(path) has no interface \"\(interface ?? "")\"")
        }
        let hint = Suggestion.hint(for: member, among: candidates.flatMap(\.methods.keys).sorted())
        throw .unknownMethod(
            "\(interface ?? "the object at \(path)") has no method \"\(member)\"\(hint)")
    }

    private func arguments(of message: Message, for method: Interface.Method) throws(BusError) -> [Value] {
        let expected = method.inputs.signature
        guard message.signature == expected else {
            let names = method.inputs.map(\.name).joined(separator: ", ")
            let wanted = expected.isEmpty ? "no arguments" : "arguments of type \"\(expected)\" (\(names))"
            let got = message.signature.isEmpty ? "none" : "\"\(message.signature)\""
            throw .invalidArgs("\(method.name) takes \(wanted); the call has \(got)")
        }
        return try message.body(packs: true)
    }

    /// Answers a call where there are no objects: Peer, and everything else with an error.
    func answerWithoutObjects(_ message: Message) {
        do throws(BusError) {
            let (_, call) = try resolve(message, in: MemberTable.elsewhere, isObject: false)
            Peer.answer(call)
        } catch {
            answer(message, with: error)
        }
    }
}
