package import SQLiteSwiftly

/// Computes a checksum of a table's rows as they arrive.
package struct RowSum: Sendable {
  /// The cells of a row, in the order of its record.
  private let places: [Int]
  /// The cell of the rowid, which begins the sum of a row; -1 if SQLite counts it, nil without rowids.
  private let rowid: Int?
  /// The cells of an entry in the index of the key, followed by a rowid; empty if there is none.
  private let keyPlaces: [Int]
  package private(set) var checksum = EntryChecksum()
  /// The checksum of the entries in the index of the key; nil if there is none.
  package private(set) var keyChecksum: EntryChecksum?

  /// Begins a table without rows; `withKey` includes a checksum of the entries in the index of the key.
  package init(_ table: TableDescription, withKey: Bool = true) {
    let layout = RowLayout(table)
    places = layout.columns.map(\.place)
    rowid = layout.hasRowids ? layout.rowidColumn ?? -1 : nil
    let keyColumns = withKey ? KeyIndex(of: table)?.layout.columns.dropLast() ?? [] : []
    keyPlaces = keyColumns.map(\.place)
    if !keyPlaces.isEmpty { keyChecksum = EntryChecksum() }
  }

  /// Adds rows, in the order of their insertion.
  package mutating func add(_ batch: borrowing RowBatch) {
    keyChecksum = keyChecksum?.adding(keyPlaces.span, after: nil, endsWithRowid: true, of: batch)
    checksum = checksum.adding(places.span, after: rowid, of: batch)
  }
}

extension EntryChecksum {
  /// The checksum with some cells of each row of a batch added.
  fileprivate func adding(
    _ places: Span<Int>, after rowid: Int?, endsWithRowid: Bool = false,
    of batch: borrowing RowBatch
  ) -> Self {
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    var sum = self
    var firstCell = 0
    for _ in 0..<batch.rows {
      var hash = EntryHash()
      // SQLite counts rowids from 1.
      let counted = Int64(sum.entries &+ 1)
      if let rowid { hash.add(rowid < 0 ? counted : values[firstCell &+ rowid]) }
      for index in places.indices {
        let cell = firstCell &+ places[index]
        let value = values[cell]
        switch classes[cell] {
        case RowBatch.StorageClass.integer, RowBatch.StorageClass.real: hash.add(value)
        case RowBatch.StorageClass.text:
          let (start, count) = RowBatch.textPlace(value)
          hash.add(textAt: start..<start + count, of: text)
        default: hash.addNull()
        }
      }
      if endsWithRowid { hash.add(counted) }
      sum.add(hash)
      firstCell &+= batch.columns
    }
    return sum
  }
}
