internal import Glibc

/// Runs something that may block in a system call, which is interrupted when time has run out.
///
/// Connecting to a bus whose queue of newcomers is full blocks, and libdbus offers no other way; a signal in between makes
/// it fail.
func withTimeLimit<Success, Problem: Error>(
    _ limit: Duration, _ work: () throws(Problem) -> Success
) throws(Problem) -> Success {
    let realTime = __itimer_which_t(ITIMER_REAL.rawValue)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    var before = sigaction()
    _ = unsafe sigaction(SIGALRM, &action, &before)
    var timer = itimerval()
    let microseconds = max(1000, limit.attoseconds / 1_000_000_000_000)
    timer.it_value = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
    // Once more in case the first one came just before the system call.
    timer.it_interval = timeval(tv_sec: 0, tv_usec: 100_000)
    _ = unsafe setitimer(realTime, &timer, nil)
    defer {
        timer = itimerval()
        _ = unsafe setitimer(realTime, &timer, nil)
        _ = unsafe sigaction(SIGALRM, &before, nil)
    }
    return try work()
}
