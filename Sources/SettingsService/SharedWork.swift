/// Work that many may ask for at the same time: all who ask while it is under way share the next time. Loop-confined.
final class SharedWork {
    private let work: (@escaping () -> Void) -> Void
    private var isUnderWay = false
    /// Who waits for a time that has not begun.
    private var waiting: [() -> Void] = []

    /// - Parameter work: calls back when it is done.
    init(_ work: @escaping (@escaping () -> Void) -> Void) { self.work = work }

    /// Has the work done from its beginning, at once or after the time that is under way.
    ///
    /// - Parameter completion: is called when it is done.
    func ask(completion: @escaping () -> Void) {
        waiting.append(completion)
        if !isUnderWay { begin() }
    }

    private func begin() {
        isUnderWay = true
        let completions = waiting
        waiting = []
        work { [self] in
            for completion in completions { completion() }
            isUnderWay = false
            if !waiting.isEmpty { begin() }
        }
    }
}
