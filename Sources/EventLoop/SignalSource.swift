internal import CLinux
internal import Glibc

/// Signals that arrive as events of the loop; made by `EventLoop.onSignals(_:handler:)`.
///
/// Loop-confined; the loop keeps it until it is cancelled.
public final class SignalSource {
    private let fd: Int32
    private var source: FileSource?

    init(loop: EventLoop, signals: [Int32], handler: @escaping (Int32) -> Void) throws(EventLoopError) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals {
            guard sigaddset(&mask, signal) == 0 else { throw EventLoopError(call: "sigaddset", code: errno) }
        }
        let refusal = pthread_sigmask(SIG_BLOCK, &mask, nil)
        guard refusal == 0 else { throw EventLoopError(call: "pthread_sigmask", code: refusal) }
        fd = signalfd(-1, &mask, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        guard fd >= 0 else { throw EventLoopError(call: "signalfd", code: errno) }
        do {
            let fd = fd
            source = try loop.watch(fd, for: .readable) { [weak self] _ in
                // The handler may cancel the source, which closes the descriptor.
                while let self, self.source != nil, let signal = Self.next(from: fd) { handler(signal) }
            }
        } catch {
            close(fd)
            throw error
        }
        loop.signalSources.append(self)
        self.loop = loop
    }

    private weak var loop: EventLoop?

    /// Stops listening. The signals stay blocked, so that one that comes late does not end the process.
    public func cancel() {
        guard let source else { return }
        source.cancel()
        self.source = nil
        loop?.signalSources.removeAll { $0 === self }
        close(fd)
    }

    deinit {
        if source != nil { close(fd) }
    }

    private static func next(from fd: Int32) -> Int32? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(fd, &info, size) == size ? Int32(info.ssi_signo) : nil
    }
}
