package import SQLiteSwiftly

/// Adds up the rows of a table while they pass.
package struct RowSum: Sendable {
  private let layout: TableLayout
  /// The cells of a row, in the order of its record.
  private let places: [Int]
  /// The sum of the rows so far.
  package private(set) var checksum = EntryChecksum()

  /// Begins with the rows of a table, which has none yet.
  package init(_ table: TableDescription) {
    layout = TableLayout(table)
    places = layout.columns.map(\.place)
  }

  /// Adds rows, in the order in which they are inserted.
  package mutating func add(_ batch: borrowing RowBatch) {
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    let (places, rowidColumn) = (places, layout.rowidColumn ?? -1)
    let columns = places.span
    var sum = checksum
    var firstCell = 0
    for _ in 0..<batch.rows {
      var hash = EntryHash()
      if layout.hasRowids {
        // SQLite counts rowids from 1.
        hash.add(
          rowidColumn < 0 ? Int64(sum.entries &+ 1) : values[firstCell &+ rowidColumn])
      }
      for index in columns.indices {
        let cell = firstCell &+ columns[index]
        let value = values[cell]
        switch classes[cell] {
        case RowBatch.StorageClass.integer: hash.add(value)
        case RowBatch.StorageClass.text:
          let (start, count) = RowBatch.textPlace(value)
          hash.add(textAt: start..<start + count, of: text)
        default: hash.addNull()
        }
      }
      sum.add(hash)
      firstCell &+= batch.columns
    }
    checksum = sum
  }
}
