import SQLiteSwiftly

extension RowBatch {
  /// What a cell holds; a text by its place in the arena.
  enum Cell: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(Range<Int>)
  }

  /// Adds a row.
  mutating func append(_ cells: [Cell]) {
    for (column, cell) in cells.enumerated() {
      var next = nextCells(ofColumn: column)
      switch cell {
      case .null: next.setNull(0)
      case .integer(let value): next.set(0, to: value, StorageClass.integer)
      case .text(let place):
        let value = Self.value(ofTextAt: UInt32(place.lowerBound), UInt32(place.upperBound))
        next.set(0, to: value, StorageClass.text)
      }
    }
    finishRows(1)
  }

  /// A cell of a row that was kept.
  borrowing func cell(row: Int, column: Int) -> Cell {
    precondition(0..<rows ~= row && 0..<columns ~= column, "there is no such cell")
    let value = values[row * columns + column]
    switch classes[row * columns + column] {
    case StorageClass.integer: return .integer(value)
    case StorageClass.text:
      let (start, count) = Self.textPlace(value)
      return .text(start..<start + count)
    default: return .null
    }
  }
}
