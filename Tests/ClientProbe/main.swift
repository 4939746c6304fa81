import EventLoop
import Glibc
import SettingsClient

// What the tests want to know of a process of its own.
switch CommandLine.arguments.dropFirst().first {
case "append":
    // append LETTER COUNT: appends to the name, one update for each letter.
    let client = try await SettingsClient.connect()
    for _ in 0..<(Int(CommandLine.arguments[3]) ?? 0) {
        try await client.update { $0.profile.name += CommandLine.arguments[2] }
    }
case "conflict":
    // conflict ATTEMPTS: makes an update and prints why it failed.
    let client = try await SettingsClient.connect()
    do throws(ClientError) {
        try await client.update(attempts: Int(CommandLine.arguments[2]) ?? 1) { $0.profile.name += "x" }
    } catch {
        print(error.kind)
    }
case "leaks":
    try measureLeaks()
case "threads":
    try countThreads()
case "allocations":
    try countAllocations()
case "reads":
    let client = try SettingsClient.connectAndWait()
    let start = SuspendingClock.now
    var bytes = 0
    for _ in 0..<1_000_000 { bytes += client["profile.name"]?.string?.utf8.count ?? 0 }
    print("\((SuspendingClock.now - start) / 1_000_000) a read")
case let other:
    print("unknown: \(other ?? "")")
    exit(2)
}

/// Names in a folder, its own two included.
func count(_ folder: String) -> Int {
    guard let directory = opendir(folder) else { return -1 }
    defer { closedir(directory) }
    var number = 0
    while readdir(directory) != nil { number += 1 }
    return number
}

func counts() -> [Int] { [count("/proc/self/task"), count("/proc/self/fd")] }

/// Makes and drops clients and prints the numbers of threads and descriptors before and after.
func measureLeaks() throws {
    let loop = try EventLoop()
    let before = counts()
    for round in 0..<200 {
        let client = try SettingsClient.connectAndWait()
        try client.dispatchAndWait(.updateProfile(name: "\(round)"))
        let settings = ObservableSettings(client) { work in loop.post(work) }
        settings.observe { _ = $0.profile.name }
        var iterator = client.changes.makeAsyncIterator()
        withExtendedLifetime(iterator) {}
        iterator = client.changes.makeAsyncIterator()
        if round % 2 == 0 { client.close() }
    }
    // The threads end by themselves, a moment later.
    for _ in 0..<1000 where counts() != before { usleep(5000) }
    print("before \(before) after \(counts())")
}

/// Reads scalar settings and prints what each way of reading has allocated, as allocations.c counts.
func countAllocations() throws {
    guard let symbol = dlsym(nil, "allocation_count") else { return print("nobody counts") }
    let allocations = unsafeBitCast(symbol, to: (@convention(c) () -> UInt).self)
    let client = try SettingsClient.connectAndWait()
    let application = try ApplicationClient.connectAndWait(to: "org.example.Clock")
    func measure(_ name: String, _ read: () -> Int) {
        var sum = read()
        let before = allocations()
        for _ in 0..<10_000 { sum += read() }
        let count = allocations() - before
        print(name, count, sum > 0 ? "read" : "empty")
    }
    measure("profile.name") { client.profile.name.utf8.count }
    measure("subscript") { client["profile.name"]?.string?.utf8.count ?? 0 }
    measure("alias") { client["provider"]?.string?.utf8.count ?? 0 }
    measure("revision") { Int(client.revision) }
    measure("snapshot") { client.snapshot.values["profile.name"]?.string?.utf8.count ?? 0 }
    measure("text") { application["greeting"]?.string?.utf8.count ?? 0 }
    measure("number") { if case .integer(let number) = application["meeting.start"] { Int(number) } else { 0 } }
    measure("flag") { if case .boolean(let flag) = application["seconds"] { flag ? 1 : 0 } else { 0 } }
    measure("decoded text") { (try? application.value(of: "greeting", as: String.self))?.utf8.count ?? 0 }
    measure("decoded number") { (try? application.value(of: "meeting.start", as: Int.self)) ?? 0 }
    measure("decoded flag") { (try? application.value(of: "seconds", as: Bool.self)) == true ? 1 : 0 }
    // So that a counter that does not count is seen.
    measure("array") { Array(repeating: client.revision, count: 20).count }
}

/// An actor on a loop of the application's, which uses everything that is async.
actor Tenant {
    nonisolated let loop: EventLoop
    init(_ loop: EventLoop) { self.loop = loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(on clientLoop: EventLoop?) {
        Task {
            do {
                try await use(try await SettingsClient.connect(on: clientLoop))
            } catch {
                print(error)
            }
            loop.stop()
        }
    }

    private func use(_ client: SettingsClient) async throws {
        try await client.dispatch(.updateProfile(name: "Ada"))
        _ = try await client.preview(.signOut)
        try await client.update { $0.profile.name += "!" }
        let values = Task { try await show(client) }
        var seen = 0
        for await event in client.changes {
            print("event", event)
            seen += 1
            if seen == 2 { break }
            Task { try await rename(client) }
        }
        values.cancel()
        loop.checkIsolated()
    }

    private func show(_ client: SettingsClient) async throws {
        for await value in try client.values(of: "profile.name") { print("value", value.string ?? "") }
    }

    private func rename(_ client: SettingsClient) async throws {
        try await client.dispatch(.updateProfile(name: "Bob"))
    }
}

/// Uses the client from an actor on an event loop, without and with a thread of the client's own, and prints how many
/// threads there are then: none must be the default executor's.
func countThreads() throws {
    let loop = try EventLoop()
    let tenant = Tenant(loop)
    for clientLoop in [loop, nil] {
        loop.post { tenant.assumeIsolated { $0.start(on: clientLoop) } }
        loop.run()
        print("threads \(count("/proc/self/task") - 2)")
    }
}
