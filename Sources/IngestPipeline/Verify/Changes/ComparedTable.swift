import SQLiteSwiftly

/// A table of one of two catalogues, as far as a comparison needs it.
struct ComparedTable {
  struct Column {
    let name: String
    let isNullable: Bool
    /// Its place in the primary key, from 1; 0 if it is not in it.
    let keyPlace: Int
  }

  let name: String
  var columns: [Column] = []

  /// The columns of the primary key, in its order; empty if there is none.
  var key: [String] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  /// Whether the primary key is that of `other`, in the same order.
  func hasSameKey(as other: ComparedTable) -> Bool { haveSameBytes(key, other.key) }

  /// The columns after the key that `other` has, too.
  func otherColumns(with other: ComparedTable) -> [String] {
    columns.filter { $0.keyPlace == 0 && other.column($0.name) != nil }.map(\.name)
  }

  /// The columns that may be NULL here or in `other`, and that both have.
  func nullableColumns(with other: ComparedTable) -> [String] {
    columns.filter { column in
      guard column.keyPlace == 0, let others = other.column(column.name) else { return false }
      return column.isNullable || others.isNullable
    }.map(\.name)
  }

  /// The query for the key and other columns of all rows, in the order of the key.
  ///
  /// The collation is said since a catalogue of another version may have another one.
  func rows(with otherColumns: [String]) -> SQL {
    let columns = (key + otherColumns).map(quoted(identifier:)).joined(separator: ", ")
    let order = key.map { quoted(identifier: $0) + " COLLATE BINARY" }.joined(separator: ", ")
    return SQL(
      generated: "SELECT \(columns) FROM main.\(quoted(identifier: name)) ORDER BY \(order)")
  }

  private func column(_ name: String) -> Column? {
    columns.first { haveSameBytes($0.name, name) }
  }
}
