import EventLoop
import Foundation
public import SettingsClient
import SettingsCommand

extension Invocation {
    /// Shows a report now and whenever anything changes that it was made of, until the user or the reader has enough: drawn
    /// anew on a terminal, else each one behind the other.
    ///
    /// - Parameters:
    ///   - client: whose settings are followed.
    ///   - begin: gets a closure that makes and shows the report anew, for what changes without the settings, such as the
    ///     time; to be called on the loop.
    ///   - make: makes the report. What it throws ends the program.
    public func follow<Content: Report>(
        _ client: ApplicationClient, begin: (_ again: @escaping () -> Void) throws -> Void = { _ in },
        _ make: @escaping (ObservableApplication) throws -> Content
    ) throws {
        tellProblems()
        let loop = try loop()
        let screen = Screen(self)
        let settings = ObservableApplication(client) { work in loop.post(work) }
        var failure: (any Error)?
        var isOver = false
        let draw = { [unowned settings] in
            var problems = settings.problems
            do {
                // The service announces a change before what is wrong with the file that has made it.
                if settings.loss == nil { problems = self.problems(of: try client.statusAndWait()) }
            } catch {
                // Who has gone meanwhile is told of as a loss.
            }
            self.tell(problems, quietly: screen.isDrawn)
            do {
                try screen.show(make(settings), settings.loss)
            } catch {
                failure = error
            }
        }
        try loop.onSignals([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]) { signal in
            switch signal {
            case SIGWINCH: screen.draw()
            case SIGTSTP:
                // The shell gets the terminal as it was; the next line is reached when it lets the program go on.
                screen.end()
                raise(SIGSTOP)
                screen.begin()
            default: isOver = true
            }
        }
        do throws(EventLoopError) {
            // Who reads the output may go, which writing would tell only at the next change.
            try loop.watch(STDOUT_FILENO, for: []) { _ in isOver = true }
        } catch {
            // A file has no reader that could go.
        }
        screen.begin()
        defer { screen.end() }
        try screen.readKeys(on: loop) { key in if key == UInt8(ascii: "q") { isOver = true } }
        try begin(draw)
        let observer = settings.observe { _ in draw() }
        loop.run(until: { isOver || failure != nil })
        observer.cancel()
        if let failure { throw failure }
    }
}

/// What a report is shown on, again and again.
private final class Screen {
    private let invocation: Invocation
    private var lines: ((Int) -> [Line])?
    private var last: String?
    private var loss: ClientError?
    let isDrawn: Bool
    private let keyboard: Keyboard?

    init(_ invocation: Invocation) {
        self.invocation = invocation
        isDrawn = Terminal.canRedraw && !invocation.has("json")
        keyboard = isDrawn ? Keyboard() : nil
    }

    /// Calls for each key that is pressed, on the loop.
    func readKeys(on loop: EventLoop, _ pressed: @escaping (UInt8) -> Void) throws(EventLoopError) {
        try keyboard?.read(on: loop, pressed)
    }

    /// Takes the terminal's other screen, without a cursor (xterm's control sequences), and shows there what there is.
    func begin() {
        if isDrawn { Terminal.write("\u{1B}[?1049h\u{1B}[?25l") }
        keyboard?.take()
        draw()
    }

    /// Gives the terminal back as it was.
    func end() {
        keyboard?.giveBack()
        if isDrawn { Terminal.write("\u{1B}[?25h\u{1B}[?1049l") }
    }

    func show(_ report: some Report, _ loss: ClientError?) throws {
        if let loss, loss != self.loss, !isDrawn {
            invocation.report(Failure("\(loss.message); waiting for it to come back", name: loss.name))
        }
        self.loss = loss
        lines = { [invocation] in invocation.lines(of: report, width: $0) }
        if isDrawn { return draw() }
        let text =
            invocation.has("json")
            ? try json(report) : invocation.lines(of: report, width: .max).map(\.text).joined(separator: "\n")
        if text == last { return }
        let isApart = last != nil && !invocation.has("json")
        last = text
        if text.isEmpty { return }
        invocation.write(text: (isApart ? "\n" : "") + text + "\n")
    }

    /// Draws what was shown last at the terminal's present size, in one go so that nothing flickers.
    func draw() {
        guard isDrawn, let size = Terminal.size, let lines else { return }
        var shown = lines(size.width)
        let wrong = invocation.problems.sentences + (loss.map { ["\($0.message); waiting for it to come back"] } ?? [])
        // All of it, as far as it leaves a part of the screen: what to do stands at its end.
        let state = wrong.flatMap { $0.withControlsEscaped.wrapped(to: size.width) }.map { Line($0, .red) }.suffix(
            size.height / 2)
        let end = keyboard == nil || size.height < 6 ? [] : [Line("q ends", .dim)]
        let room = size.height - state.count - end.count
        if shown.count > room {
            let hidden = shown.dropFirst(max(0, room - 1)).reduce(0) { $0 + $1.count }
            shown = shown.prefix(max(0, room - 1)) + ["… \(hidden) more lines"]
        }
        shown += state + end
        // Each line is cleared before it is written: behind one that is as wide as the screen, its last cell would go.
        let text = shown.map { "\u{1B}[K" + $0.shown(width: size.width, isColoured: Terminal.isColoured) }
        Terminal.write("\u{1B}[H" + text.joined(separator: "\n") + (shown.count < size.height ? "\n\u{1B}[J" : ""))
    }
}
