package import SQLiteSwiftly

/// Adds up the rows of a table while they pass.
package struct RowSum: Sendable {
  /// The cells that are added up of a row, in the order of its record; -1 is the rowid that SQLite counts.
  private let places: [Int]
  /// The same of an entry in the index of the key; empty if there is none.
  private let keyPlaces: [Int]
  package private(set) var checksum = EntryChecksum()
  /// The sum of the entries in the index of the key; nil if there is none.
  package private(set) var keyChecksum: EntryChecksum?

  /// Begins with the rows of a table, which has none yet; `withKey` says whether the entries in the index of
  /// the key are added up.
  package init(_ table: TableDescription, withKey: Bool = true) {
    let layout = RowLayout(table)
    places = (layout.hasRowids ? [layout.rowidColumn ?? -1] : []) + layout.columns.map(\.place)
    keyPlaces = withKey ? KeyIndex(of: table)?.layout.columns.map(\.place) ?? [] : []
    if !keyPlaces.isEmpty { keyChecksum = EntryChecksum() }
  }

  /// Adds rows, in the order in which they are inserted.
  package mutating func add(_ batch: borrowing RowBatch) {
    if let keyChecksum { self.keyChecksum = keyChecksum.adding(keyPlaces.span, of: batch) }
    checksum = checksum.adding(places.span, of: batch)
  }
}

extension EntryChecksum {
  /// The sum with some cells of each row of a batch.
  fileprivate func adding(_ places: Span<Int>, of batch: borrowing RowBatch) -> Self {
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    var sum = self
    var firstCell = 0
    for _ in 0..<batch.rows {
      var hash = EntryHash()
      for index in places.indices {
        guard places[index] >= 0 else {
          // SQLite counts rowids from 1.
          hash.add(Int64(sum.entries &+ 1))
          continue
        }
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
      sum.add(hash)
      firstCell &+= batch.columns
    }
    return sum
  }
}
