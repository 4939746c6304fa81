/// One line of the report: what was measured, and how it compares with something measured in turn with it.
struct Row {
    let name: String
    let unit: String
    let samples: [Double]
    /// What it is compared with, and the ratios of the samples that were taken in the same round.
    var base: (name: String, ratios: [Double])?

    /// A row for one figure that does not vary.
    init(_ name: String, _ figure: Double, unit: String, base: (name: String, figure: Double)? = nil) {
        self.name = name
        self.unit = unit
        samples = [figure]
        self.base = base.map { ($0.name, [figure / $0.figure]) }
    }

    init(_ name: String, _ samples: [Double], unit: String, base: (name: String, samples: [Double])? = nil) {
        self.name = name
        self.unit = unit
        self.samples = samples
        self.base = base.map { base in (base.name, zip(samples, base.samples).map { $0 / $1 }) }
    }

    func quantile(_ share: Double) -> Double { samples.quantile(share) }

    var ratio: Double? { base?.ratios.quantile(0.5) }
}

extension [Double] {
    func quantile(_ share: Double) -> Double {
        if isEmpty { return .nan }
        return sorted()[Int((Double(count - 1) * share).rounded())]
    }
}

/// How much is measured.
struct Scale {
    var rounds: Int
    /// Operations a round.
    var operations: Int
    var sizes: [Int]
    var subscribers: [Int]
    var processes: Int
    var schemas: Int
    /// In one list.
    var records: Int

    static let full = Scale(
        rounds: 60, operations: 40, sizes: [1, 1000, 10_000, 50_000], subscribers: [1, 10, 100, 300], processes: 150,
        schemas: 100, records: 10_000)
    /// Enough to see that every part works.
    static let tiny = Scale(
        rounds: 2, operations: 3, sizes: [1, 100], subscribers: [1, 3], processes: 2, schemas: 3, records: 10)

    /// Takes samples in turn, each round beginning with another one, so that whatever disturbs the machine disturbs all.
    ///
    /// - Returns: the samples of each.
    func interleave(_ parts: [() throws -> Double], rounds: Int? = nil) throws -> [[Double]] {
        var samples = parts.map { _ in [Double]() }
        for part in parts { _ = try part() }
        for round in 0..<(rounds ?? self.rounds) {
            for offset in parts.indices {
                let index = (round + offset) % parts.count
                samples[index].append(try parts[index]())
            }
        }
        return samples
    }
}

/// Microseconds that some work takes.
func microseconds(_ work: () throws -> Void) rethrows -> Double {
    let duration = try SuspendingClock().measure(work).components
    return Double(duration.seconds) * 1e6 + Double(duration.attoseconds) / 1e12
}
