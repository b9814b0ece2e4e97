package import SQLiteSwiftly

/// A row that is filled cell by cell, after those that are there.
extension RowBatch {
  /// Whether another row fits.
  package var hasRoom: Bool { (rows + 1) * columns <= values.count }

  /// Makes a cell NULL.
  package mutating func setNull(_ column: Int) {
    var cells = nextCells(ofColumn: column)
    cells.setNull(0)
  }

  /// Sets a cell to an integer.
  package mutating func set(_ column: Int, integer: Int64) {
    var cells = nextCells(ofColumn: column)
    cells.set(0, to: integer, StorageClass.integer)
  }

  /// Sets a cell to the text at `start..<end` of the arena, where it must stand when the batch is inserted.
  package mutating func set(_ column: Int, textAt start: UInt32, _ end: UInt32) {
    var cells = nextCells(ofColumn: column)
    cells.set(0, to: Self.value(ofTextAt: start, end), StorageClass.text)
  }

  /// Keeps the row; without this call the next one takes its place.
  package mutating func finishRow() { finishRows(1) }

  /// Appends a row.
  package mutating func append(_ row: [SQLiteValue]) {
    for (column, value) in row.enumerated() {
      switch value {
      case .integer(let value): set(column, integer: value)
      case .text(let value):
        let start = UInt32(text.count)
        text += value.utf8
        set(column, textAt: start, UInt32(text.count))
      default: setNull(column)
      }
    }
    finishRow()
  }

  /// The values of all rows, which have no reals or blobs.
  package var valuesOfRows: [[SQLiteValue]] {
    (0..<rows).map { row in
      (0..<columns).map { column in
        let cell = row * columns + column
        if classes[cell] == StorageClass.null { return .null }
        guard classes[cell] == StorageClass.text else { return .integer(values[cell]) }
        let (start, count) = Self.textPlace(values[cell])
        return .text(String(decoding: text[start..<start + count], as: UTF8.self))
      }
    }
  }
}
