package import SQLiteSwiftly

extension Provenance {
  /// The longest value that is read; only a description of the source files may be longer.
  private static let longestValue = 1 << 20
  package static let longestDescription = 16 << 20
  /// The memory for all rows of a query, with that of their values.
  private static let mostBytes = 16 << 20
  private static let (rowBytes, valueBytes) = (64, 32)

  /// Whether a database has a provenance table with its columns, or with some of them, and none of the
  /// table's columns is computed.
  package static func has(
    _ table: TableDescription, _ columns: [String]? = nil, in connection: Connection
  ) throws(SQLiteError) -> Bool {
    guard let stored = try connection.ordinaryTables(named: table.name).first, stored.isStored
    else { return false }
    return (columns ?? table.columns.map(\.name)).allSatisfy(stored.columns.map(\.name).hasName)
  }

  /// The rows of a query on tables of which `has` is true; throws if they are more than any run writes.
  package static func rows(
    _ query: SQL, in connection: Connection, longestValue: Int = longestValue
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    var bytes = 0
    try connection.limitingLength(to: longestValue) { () throws(SQLiteError) in
      try connection.forEachRow(of: query) { row throws(SQLiteError) in
        var values: [SQLiteValue] = []
        for column in 0..<row.columnCount {
          let value = try row.value(at: column)
          bytes += valueBytes + (value.textValue?.utf8.count ?? value.blobValue?.count ?? 0)
          values.append(value)
        }
        bytes += rowBytes
        guard bytes <= max(mostBytes, longestValue) else {
          throw SQLiteError(
            .tooBig, "its tables with the origin have more rows than any run writes")
        }
        rows.append(values)
      }
    }
    return rows
  }

  /// The rows of such a query, with integers as text.
  package static func texts(
    _ query: SQL, in connection: Connection
  ) throws(SQLiteError) -> [[String?]] {
    try rows(query, in: connection).map { row in
      row.map { $0.textValue ?? $0.integerValue.map(String.init) }
    }
  }
}
