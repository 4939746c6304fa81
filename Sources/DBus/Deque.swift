/// A queue that both ends can be taken from, at no cost that grows with its length; what was taken is not kept.
struct Deque<Element> {
    /// Those before `start` are nil.
    private var items: [Element?] = []
    private var start = 0

    var isEmpty: Bool { start == items.count }
    var count: Int { items.count - start }

    mutating func append(_ element: Element) { items.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let first = items[start]
        items[start] = nil
        start += 1
        if start > items.count / 2 {
            items.removeFirst(start)
            start = 0
        }
        return first
    }

    mutating func popLast() -> Element? { isEmpty ? nil : items.removeLast() }
}
