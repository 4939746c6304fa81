import EventLoop
import ExampleSupport
import Foundation

/// The program in which somebody edits a text.
struct Editor {
    /// A command line for sh(1), to which the file's name is added.
    let command: String

    /// The editor that somebody has chosen (environ(7)), else one that is there.
    init() throws(Failure) {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        let installed = ["vi", "nano"].first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
        let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let command = chosen ?? installed else {
            throw Failure(
                "no editor was found", hint: "set EDITOR to the command of the one you like, or give the text: notes new -")
        }
        self.command = command
    }

    /// Runs the editor and serves the loop until it has ended.
    ///
    /// - Throws: where it cannot be started, or ends by a signal or with a status that is not 0.
    func edit(_ path: String, on loop: EventLoop) throws(Failure) {
        // The keys that send these are the editor's as long as it runs.
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            _ = signal(SIGINT, interrupt)
            _ = signal(SIGQUIT, quit)
        }
        _ = signal(SIGCHLD, SIG_DFL)
        var status: Int32?
        let child: pid_t
        let ends: SignalSource
        do throws(EventLoopError) {
            var ended: pid_t = 0
            ends = try loop.onSignals([SIGCHLD]) { _ in
                var code: Int32 = 0
                if waitpid(ended, &code, WNOHANG) == ended { status = code }
            }
            child = try start(path)
            ended = child
        } catch {
            throw Failure("cannot run \(command): \(error)")
        }
        defer { ends.cancel() }
        loop.run(until: { status != nil })
        guard let status, status != 0 else { return }
        let signal = status & 0x7F
        let ending = signal == 0 ? "has ended with exit status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
        throw Failure("\(command) \(ending); nothing was changed")
    }

    /// Starts the editor with a clean signal mask. Its shell gets the keys, too, and leaves them to the editor.
    private func start(_ path: String) throws(EventLoopError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isatty(STDOUT_FILENO) == 0 { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let line = ["sh", "-c", "trap : INT QUIT; \(command) \"$@\"", command, path]
        let words = line.map { word in strdup(word) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let refusal = posix_spawnp(&child, "sh", &actions, &attributes, words + [nil], environ)
        guard refusal == 0 else { throw EventLoopError(call: "posix_spawn", code: refusal) }
        return child
    }
}
