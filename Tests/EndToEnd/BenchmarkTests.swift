import Foundation
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct BenchmarkTests {
    @Test func everyBenchmarkMeasuresSomething() throws {
        let folder = try TemporaryFolder()
        let benchmark = try RunningProcess(
            Products.path("Benchmark"), ["--tiny", "--json", folder.path("rows")],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        let status = try benchmark.waitForExit(within: .seconds(100))
        #expect(status == .exited(0), "\(benchmark.log)")
        let rows = try JSONParser.parse(Array((folder.read("rows") ?? "").utf8)).root.array ?? []
        #expect(rows.count >= 17, "\(benchmark.log)")
        for row in rows {
            let members = try #require(row.object)
            #expect((members["median"]?.number?.double ?? 0) > 0, "\(members)")
            #expect(members["base"] == nil || (members["ratio"]?.number?.double ?? 0) > 0, "\(members)")
        }
    }
}
