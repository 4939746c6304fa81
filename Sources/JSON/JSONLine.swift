/// A JSON text in one line that is written piece by piece, where values would be made only to be written.
///
/// The caller sees to it that what is begun is ended, and that each member of an object has a key and a value.
public struct JSONLine {
    private var output = JSONOutput(style: .line)
    /// Whether what comes next stands beside something.
    private var followsItem = false

    /// An empty text.
    public init() { output.bytes.reserveCapacity(512) }

    /// What has been written so far.
    public var bytes: [UInt8] { output.bytes }

    /// Writes an object.
    ///
    /// - Parameter members: writes its members, each a key and then a value.
    public mutating func object(_ members: (inout JSONLine) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes an array.
    ///
    /// - Parameter elements: writes its elements.
    public mutating func array(_ elements: (inout JSONLine) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    private mutating func enclose(_ start: UInt8, _ end: UInt8, _ content: (inout JSONLine) -> Void) {
        separate()
        output.bytes.append(start)
        followsItem = false
        content(&self)
        output.bytes.append(end)
        followsItem = true
    }

    /// Writes a member's key; its value comes next.
    public mutating func key(_ key: String) {
        separate()
        output.write(key)
        output.bytes.append(UInt8(ascii: ":"))
        followsItem = false
    }

    /// Writes a value; a string without making one of it first.
    public mutating func string(_ text: String) {
        separate()
        output.write(text)
    }

    /// Writes a whole number.
    public mutating func integer(_ number: UInt64) {
        separate()
        output.write(number)
    }

    /// Writes a value.
    public mutating func value(_ value: JSONValue) {
        separate()
        output.write(value, level: 0)
    }

    /// Ends the line.
    public mutating func lineFeed() { output.bytes.append(UInt8(ascii: "\n")) }

    private mutating func separate() {
        if followsItem { output.bytes.append(UInt8(ascii: ",")) }
        followsItem = true
    }
}
