internal import CLinux
internal import EventLoop
internal import Glibc

/// Starts programs, one at a time, and tells when each has ended. Loop-confined.
final class ChildProcess {
    private var running: (id: pid_t, ended: (Ending) -> Void)?
    private var signals: SignalSource?

    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    init(loop: EventLoop) throws(Failure) {
        // Where it was ignored before, as a parent may leave it, ended programs would leave no status behind.
        _ = signal(SIGCHLD, SIG_DFL)
        do throws(EventLoopError) {
            signals = try loop.onSignals([SIGCHLD]) { [weak self] _ in self?.reap() }
        } catch {
            throw .failed("cannot listen for the end of programs: \(error)")
        }
    }

    /// Whether a program is still at work.
    var isRunning: Bool { running != nil }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: its name, looked up in $PATH, and its arguments.
    ///   - input: what it reads on its standard input; nil: ours.
    ///   - output: the descriptor that is its standard output.
    ///   - ended: called once it has ended.
    /// - Throws: `Failed` where it cannot be started.
    func start(
        _ words: [String], input: [UInt8]?, output: Int32 = STDOUT_FILENO, ended: @escaping (Ending) -> Void
    ) throws(Failure) {
        let file = try input.map { bytes throws(Failure) in try Self.memoryFile(bytes) }
        defer { if let file { close(file) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let file { unsafe posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO) }
        if output != STDOUT_FILENO { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        var attributes = Self.cleanSignals()
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        let arguments = CStrings(words)
        var id: pid_t = 0
        let refusal = unsafe posix_spawnp(&id, words[0], &actions, &attributes, arguments.pointers, linux_environ())
        guard refusal == 0 else { throw .failed("cannot start \(words[0]): \(systemMessage(refusal))") }
        running = (id, ended)
    }

    /// The program gets no signal blocked or ignored, whatever is here.
    private static func cleanSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// A file in memory with these bytes, to be read from its beginning: unlike a pipe it takes them at once, whether
    /// the program reads them or not.
    private static func memoryFile(_ bytes: [UInt8]) throws(Failure) -> Int32 {
        let file = unsafe linux_memory_file("settingsctl event")
        guard file >= 0 else { throw .failed("cannot hand the event over: \(systemMessage(errno))") }
        let code = writeAll(bytes, to: file)
        guard code == 0, lseek(file, 0, SEEK_SET) == 0 else {
            close(file)
            throw .failed("cannot hand the event over: \(systemMessage(code))")
        }
        return file
    }

    private func reap() {
        guard let (id, ended) = running else { return }
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, WNOHANG) == id else { return }
        running = nil
        let signal = status & 0x7F
        ended(signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal))
    }
}
