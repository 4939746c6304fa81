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

    @Test func aTimerNeverFiresBeforeItsTime() throws {
        let loop = try EventLoop()
        for delay in [Duration.zero, .microseconds(10), .microseconds(1500), .milliseconds(7)] {
            let start = Moment.now
            var fired: Moment?
            let timer = loop.schedule(after: delay) { fired = Moment.now }
            #expect(loop.run(until: { fired != nil }, timeout: .seconds(20)))
            #expect(try #require(fired) >= start + delay)
            #expect(timer.fireTime >= start + delay)
        }
    }

    @Test func theLoopSleepsUntilATimerIsDue() throws {
        let loop = try EventLoop()
        var isFired = false
        var turns = 0
        loop.schedule(after: .microseconds(10_900)) { isFired = true }
        loop.run(until: {
            turns += 1
            return isFired
        })
        #expect(turns < 5)
    }

    @Test func aCancelledTimerDoesNotFire() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        let timer = loop.schedule(after: .milliseconds(1)) { fired.append("cancelled") }
        timer.cancel()
        timer.cancel()
        #expect(!loop.run(until: { !fired.isEmpty }, timeout: .milliseconds(20)))
    }

    @Test func aTimerCancelledByAnotherOneOfTheSameMomentDoesNotFire() throws {
        let loop = try EventLoop()
        var timers: [Timer] = []
        var fired = 0
        for _ in 0..<2 {
            timers.append(
                loop.schedule(after: .zero) {
                    fired += 1
                    for timer in timers { timer.cancel() }
                })
        }
        #expect(!loop.run(until: { fired > 1 }, timeout: .milliseconds(20)))
        #expect(fired == 1)
    }

    @Test func aTimerThatStartsTheNextOneLetsOthersHaveTheirTurn() throws {
        let loop = try EventLoop()
        var rounds = 0
        var isPosted = false
        func again() {
            rounds += 1
            if rounds == 10 { loop.afterTurn { isPosted = true } }
            if !isPosted, rounds < 1000 { loop.schedule(after: .zero, handler: again) }
        }
        again()
        #expect(loop.run(until: { isPosted }, timeout: .seconds(20)))
        #expect(rounds <= 12)
    }

    @Test func manyTimersFireInOrderAndTheCancelledOnesNever() throws {
        let loop = try EventLoop()
        var order: [Int] = []
        var timers: [Timer] = []
        for number in 0..<2000 {
            // The remainders of a prime step through all delays in a scattered order.
            timers.append(loop.schedule(after: .microseconds(number * 7919 % 2003 * 10)) { order.append(number) })
        }
        for number in stride(from: 0, to: 2000, by: 3) { timers[number].cancel() }
        let expected = (0..<2000).filter { $0 % 3 != 0 }
        #expect(loop.run(until: { order.count >= expected.count }, timeout: .seconds(20)))
        #expect(order.sorted() == expected)
        let times = order.map { timers[$0].fireTime }
        #expect(times == times.sorted())
    }

    @Test func aTimerOfManyYearsNeitherFiresNorSpins() throws {
        let loop = try EventLoop()
        var isFired = false
        loop.schedule(after: .seconds(1_000_000_000)) { isFired = true }
        #expect(!loop.run(until: { isFired }, timeout: .milliseconds(20)))
    }

    @Test func runGivesUpWhenTimeHasRunOut() throws {
        let loop = try EventLoop()
        let start = Moment.now
        #expect(!loop.run(until: { false }, timeout: .milliseconds(30)))
        #expect(Moment.now - start >= .milliseconds(30))
        #expect(loop.run(until: { true }, timeout: .zero))
    }
}
