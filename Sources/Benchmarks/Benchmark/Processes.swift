import Foundation
import TestSupport

/// What a whole process cost.
struct ProcessCost {
    let microseconds: Double
    /// KiB at the peak.
    let memory: Double
}

/// Runs a program to its end, its output thrown away.
private func run(_ words: [String], _ environment: [String: String]) throws -> ProcessCost {
    let result = try RunningProcess(try Products.path("Starter"), words, environment: environment).result()
    let figures = result.stdout.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard figures.count == 2 else { throw TestFailure("\(words[0]) is not there or has failed") }
    return ProcessCost(microseconds: figures[0], memory: figures[1])
}

/// A program that is on the machine or not.
private struct Peer {
    let name: String
    let get: [String]
    let set: [String]

    static let all = [
        Peer(name: "dconf", get: ["dconf", "read", "/bench/k"], set: ["dconf", "write", "/bench/k"]),
        Peer(
            name: "xfconf-query", get: ["xfconf-query", "-c", "bench", "-p", "/k"],
            set: ["xfconf-query", "-c", "bench", "-p", "/k", "-n", "-t", "string", "-s"]),
        Peer(
            name: "gsettings", get: ["gsettings", "get", "org.gnome.desktop.interface", "font-name"],
            set: ["gsettings", "set", "org.gnome.desktop.interface", "font-name"]),
    ]

    static let services = [
        "ca.desrt.dconf": "/usr/libexec/dconf-service", "org.xfce.Xfconf": "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd",
    ]
}

/// Commands as whole processes, beside other settings' commands.
///
/// - Parameter note: gets a line for each peer that cannot be measured.
func measureCommands(_ scale: Scale, note: (String) -> Void) throws -> [Row] {
    let session = try TestSession(activatable: true)
    for (name, program) in Peer.services where FileManager.default.isExecutableFile(atPath: program) {
        try session.bus.addService(name, exec: program)
    }
    // Where schemas and locale are is the machine's business.
    let environment = session.environment.merging(["XDG_DATA_DIRS": "/usr/local/share:/usr/share"]) { $1 }
    let control = try Products.path("settingsctl")
    let own = Peer(name: "settingsctl", get: [control, "get", "profile.name"], set: [control, "set", "profile.name"])
    let peers =
        [own]
        + Peer.all.filter { peer in
            do {
                _ = try run(peer.set + ["'v'"], environment)
                _ = try run(peer.get, environment)
                return true
            } catch {
                note("\(peer.name) is left out: \(error)")
                return false
            }
        }
    _ = try run(own.set + ["v"], environment)
    var count = 0
    var rows: [Row] = []
    for (verb, isSet) in [("get", false), ("set", true)] {
        var memory = peers.map { _ in [Double]() }
        let times = try scale.interleave(
            peers.enumerated().map { index, peer in
                {
                    count += 1
                    let cost = try run(isSet ? peer.set + ["'v\(count)'"] : peer.get, environment)
                    memory[index].append(cost.memory)
                    return cost.microseconds
                }
            }, rounds: scale.processes)
        for index in peers.indices {
            let name = "\(peers[index].name) \(verb)"
            let base = index == 0 ? nil : peers[0].name
            rows.append(Row(name, times[index], unit: "µs", base: base.map { ($0, times[0]) }))
            rows.append(Row("\(name), peak memory", memory[index], unit: "KiB", base: base.map { ($0, memory[0]) }))
        }
    }
    return rows
}

/// From the first call, with nothing running, to its answer; and what the service holds in memory.
func measureService(_ scale: Scale) throws -> [Row] {
    let (service, floor) = (try Service(.settingsd), try Service(.disk))
    let large = try Service(.settingsd, keys: scale.sizes.last ?? 1)
    let largeName = "\(scale.sizes.last ?? 1)"
    let samples = try scale.interleave(
        [service, large, floor].map { service in
            {
                try service.end()
                return try microseconds { try service.get() }
            }
        })
    let idle = try service.memory()
    try service.pipeline(scale.operations * 50, setting: true)
    return [
        Row("start to the first answer", samples[0], unit: "µs", base: ("floor with flush", samples[2])),
        Row("start with a document of \(largeName)", samples[1], unit: "µs", base: ("1", samples[0])),
        Row("memory, idle", idle, unit: "KiB", base: ("floor with flush", try floor.memory())),
        Row("memory, after \(scale.operations * 50) sets", try service.memory(), unit: "KiB", base: ("idle", idle)),
        Row("memory, document of \(largeName)", try large.memory(), unit: "KiB", base: ("idle", idle)),
    ]
}
