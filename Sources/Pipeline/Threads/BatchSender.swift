package import SQLiteSwiftly

/// The reader's end of the ring: the batch that is being filled, and the exchange of a full one for an
/// empty one.
package struct BatchSender: ~Copyable {
  private let ring: Ring
  private var delivery: Delivery?
  private var waiting = Stopwatch()

  package init(_ ring: Ring) { self.ring = ring }

  /// The seconds in which there was no empty batch.
  package var secondsWaited: Double { waiting.seconds }

  /// Makes sure that there is an empty batch for rows with that many columns; false if none comes any more.
  package mutating func begin(columns: Int) -> Bool {
    if delivery == nil { delivery = waiting.time { ring.free.receive() } }
    delivery?.rows.restart(columns: columns)
    return delivery != nil
  }

  /// Lends the batch, which must be put back; nil if there is none.
  package mutating func take() -> RowBatch? {
    guard let delivery = delivery.take() else { return nil }
    return delivery.rows
  }

  /// Takes the batch back.
  package mutating func putBack(_ batch: consuming RowBatch) { delivery = Delivery(rows: batch) }

  /// Sends the batch to the writer; false if the writer has given up.
  package mutating func send(table: Int, isLast: Bool) -> Bool {
    guard var delivery = delivery.take() else { return false }
    delivery.table = table
    delivery.isLast = isLast
    return ring.filled.send(delivery)
  }

  package func close() { ring.filled.close() }
}
