import Foundation
import JSON

/// Measures settingsd in turn with a floor and with other settings' tools, everything on buses and in homes of its own.
///
///     Benchmark [--tiny] [--json FILE]
///
/// Other load moves absolute times, so look at the ratios: each is the median of those of rounds in which both were measured.

let arguments = CommandLine.arguments.dropFirst()
let scale = arguments.contains("--tiny") ? Scale.tiny : .full
var file: String?
if let place = arguments.firstIndex(of: "--json"), place + 1 < arguments.endIndex { file = arguments[place + 1] }

func column(_ text: String, _ width: Int, right: Bool = true) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return right ? padding + text : text + padding
}

func figure(_ number: Double) -> String { String(format: number < 10 ? "%.2f" : "%.0f", number) }

func show(_ row: Row) {
    let base = row.base.map { "  \(figure(row.ratio ?? .nan))× \($0.name)" } ?? ""
    print(
        column(row.name, 38, right: false), column(figure(row.quantile(0.5)), 9), column(figure(row.quantile(0.1)), 9),
        column(figure(row.quantile(0.9)), 9), " ", column(row.unit, 4, right: false), base)
}

func json(_ number: Double) -> JSONValue { .number(JSONNumber(number)) }

func json(_ row: Row) -> JSONValue {
    var object: JSONObject = [
        "name": .string(row.name), "unit": .string(row.unit), "median": json(row.quantile(0.5)),
        "p10": json(row.quantile(0.1)), "p90": json(row.quantile(0.9)), "samples": json(Double(row.samples.count)),
    ]
    if let base = row.base {
        object["base"] = .string(base.name)
        object["ratio"] = json(row.ratio ?? .nan)
    }
    return .object(object)
}

do {
    print(
        column("", 38, right: false), column("median", 9), column("p10", 9), column("p90", 9), " ",
        column("", 4, right: false), "  ratio in the same rounds")
    var rows: [Row] = []
    let parts: [(Scale) throws -> [Row]] = [
        measureCalls, measureGrowth, measureReading, measureNotification, measureService, measureApplications,
        { try measureCommands($0) { print("# \($0)") } },
    ]
    for part in parts {
        let found = try part(scale)
        found.forEach(show)
        rows += found
    }
    if let file {
        try Data(JSONWriter.pretty(.array(rows.map(json)))).write(to: URL(fileURLWithPath: file))
    }
} catch {
    FileHandle.standardError.write(Data("Benchmark: \(error)\n".utf8))
    exit(1)
}
