package import SQLiteSwiftly

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
  /// Batches on their way back.
  package let free = HandOff<Delivery>()

  /// Creates a ring with all batches free.
  package init(cells: Int, textCapacity: Int) {
    for _ in 0..<HandOff<Delivery>.capacity {
      _ = free.send(Delivery(rows: RowBatch(cells: cells, textCapacity: textCapacity)))
    }
  }
}
