/// A queue of fixed capacity from one thread to another: a slow writer slows the reader, and memory stays bounded.
package struct HandOff<Element: ~Copyable & Sendable>: Sendable {
  private struct Queue: ~Copyable, Sendable {
    var slots: InlineArray<4, Element?>
    var first = 0
    var count = 0
    var isClosed = false
  }

  package static var capacity: Int { 4 }

  private let queue = Monitor(Queue(slots: InlineArray { _ in nil }))

  package init() {}

  /// Waits for a free slot; drops the element and returns false if the queue is closed.
  package func send(_ element: consuming Element) -> Bool {
    var element: Element? = element
    return queue.when({ $0.isClosed || $0.count < Self.capacity }) { queue in
      guard !queue.isClosed else { return false }
      queue.slots[(queue.first + queue.count) % Self.capacity] = element.take()
      queue.count += 1
      return true
    }
  }

  /// Waits for a value; returns nil once the queue is closed and empty.
  package func receive() -> Element? {
    queue.when({ $0.isClosed || $0.count > 0 }) { queue in
      guard queue.count > 0 else { return nil }
      defer {
        queue.first = (queue.first + 1) % Self.capacity
        queue.count -= 1
      }
      return queue.slots[queue.first].take()
    }
  }

  /// Closes the queue to new values; queued ones can still be received.
  package func close() { queue.with { $0.isClosed = true } }
}
