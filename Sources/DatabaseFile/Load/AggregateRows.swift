package import SQLiteSwiftly

/// The rows of a table of statistics, in the order of its key: flat memory like that of a batch.
package struct AggregateRows: Sendable {
  /// The cells of a row.
  package let columns: Int
  package private(set) var count = 0
  private var values: [Int64] = []
  private var classes: [UInt8] = []
  private var text: [UInt8] = []

  init(columns: Int) { self.columns = columns }

  /// Ends a row, all cells of which were appended.
  mutating func endRow() {
    count += 1
    precondition(values.count == count * columns, "a row has all its cells")
  }

  mutating func append(_ value: Int64?) {
    values.append(value ?? 0)
    classes.append(value == nil ? RowBatch.StorageClass.null : RowBatch.StorageClass.integer)
  }

  mutating func append(textOf buffer: borrowing ByteBuffer, count: Int) {
    append(textOf: buffer.span(0..<count))
  }

  mutating func append(textOf bytes: Span<UInt8>) {
    let start = text.count
    for index in bytes.indices { text.append(bytes[index]) }
    values.append(RowBatch.value(ofTextAt: UInt32(start), UInt32(text.count)))
    classes.append(RowBatch.StorageClass.text)
  }

  /// Fills a batch with as many of the rows as fit, those from `first` on.
  ///
  /// - Returns: How many there are in it.
  package func fill(_ batch: inout RowBatch, from first: Int) -> Int {
    batch.restart(columns: columns)
    let rows = min(count - first, batch.values.count / columns)
    var batchText: [UInt8] = []
    for column in 0..<columns {
      var cells = batch.nextCells(ofColumn: column)
      for row in 0..<rows {
        let cell = (first + row) * columns + column
        var value = values[cell]
        if classes[cell] == RowBatch.StorageClass.text {
          let (start, count) = RowBatch.textPlace(value)
          let place = UInt32(batchText.count)
          batchText += text[start..<start + count]
          value = RowBatch.value(ofTextAt: place, UInt32(batchText.count))
        }
        cells.set(row, to: value, classes[cell])
      }
    }
    batch.text = batchText
    batch.finishRows(rows)
    return rows
  }
}
