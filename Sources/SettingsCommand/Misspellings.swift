internal import Glibc
internal import SettingsModel
internal import SettingsStore

/// Names in a document or a layer that look like settings and are none. They are kept, as anything unknown is, and no fault; but
/// who has written them waits in vain for an effect.
package enum Misspellings {
    /// A sentence for each, in the order of the file; none for a file that is not there or cannot be read.
    static func sentences(in path: String, _ schema: Schema) -> [String] {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        let text: SettingsText
        do throws(Failure) {
            text = try SettingsText(try UserFile.read(path), name: path, schema: schema)
        } catch {
            // What keeps the file from being read is told by whoever reads it for its values.
            return []
        }
        return text.faults.sorted().filter { $0.isMisspelling && schema.setting(formerly: $0.key) == nil }.map {
            "\($0.error.message); what stands there is kept and has no effect"
        }
    }

    /// A sentence for each in the files of an application.
    ///
    /// - Parameter files: as the daemon tells them: `document`, `admin` and `vendor`, paths joined by `:`.
    package static func sentences(in files: [String: String], of application: String) -> [String] {
        let paths = ["document", "admin", "vendor"].flatMap { (files[$0] ?? "").split(separator: ":").map(String.init) }
        do throws(Failure) {
            let schema = try InstalledSchemas.schema(of: application)
            return paths.flatMap { sentences(in: $0, schema) }
        } catch {
            // Without a schema here nothing tells how the names are spelt.
            return []
        }
    }
}
