internal import CDBus
internal import EventLoop

/// Whether a name was to be had.
public enum NameOwnership: Hashable, Sendable {
    /// The connection owns the name.
    case owned
    /// Another connection owns it.
    case taken
}

extension BusName {
    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}

/// What the bus itself offers (D-Bus specification, "Message Bus Messages").
extension Connection {
    /// Makes a call of one of the bus's own methods.
    private func askBus(
        _ member: MemberName, _ arguments: [Value], completion: @escaping (Result<[Value], BusError>) -> Void
    ) {
        let message = Message.methodCall(
            to: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: member)
        do throws(BusError) {
            try message.append(arguments)
        } catch {
            loop.schedule(after: .zero) { completion(.failure(error)) }
            return
        }
        call(message) { answer in
            completion(answer.flatMap { message in Result { () throws(BusError) in try message.body() } })
        }
    }

    /// Registers with the bus; libdbus's own call for that would block.
    func sayHello() {
        askBus("Hello", []) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let values):
                self.uniqueName = values.first?.string
                self.onReady?(self)
                self.onReady = nil
            case .failure:
                self.lost()
            }
        }
    }

    /// Delivers the messages that a rule matches to the handler. The bus is told at once; messages that it sends from
    /// then on arrive, and the answers to calls made after this come later than they do.
    ///
    /// - Returns: the subscription, which lasts until it is cancelled or the connection closed. Should the bus refuse
    ///   the rule, `onMatchRefused` is called.
    @discardableResult
    public func subscribe(_ rule: MatchRule, handler: @escaping (Message) -> Void) -> Subscription {
        let subscription = Subscription(connection: self, rule: rule, handler: handler)
        subscriptions.append(subscription)
        askBus("AddMatch", [.string(rule.text)]) { [weak self] answer in
            guard case .failure(let error) = answer, error.name != .disconnected else { return }
            self?.onMatchRefused?(rule, error)
        }
        return subscription
    }

    func unsubscribe(_ subscription: Subscription) {
        subscriptions.removeAll { $0 === subscription }
        guard isOpen else { return }
        // The rule may never have been accepted, so an error says nothing new.
        askBus("RemoveMatch", [.string(subscription.rule.text)]) { _ in }
    }

    /// Asks for a well-known name, and for it alone: no place in the queue is taken when it is not free.
    public func requestName(_ name: BusName, completion: @escaping (Result<NameOwnership, BusError>) -> Void) {
        let doNotQueue = Value.uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))
        askBus("RequestName", [.string(name.rawValue), doNotQueue]) { answer in
            completion(
                answer.map { values in
                    let code = values.first?.uint32.map(Int32.init)
                    let isOurs =
                        code == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
                        || code == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
                    return isOurs ? .owned : .taken
                })
        }
    }

    /// Gives a name back; that it was not ours is no failure.
    public func releaseName(_ name: BusName, completion: @escaping (Result<Void, BusError>) -> Void = { _ in }) {
        askBus("ReleaseName", [.string(name.rawValue)]) { completion($0.map { _ in }) }
    }

    /// Tells the unique name behind a name; nil when nobody has it.
    public func owner(of name: BusName, completion: @escaping (Result<String?, BusError>) -> Void) {
        askBus("GetNameOwner", [.string(name.rawValue)]) { answer in
            if case .failure(let error) = answer, error.name == .nameHasNoOwner {
                completion(.success(nil))
            } else {
                completion(answer.map { $0.first?.string })
            }
        }
    }

    /// Tells the process behind a name. Asks for that alone: from dbus 1.16 on, the answer of GetConnectionCredentials has a
    /// file descriptor in it, which this library takes from nobody.
    ///
    /// - Parameter completion: gets the process ID; `NameHasNoOwner` when there is nobody.
    public func processID(of name: String, completion: @escaping (Result<Int32, BusError>) -> Void) {
        askBus("GetConnectionUnixProcessID", [.string(name)]) { answer in
            completion(
                answer.flatMap { values in
                    guard let id = values.first?.uint32.flatMap(Int32.init(exactly:)) else {
                        return .failure(.failed("the bus does not say which process \(name) is"))
                    }
                    return .success(id)
                })
        }
    }
}
