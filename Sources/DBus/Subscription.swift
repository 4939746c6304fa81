/// A match rule on the bus together with who wants its messages; made by `Connection.subscribe`. The connection keeps
/// it until it is cancelled or the connection is closed. Loop-confined.
public final class Subscription {
    public let rule: MatchRule
    let handler: (Message) -> Void
    private weak var connection: Connection?

    init(connection: Connection, rule: MatchRule, handler: @escaping (Message) -> Void) {
        self.connection = connection
        self.rule = rule
        self.handler = handler
    }

    /// Ends the subscription: the handler is not called again, and the bus forgets the rule.
    public func cancel() {
        connection?.unsubscribe(self)
        connection = nil
    }

    var isActive: Bool { connection != nil }
}
