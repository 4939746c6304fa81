/// What a method call may hold; a larger one is answered `TooLarge`. Answers and signals may be longer.
public enum Limits {
    /// Bytes of a whole message as on the wire, header and body.
    public static let messageBytes = 1 << 20
    /// Bytes of UTF-8 of one string, wherever it stands.
    public static let stringBytes = 64 << 10
    /// Actions in one transaction.
    public static let actions = 1000
}
