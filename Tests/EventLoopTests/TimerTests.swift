import EventLoop
import Testing

struct TimerTests {
    @Test func timersFireInTheOrderOfTheirTimes() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        for delay in [5, 1, 3, 2, 4] {
            loop.schedule(after: .milliseconds(delay * 10)) { fired.append(delay) }
        }
        #expect(loop.run(until: { fired.count == 5 }, timeout: .seconds(20)))
        #expect(fired == [1, 2, 3, 4, 5])
    }
}
