import EventLoop
import Foundation

/// The keys of the terminal that a program is typed at, each by itself and without an echo (termios(3)).
final class Keyboard {
    private let normal: termios

    /// - Returns: nil where the standard input is no terminal, or another job's: changing that would stop the program.
    init?() {
        var state = termios()
        guard tcgetattr(STDIN_FILENO, &state) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        normal = state
    }

    /// Takes keys as they are pressed; those of signals, as Ctrl-C, stay such.
    func take() {
        var state = normal
        state.c_lflag &= ~tcflag_t(ECHO | ICANON)
        set(state)
    }

    /// Gives the terminal back as it was.
    func giveBack() { set(normal) }

    private func set(_ state: termios) {
        // Another job may have the terminal by now.
        guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        var state = state
        tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }

    func read(on loop: EventLoop, _ pressed: @escaping (UInt8) -> Void) throws(EventLoopError) {
        var watch: FileSource?
        watch = try loop.watch(STDIN_FILENO, for: .readable) { _ in
            var keys = [UInt8](repeating: 0, count: 64)
            let count = Foundation.read(STDIN_FILENO, &keys, keys.count)
            if count > 0 { keys[..<count].forEach(pressed) } else { watch?.cancel() }
        }
    }
}
