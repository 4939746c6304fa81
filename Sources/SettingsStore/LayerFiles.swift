internal import SettingsModel

/// The layers' files as they were last read, each with its last good content.
struct LayerFiles {
    private struct Entry {
        let path: String
        let kind: LayerReader.Kind
        var good: LayerFile?
        /// Whether there is a file, and never was one that could be read.
        var isUnknown = false
    }

    private let reader: LayerReader
    private var entries: [Entry]
    private(set) var problems: [String] = []
    /// Whether one could not be read for a reason that may pass by itself.
    private(set) var isFailing = false

    init(paths: StorePaths, schema: Schema) {
        reader = LayerReader(schema: schema)
        entries = paths.admin.map { Entry(path: $0, kind: .admin) } + paths.vendor.map { Entry(path: $0, kind: .vendor) }
    }

    /// Reads every file again; one that is broken keeps its last good content whole, locks included.
    mutating func read() {
        problems = []
        isFailing = false
        for index in entries.indices {
            let reading = reader.read(entries[index].path, entries[index].kind)
            switch reading {
            case .absent: (entries[index].good, entries[index].isUnknown) = (nil, false)
            case .good(let file, let found):
                (entries[index].good, entries[index].isUnknown) = (file, false)
                problems += found
            case .broken(let problem), .failing(let problem):
                entries[index].isUnknown = entries[index].good == nil
                problems.append(problem)
                if case .failing = reading { isFailing = true }
            }
        }
    }

    var layers: Layers {
        Layers(
            admin: entries.filter { $0.kind == .admin }.compactMap(\.good),
            vendor: entries.filter { $0.kind == .vendor }.compactMap(\.good), isWhole: !entries.contains(where: \.isUnknown))
    }
}
