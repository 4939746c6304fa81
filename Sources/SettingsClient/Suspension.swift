/// Suspends the caller's task until the continuation is resumed, without Swift's default executor.
///
/// A continuation that is resumed enqueues its task as one without a place, and only then does the task go on to the actor
/// that it belongs to. Without a preference the first step is the default executor's, which starts threads and a monitor
/// that wakes the process each second. Here it is made at once, on the thread that resumes.
///
/// - Parameters:
///   - begin: gets the continuation; called on the caller's thread.
///   - cancelled: called on any thread when the task is cancelled.
func suspend<Answer: Sendable>(
    _ begin: (CheckedContinuation<Answer, Never>) -> Void, onCancel cancelled: @Sendable () -> Void = {}
) async -> Answer {
    await withTaskExecutorPreference(ResumingThread.shared) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin($0) }
        } onCancel: {
            cancelled()
        }
    }
}

/// Runs what it is given on the thread that gives it, at once.
private final class ResumingThread: TaskExecutor {
    static let shared = ResumingThread()

    func enqueue(_ job: consuming ExecutorJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
