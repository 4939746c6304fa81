package import DBus

/// What a method call may hold; a larger one is answered `TooLarge`. Answers and signals may be longer.
public enum Limits {
    /// Bytes of a whole message as on the wire, header and body.
    public static let messageBytes = 1 << 20
    /// Bytes of UTF-8 of one string, wherever it stands.
    public static let stringBytes = 64 << 10
    /// Actions in one transaction.
    public static let actions = 1000
}

extension Limits {
    /// What is too large in the arguments of a call, in words, before it is sent anywhere: a bus may have narrower limits, and
    /// no words for them.
    ///
    /// - Returns: nil where nothing is, as far as strings and numbers alone tell.
    package static func excess(in arguments: [Value]) -> String? {
        var (total, longest) = (0, 0)
        for argument in arguments { argument.measure(&total, &longest) }
        if longest > stringBytes {
            let place = arguments.lazy.compactMap { $0.place(ofStringOf: longest) }.first ?? ""
            return "\(place.isEmpty ? "a string in the call" : place) has \(longest) bytes; at most \(stringBytes) are allowed"
        }
        guard total > messageBytes else { return nil }
        return "the call has more than \(total) bytes; at most \(messageBytes) are allowed, so split it"
    }
}

extension Value {
    /// Adds the bytes of all strings and numbers in the value to a total, and finds its longest string.
    fileprivate func measure(_ total: inout Int, _ longest: inout Int) {
        switch self {
        case .string(let text):
            total += text.utf8.count
            longest = max(longest, text.utf8.count)
        case .variant(let content): content.measure(&total, &longest)
        case .array(_, let values), .structure(let values): for value in values { value.measure(&total, &longest) }
        case .dictionary(_, _, let entries):
            for entry in entries {
                entry.key.measure(&total, &longest)
                entry.value.measure(&total, &longest)
            }
        default: total += 8
        }
    }

    /// Where the first string is that has so many bytes: `notes[2].title`, and behind an action's name `AddNote: content`.
    ///
    /// - Returns: nil where there is none; empty where it is the value itself.
    fileprivate func place(ofStringOf bytes: Int) -> String? {
        switch self {
        case .string(let text): return text.utf8.count == bytes ? "" : nil
        case .variant(let content): return content.place(ofStringOf: bytes)
        case .array(_, let values):
            for (index, value) in values.enumerated() {
                guard let place = value.place(ofStringOf: bytes) else { continue }
                if case .structure = value { return place }
                return place.isEmpty ? "[\(index)]" : "[\(index)].\(place)"
            }
            return nil
        case .structure(let fields):
            guard let place = fields.lazy.compactMap({ $0.place(ofStringOf: bytes) }).first, !place.isEmpty else { return nil }
            // Of `SetValues` it is the setting that counts.
            let values = "values."
            return place.hasPrefix(values) ? String(place.dropFirst(values.count)) : "\(fields[0].string ?? ""): \(place)"
        case .dictionary(_, _, let entries):
            for entry in entries {
                guard let name = entry.key.string, let place = entry.value.place(ofStringOf: bytes) else { continue }
                return place.isEmpty || place.hasPrefix("[") ? name + place : "\(name).\(place)"
            }
            return nil
        default: return nil
        }
    }
}
