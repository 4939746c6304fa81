import DBus
import EventLoop
import SettingsClient

/// Calls of one client, beside the floor's.
func measureCalls(_ scale: Scale) throws -> [Row] {
    let (service, memory, disk) = (try Service(.settingsd), try Service(.memory), try Service(.disk))
    let count = Double(scale.operations)
    func compare(
        _ name: String, with floor: Service, called base: String, _ operation: @escaping (Service) throws -> Void
    ) throws -> Row {
        let samples = try scale.interleave(
            [service, floor].map { service in { try microseconds { try operation(service) } / count } })
        return Row(name, samples[0], unit: "µs", base: (base, samples[1]))
    }
    func each(_ work: @escaping (Service) throws -> Void) -> (Service) throws -> Void {
        { service in for _ in 0..<scale.operations { try work(service) } }
    }
    return [
        try compare("call, one at a time", with: memory, called: "floor in memory", each { try $0.get() }),
        try compare("call, pipelined", with: memory, called: "floor in memory") {
            try $0.pipeline(scale.operations, setting: false)
        },
        try compare("durable set, one at a time", with: disk, called: "floor with flush", each { try $0.set() }),
        try compare("durable set, pipelined", with: disk, called: "floor with flush") {
            try $0.pipeline(scale.operations, setting: true)
        },
    ]
}

/// The same set beside ever larger documents.
func measureGrowth(_ scale: Scale) throws -> [Row] {
    let services = try scale.sizes.map { try Service(.settingsd, keys: $0) }
    let samples = try scale.interleave(
        services.map { service in
            { try microseconds { for _ in 0..<scale.operations { try service.set() } } / Double(scale.operations) }
        })
    return zip(scale.sizes, samples).map { size, own in
        Row("durable set, document of \(size)", own, unit: "µs", base: ("\(scale.sizes[0])", samples[0]))
    }
}

/// From the start of a set to the last of many listeners.
func measureNotification(_ scale: Scale) throws -> [Row] {
    let services = [try Service(.settingsd), try Service(.disk)]
    return try scale.subscribers.map { count in
        let parts = try services.map { service in try listen(to: service, count) }
        let samples = try scale.interleave(parts)
        return Row("set to the last of \(count) listeners", samples[0], unit: "µs", base: ("floor with flush", samples[1]))
    }
}

private func listen(to service: Service, _ count: Int) throws -> () throws -> Double {
    let connections = try (0..<count).map { _ in
        try Connection.open(address: service.session.bus.address, loop: service.connection.loop)
    }
    var heard = 0
    var ready = 0
    for connection in connections {
        connection.subscribe(service.changed) { _ in heard += 1 }
        connection.owner(of: service.name) { _ in ready += 1 }
    }
    service.connection.loop.run(until: { ready == count })
    return {
        // The connections live as long as this does.
        let expected = heard + connections.count
        return try microseconds {
            try service.set()
            service.connection.loop.run(until: { heard >= expected })
        }
    }
}

/// Reading the client library's copy, beside asking the service.
func measureReading(_ scale: Scale) throws -> [Row] {
    let service = try Service(.settingsd)
    let client = try SettingsClient.connectAndWait(address: service.session.bus.address)
    defer { client.close() }
    let count = scale.operations * 100
    let samples = try scale.interleave([
        { microseconds { for _ in 0..<count { _ = client.profile.name } } / Double(count) },
        { try microseconds { try service.get() } },
    ])
    return [Row("read of the client's copy", samples[0], unit: "µs", base: ("call", samples[1]))]
}
