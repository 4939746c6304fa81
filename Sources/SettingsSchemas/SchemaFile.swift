internal import Glibc
internal import JSON
public import SettingsModel

/// The file from which an application's settings come: JSON Schema 2020-12, a part of it, with actions beside it.
public enum SchemaFile {
    /// The largest file that is read, in bytes.
    public static let largestSize = 1 << 20

    /// Makes a schema of a file's text.
    ///
    /// - Parameter application: the application's id, which the file's name gives: `org.example.WorldClock`.
    /// - Throws: everything that is wrong with the text, each thing with its line and column.
    public static func parse(_ bytes: [UInt8], application: String) throws(SchemaFaults) -> Schema {
        if let fault = Names.applicationFault(application) { throw SchemaFaults(fault) }
        return try schema(bytes, application)
    }

    /// Everything that is wrong with a file's text and with its name; empty where it is right.
    ///
    /// - Parameter application: the application's id, which the file's name gives; nil: the text alone counts.
    public static func faults(in bytes: [UInt8], application: String?) -> [SchemaFault] {
        let name = application.flatMap(Names.applicationFault).map { [SchemaFault(message: $0)] } ?? []
        do throws(SchemaFaults) {
            _ = try schema(bytes, application ?? "")
            return name
        } catch {
            return name + error.faults
        }
    }

    /// Everything that is wrong with a file and with its name; empty where it is right. Never waits, whatever stands at the
    /// path.
    ///
    /// - Parameter application: the application's id, which the file's name gives.
    public static func faults(ofFile path: String, application: String) -> [SchemaFault] {
        do throws(SchemaFaults) {
            return faults(in: try bytes(of: path), application: application)
        } catch {
            return (Names.applicationFault(application).map { [SchemaFault(message: $0)] } ?? []) + error.faults
        }
    }

    private static func schema(_ bytes: [UInt8], _ application: String) throws(SchemaFaults) -> Schema {
        guard bytes.count <= largestSize else { throw SchemaFaults(tooLarge) }
        let document: JSONDocument
        do {
            document = try JSONParser.parse(bytes)
        } catch {
            throw SchemaFaults([SchemaFault(position: error.position, message: error.message)])
        }
        var reader = SchemaReader(document)
        let schema = reader.schema(application: application)
        guard let schema, reader.faults.isEmpty else { throw SchemaFaults(reader.faults) }
        return schema
    }

    /// Reads a schema file; never waits, whatever stands at the path.
    ///
    /// - Throws: everything that is wrong with the file.
    public static func read(_ path: String, application: String) throws(SchemaFaults) -> Schema {
        try parse(bytes(of: path), application: application)
    }

    private static let tooLarge = "the file has more than \(largestSize) bytes; a schema is smaller"

    private static func bytes(of path: String) throws(SchemaFaults) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SchemaFaults("it is no regular file; a schema is one") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw unreadable(errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > largestSize { throw SchemaFaults(tooLarge) }
        }
    }

    private static func unreadable(_ code: Int32) -> SchemaFaults {
        SchemaFaults("it cannot be read: \(reason(code))", mayPass: mayPass(code))
    }

    /// What an `errno` value means, in words.
    static func reason(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        strerror_r(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether what a file or folder could not be read for may be gone the next time.
    ///
    /// - Parameter code: an `errno` value.
    static func mayPass(_ code: Int32) -> Bool {
        [EIO, EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, ESTALE, ETIMEDOUT].contains(code)
    }
}
