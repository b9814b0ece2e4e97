package import SQLiteSwiftly

/// The reader's end of the ring: fills a batch, and exchanges it for an empty one.
package struct BatchSender: ~Copyable {
  private let ring: Ring
  private var delivery: Delivery?
  private var waiting = Stopwatch()

  package init(_ ring: Ring) { self.ring = ring }

  /// The seconds spent waiting for an empty batch.
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

  /// Returns the batch.
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
