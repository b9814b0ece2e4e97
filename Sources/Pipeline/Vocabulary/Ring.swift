package import SQLiteSwiftly
import Platform

/// A batch of rows of one table.
package struct Delivery: ~Copyable, Sendable {
  package var rows: RowBatch
  package var table = 0
  /// Whether they complete the table.
  package var isLast = false
  /// The work left once they are inserted; nil for none.
  fileprivate var rest: Ring.Rest?
}

/// The batches that circulate between the reading and the writing thread: a slow writer slows the reader, and memory stays
/// bounded.
///
/// What remains to be done with inserted rows is done by the thread that would otherwise wait. With a thread of its own for
/// it, two cores were idle for a sixth of the time, while one of the three waited for another on the same core.
package struct Ring: Sendable {
  /// Work with the rows of a batch; returns whether the load can continue.
  package typealias Rest = @Sendable (borrowing Delivery) -> Bool

  /// The batches of a ring: with four, the threads wait for each other, and a load takes 2 to 4 % longer.
  package static let size = 8

  private struct Queue: ~Copyable, Sendable {
    private var slots = InlineArray<8, Delivery?> { _ in nil }
    private var first = 0
    private(set) var count = 0

    mutating func append(_ delivery: consuming Delivery) {
      slots[(first + count) % slots.count] = consume delivery
      count += 1
    }

    mutating func takeFirst() -> Delivery? {
      guard count > 0 else { return nil }
      defer {
        first = (first + 1) % slots.count
        count -= 1
      }
      return slots[first].take()
    }
  }

  private enum Turn: ~Copyable {
    case batch(Delivery)
    /// A batch whose rest the thread must do.
    case rest(Delivery)
    case over
  }

  private struct Batches: ~Copyable, Sendable {
    var free = Queue()
    /// Those on their way to the writer.
    var filled = Queue()
    /// Those whose rows were inserted, and whose rest is not done.
    var inserted = Queue()
    /// Whether a thread is doing the rest of a batch: it is done in order.
    var isBusy = false
    /// Whether the reader has sent everything.
    var isComplete = false
    /// Whether threads no longer wait for one another.
    var isOver = false
    /// The time that each thread has waited, without the work that it did meanwhile.
    var (readerWaited, writerWaited) = (Duration.zero, Duration.zero)

    func hasTurn(ofWriter: Bool) -> Bool {
      (ofWriter ? filled.count : free.count) > 0 || isOver || inserted.count > 0 && !isBusy
        || ofWriter && isComplete && !isBusy
    }

    mutating func takeTurn(ofWriter: Bool, after wait: Duration) -> Turn {
      if ofWriter { writerWaited += wait } else { readerWaited += wait }
      if isOver { return .over }
      if let batch = ofWriter ? filled.takeFirst() : free.takeFirst() { return .batch(batch) }
      guard let batch = inserted.takeFirst() else { return .over }
      isBusy = true
      return .rest(batch)
    }

    mutating func giveBack(_ delivery: consuming Delivery?) {
      guard !isOver, let delivery else { return }
      if delivery.rest == nil {
        free.append(delivery)
      } else {
        inserted.append(delivery)
      }
    }
  }

  private let batches = Monitor(Batches())

  package init(cells: Int, textCapacity: Int) {
    for _ in 0..<Self.size {
      giveBack(Delivery(rows: RowBatch(cells: cells, textCapacity: textCapacity)))
    }
  }

  /// Waits for an empty batch; nil once the ring has ended.
  fileprivate func takeFree() -> Delivery? { take(ofWriter: false) }

  /// Sends a batch to the writer; false if the ring is closed or has ended.
  fileprivate func send(_ delivery: consuming Delivery) -> Bool {
    var delivery: Delivery? = delivery
    return batches.with { batches in
      guard !batches.isComplete, !batches.isOver, let delivery = delivery.take() else {
        return false
      }
      batches.filled.append(delivery)
      return true
    }
  }

  /// Marks the end of the rows.
  fileprivate func close() { batches.with { $0.isComplete = true } }

  /// Waits for a batch with rows; nil once the reader has sent everything and nothing remains to be done with it, or if the
  /// ring has ended.
  package func next() -> Delivery? { take(ofWriter: true) }

  /// The seconds that each thread has waited for the other.
  package var secondsWaited: (reader: Double, writer: Double) {
    batches.with { ($0.readerWaited.seconds, $0.writerWaited.seconds) }
  }

  /// Returns a batch to the reader, after the rest of the work with it, which any thread of the ring may do: one batch
  /// after another, in this order.
  package func giveBack(_ delivery: consuming Delivery, after rest: Rest? = nil) {
    delivery.rest = rest
    var delivery: Delivery? = delivery
    batches.with { $0.giveBack(delivery.take()) }
  }

  /// Ends the ring, so that no thread waits for another, and releases its batches.
  package func end() {
    batches.with { batches in
      batches.isOver = true
      while batches.free.takeFirst() != nil {}
      while batches.filled.takeFirst() != nil {}
      while batches.inserted.takeFirst() != nil {}
    }
  }

  private func take(ofWriter: Bool) -> Delivery? {
    while true {
      let start = ContinuousClock.now
      let turn = batches.when({ $0.hasTurn(ofWriter: ofWriter) }) {
        $0.takeTurn(ofWriter: ofWriter, after: ContinuousClock.now - start)
      }
      switch consume turn {
      case .batch(let delivery): return delivery
      case .rest(var delivery):
        guard delivery.rest?(delivery) == true else {
          end()
          return nil
        }
        delivery.rest = nil
        var delivery: Delivery? = delivery
        batches.with { batches in
          batches.isBusy = false
          batches.giveBack(delivery.take())
        }
      case .over: return nil
      }
    }
  }
}

/// The reader's end of the ring: fills a batch, and exchanges it for an empty one.
package struct BatchSender: ~Copyable {
  private let ring: Ring
  private var delivery: Delivery?

  package init(_ ring: Ring) { self.ring = ring }

  /// Waits for an empty batch for rows with `columns` columns; returns false if the ring has ended.
  package mutating func begin(columns: Int) -> Bool {
    if delivery == nil { delivery = ring.takeFree() }
    delivery?.rows.restart(columns: columns)
    return delivery != nil
  }

  /// Lends the batch, which must be returned with `putBack`; nil if there is none.
  package mutating func take() -> RowBatch? {
    guard let delivery = delivery.take() else { return nil }
    return delivery.rows
  }

  package mutating func putBack(_ batch: consuming RowBatch) { delivery = Delivery(rows: batch) }

  /// Sends the batch to the writer; returns false if the writer has stopped.
  package mutating func send(table: Int, isLast: Bool) -> Bool {
    guard var delivery = delivery.take() else { return false }
    delivery.table = table
    delivery.isLast = isLast
    return ring.send(delivery)
  }

  package func close() { ring.close() }
}

package struct ReadRows {
  package private(set) var rows = 0
  package private(set) var nulls: [Int]

  package init(columns: Int) { nulls = [Int](repeating: 0, count: columns) }

  package mutating func add(_ batch: borrowing RowBatch) {
    rows += batch.rows
    let classes = batch.classes
    var cell = 0
    for _ in 0..<batch.rows {
      for column in nulls.indices {
        if classes[cell] == RowBatch.StorageClass.null { nulls[column] += 1 }
        cell += 1
      }
    }
  }
}
