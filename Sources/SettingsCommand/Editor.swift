package import EventLoop
internal import Glibc

/// The program in which somebody edits a text.
package struct Editor {
    /// A command line for sh(1), to which the file's name is added.
    package let command: String

    /// The editor that somebody has chosen, else one that is there (environ(7)).
    ///
    /// - Throws: `Failed` where there is none.
    package init() throws(Failure) {
        for name in ["VISUAL", "EDITOR"] {
            if let chosen = Environment.variable(name), !chosen.isEmpty {
                command = chosen
                return
            }
        }
        guard let found = ["sensible-editor", "nano", "vi"].first(where: Self.isInstalled) else {
            throw .failed("no editor was found", hint: "set EDITOR to the command of the one you like")
        }
        command = found
    }

    private static func isInstalled(_ program: String) -> Bool {
        (Environment.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { folder in
            unsafe access("\(folder)/\(program)", X_OK) == 0
        }
    }

    /// Lets somebody edit a file and waits for the end of that.
    ///
    /// - Throws: `Failed` where the editor cannot be started, or ends by a signal or with a status that is not 0.
    package func edit(_ path: String, loop: EventLoop) throws(Failure) {
        // The keys that send these are the editor's as long as it runs; its shell, which resets them for the editor, gets them
        // too.
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            _ = signal(SIGINT, interrupt)
            _ = signal(SIGQUIT, quit)
        }
        let processes = try ChildProcess(loop: loop)
        var ending: ChildProcess.Ending?
        try processes.start(
            ["sh", "-c", "trap : INT QUIT; \(command) \"$@\"", command, path], input: nil,
            output: isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
        ) { ending = $0 }
        loop.run(until: { ending != nil })
        switch ending {
        case .status(0), nil: return
        case .status(let status): throw .failed("\(command) has ended with exit status \(status); nothing was changed")
        case .signal(let signal): throw .failed("\(command) was ended by signal \(signal); nothing was changed")
        }
    }
}
