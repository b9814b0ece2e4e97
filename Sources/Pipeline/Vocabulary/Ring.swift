package import SQLiteSwiftly
package import Platform

/// A delivery to the writing thread: rows of one table.
package struct Delivery: ~Copyable, Sendable {
  package var rows: RowBatch
  package var table = 0
  /// Whether they complete the table.
  package var isLast = false
}

/// The queues between the reading, writing and index threads.
package struct Ring: Sendable {
  /// Batches on their way to the writer.
  package let filled = HandOff<Delivery>()
  /// Batches whose rows were inserted, on their way to the indexes.
  package let inserted = HandOff<Delivery>()
  package let free = HandOff<Delivery>()

  package init(cells: Int, textCapacity: Int) {
    for _ in 0..<HandOff<Delivery>.capacity {
      _ = free.send(Delivery(rows: RowBatch(cells: cells, textCapacity: textCapacity)))
    }
  }

  /// Closes the reader's queues, and releases their batches; a destination that uses `inserted` closes it itself.
  package func end() {
    for queue in [free, filled] {
      queue.close()
      while queue.receive() != nil {}
    }
  }
}

/// The reader's end of the ring: fills a batch, and exchanges it for an empty one.
package struct BatchSender: ~Copyable {
  private let ring: Ring
  private var delivery: Delivery?
  private var waiting = Stopwatch()

  package init(_ ring: Ring) { self.ring = ring }

  package var secondsWaited: Double { waiting.seconds }

  /// Waits for an empty batch for rows with `columns` columns; returns false if the queue is closed.
  package mutating func begin(columns: Int) -> Bool {
    if delivery == nil { delivery = waiting.time { ring.free.receive() } }
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
    return ring.filled.send(delivery)
  }

  package func close() { ring.filled.close() }
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
