/// The waits between attempts that fail: each twice as long as the one before, up to a bound.
struct Backoff {
    private static let first = Duration.milliseconds(50)
    private static let longest = Duration.seconds(5)
    private var wait = first

    /// How long to wait before the next attempt.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    /// Begins anew after an attempt that worked.
    mutating func reset() { wait = Self.first }
}

/// The parts of a bus address.
enum BusAddress {
    /// The address without the identity of the bus that was there: a bus that is restarted at the same place has a new
    /// one, and libdbus refuses to talk to a bus whose `guid` is another than the address says (D-Bus specification,
    /// "Server Addresses").
    static func withoutIdentity(_ address: String) -> String {
        address.split(separator: ";").map { server in
            server.split(separator: ",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
        }.joined(separator: ";")
    }
}
