public import SettingsModel

/// A snapshot, then everything that happens to the settings, for `for await`.
///
/// Each iteration is one of its own: it begins with a snapshot, and what follows has no gap and repeats nothing, across
/// restarts of the service and of the bus. A reader that is slower than the changes finds, once so many wait for it, one
/// snapshot in place of them all: it misses steps and announcements, never the state.
///
/// The sequence keeps the client alive. It ends when the client is closed or the reader's task is cancelled. The reader
/// resumes where it runs; nothing is started on Swift's default executor.
public struct SettingsChanges: AsyncSequence, Sendable {
    public typealias Element = SettingsEvent
    public typealias Failure = Never

    let client: LiveSettings
    let limit: Int

    public func makeAsyncIterator() -> Iterator { Iterator(client, limit: limit) }

    /// One reader's place in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        private let registration: Registration
        /// What there is at the beginning.
        private var first: [SettingsEvent] = []

        init(_ client: LiveSettings, limit: Int) {
            registration = Registration(client, limit: limit)
            guard let start = registration.start else { return }
            first = [.snapshot(start.snapshot)] + (start.problems.isEmpty ? [] : [.problems(start.problems)])
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> SettingsEvent? {
            first.isEmpty ? await registration.buffer.next() : first.removeFirst()
        }
    }
}

/// One setting's value now, then each new one, for `for await`. A slow reader gets the latest alone.
///
/// It keeps the client alive, and ends, as `SettingsChanges` do. While the service is away the value stays.
public struct SettingValues: AsyncSequence, Sendable {
    public typealias Element = SettingValue
    public typealias Failure = Never

    let client: LiveSettings
    let key: String

    public func makeAsyncIterator() -> Iterator { Iterator(client, key) }

    /// One reader's place in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        private let registration: Registration
        private let key: String
        private var isFirst = true
        private var value: SettingValue?

        init(_ client: LiveSettings, _ key: String) {
            self.key = key
            registration = Registration(client, limit: 1)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> SettingValue? {
            if isFirst {
                isFirst = false
                value = registration.client[key]
                if registration.start != nil, let value { return value }
            }
            // The event says that something has changed; the value is read where the newest one is.
            while await registration.buffer.next() != nil {
                guard let latest = registration.client[key], latest != value else { continue }
                value = latest
                return latest
            }
            return nil
        }
    }
}

/// One setting's value now, then each new one, as a type of the program's, for `for try await`.
///
/// It keeps the client alive, and ends, as `SettingsChanges` do; it fails where a value does not have the type's form, and may
/// be read on behind that.
public struct DecodedValues<Element: Decodable>: AsyncSequence, Sendable {
    public typealias Failure = ClientError

    let values: SettingValues

    public func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator(), key: values.key) }

    /// One reader's place in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        var values: SettingValues.Iterator
        let key: String

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Element? {
            guard let value = await values.next(isolation: actor) else { return nil }
            return try value.decoded(as: Element.self, for: key)
        }
    }
}

/// A buffer that listens as long as this object is there.
private final class Registration: Sendable {
    let client: LiveSettings
    let buffer: EventBuffer
    /// What the first event in the buffer follows; nil where the client is closed.
    let start: SettingsCopy?

    init(_ client: LiveSettings, limit: Int) {
        self.client = client
        buffer = EventBuffer(limit: limit)
        start = client.hub.add(buffer)
        if start == nil { buffer.finish() }
    }

    deinit { client.hub.remove(buffer) }
}

extension LiveSettings {
    /// A snapshot, then everything that happens. For a slow reader 64 events wait before a snapshot takes their place.
    public final var changes: SettingsChanges { changes(buffer: 64) }

    /// A snapshot, then everything that happens.
    ///
    /// - Parameter limit: how many events wait for a slow reader, at least 1, before a snapshot takes their place.
    public final func changes(buffer limit: Int) -> SettingsChanges { SettingsChanges(client: self, limit: limit) }

    /// A setting's value now, then each new one.
    ///
    /// - Parameter name: a key or an alias.
    /// - Throws: `UnknownKey` with the nearest known key.
    public final func values(of name: String) throws(ClientError) -> SettingValues {
        _ = try hub.copy.value(name)
        return SettingValues(client: self, key: name)
    }

    /// A setting's value now, then each new one, as a type of the program's.
    ///
    /// - Parameters:
    ///   - name: a key or an alias.
    ///   - type: what the values are read as.
    /// - Throws: `UnknownKey` with the nearest known key; `mismatch` where the value that is there does not have the type's
    ///   form.
    public final func values<Value: Decodable>(
        of name: String, as type: Value.Type
    ) throws(ClientError) -> DecodedValues<Value> {
        _ = try value(of: name, as: type)
        return DecodedValues(values: try values(of: name))
    }
}
