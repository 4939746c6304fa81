import SettingsClient

/// The settings as the program sees them; a section of the schema is a structure.
struct Clock: Codable {
    struct Meeting: Codable { var start: Int }
    var zones: [String]
    var meeting: Meeting
}

do {
    let settings = try await SettingsClient.connect(application: "org.example.WorldClock")
    do {
        // An action of the schema's, by name, with its arguments.
        for zone in CommandLine.arguments.dropFirst() { try await settings.dispatch("AddZone", ["zone": .string(zone)]) }
        // Reads, writes, and tries again should somebody else change something in between.
        try await settings.update(as: Clock.self) { clock in clock.meeting.start += 1 }
    } catch {
        print("refused: \(error.message)")
    }
    let clock = try settings.settings(as: Clock.self)
    print("\(clock.zones.joined(separator: ", ")) from \(clock.meeting.start):00")

    // One setting, as it is now and whenever it changes, in the program's type.
    for try await hour in try settings.values(of: "meeting.start", as: Int.self) { print("meetings begin at \(hour):00") }
} catch {
    // Where the schema is not installed, the message names the file and the folders.
    print("no settings: \(error.message)")
}
