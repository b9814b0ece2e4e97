package import SQLiteSwiftly

/// Adds up the rows of a table while they pass.
package struct RowSum: Sendable {
  private let layout: TableLayout
  /// The cells of a row, in the order of its record.
  private let places: [Int]
  /// The cells of an entry in the index of the key, -1 for the rowid; empty if there is none.
  private let keyPlaces: [Int]
  /// The sum of the rows so far.
  package private(set) var checksum = EntryChecksum()
  /// The sum of the entries in the index of the key; nil if there is none.
  package private(set) var keyChecksum: EntryChecksum?

  /// Begins with the rows of a table, which has none yet.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - withKey: whether the entries in the index of the key are added up.
  package init(_ table: TableDescription, withKey: Bool = true) {
    layout = TableLayout(table)
    places = layout.columns.map(\.place)
    keyPlaces = withKey ? KeyIndex(of: table)?.layout.columns.map(\.place) ?? [] : []
    if !keyPlaces.isEmpty { keyChecksum = EntryChecksum() }
  }

  /// Adds rows, in the order in which they are inserted.
  package mutating func add(_ batch: borrowing RowBatch) {
    if !keyPlaces.isEmpty { addKeys(of: batch) }
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
        case RowBatch.StorageClass.integer, RowBatch.StorageClass.real: hash.add(value)
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

  private mutating func addKeys(of batch: borrowing RowBatch) {
    guard var sum = keyChecksum else { return }
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    for row in 0..<batch.rows {
      var hash = EntryHash()
      for place in keyPlaces {
        let cell = row &* batch.columns &+ place
        if place < 0 {
          hash.add(Int64(sum.entries &+ 1))
        } else if classes[cell] == RowBatch.StorageClass.text {
          let (start, count) = RowBatch.textPlace(values[cell])
          hash.add(textAt: start..<start + count, of: text)
        } else {
          hash.add(values[cell])
        }
      }
      sum.add(hash)
    }
    keyChecksum = sum
  }
}
