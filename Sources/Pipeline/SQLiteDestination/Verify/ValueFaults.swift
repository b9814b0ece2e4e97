package import SQLiteSwiftly

/// The rows of a table, or a part of them, and the checks of its columns.
struct CheckedRows: Sendable {
  /// A column, and the condition of its domain, which NULL does not break.
  typealias Check = (column: ColumnDescription, condition: String)

  let table: TableDescription
  let checks: [Check]
  /// The condition for the rows of the part.
  private var condition = "1"

  /// All rows, and the checks of all columns except those at the `empty` places.
  init(of table: TableDescription, besidesColumns empty: [Int] = []) {
    self.table = table
    checks = table.columns.indices.filter { !empty.contains($0) }.compactMap { place in
      table.columns[place].checkExpression.map { (table.columns[place], $0) }
    }
  }

  /// Eight parts with about the same number of rows, so that two threads end at about the same time, if SQLite has
  /// numbered the rows from 1.
  func parts(ofRows rows: Int) -> [CheckedRows] {
    guard let rowid = table.rowidName, !table.keyIsRowid else { return [self] }
    let count = 8
    return (1...count).map { number in
      var part = self
      if number > 1 { part.condition += " AND \(rowid) > \(rows * (number - 1) / count)" }
      if number < count { part.condition += " AND \(rowid) <= \(rows * number / count)" }
      return part
    }
  }

  /// The query for the rows that break some of the checks.
  fileprivate func query(_ checks: ArraySlice<Check>, atMost limit: Int) -> SQL {
    let faults = checks.map { "NOT (\($0.condition))" }.joined(separator: " OR ")
    return SQL(
      generated: "SELECT \(table.list(table.rowNames + checks.map(\.column.name))) "
        + "FROM main.\(quoted(identifier: table.name)) WHERE \(condition) AND (\(faults)) "
        + "LIMIT \(limit)")
  }
}

extension Connection {
  /// Finds the values of a table, in at most `limit` rows, that are not in the domain of their column.
  ///
  /// SQLite can check this as well, but not over a read-only connection, and not for a single table.
  package func valueFaults(
    in table: TableDescription, atMost limit: Int
  ) throws(SQLiteError) -> [String] {
    try valueFaults(in: CheckedRows(of: table), atMost: limit)
  }

  func valueFaults(in rows: CheckedRows, atMost limit: Int) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    for first in stride(from: 0, to: rows.checks.count, by: Self.maximumChecks) {
      let some = rows.checks[first..<min(first + Self.maximumChecks, rows.checks.count)]
      faults += try valueFaults(in: rows, some, atMost: limit)
    }
    return faults
  }

  /// The maximum number of checks in one query: SQLite limits the depth of expressions to 1000, and columns to 2000.
  private static let maximumChecks = 500

  private func valueFaults(
    in rows: CheckedRows, _ checks: ArraySlice<CheckedRows.Check>, atMost limit: Int
  ) throws(SQLiteError) -> [String] {
    let keys = rows.table.rowNames.count
    var faults: [String] = []
    // A row at a time, since each may be as long as the file.
    try forEachRow(of: rows.query(checks, atMost: limit)) { row throws(SQLiteError) in
      let key = try row.values(in: 0..<keys)
      for (place, (column, check)) in checks.enumerated() {
        let value = try row.value(at: keys + place)
        guard try breaks(check, of: column, value) else { continue }
        faults.append(
          "\(rows.table.location(of: key[...])), column \(column.name): expected \(check), "
            + "found \(value.shownLiteral)")
      }
    }
    return faults
  }

  private func breaks(
    _ check: String, of column: ColumnDescription, _ value: SQLiteValue
  ) throws(SQLiteError) -> Bool {
    try self.value(
      of: """
        SELECT NOT (\(sql: SQL(generated: check))) FROM (SELECT \(value) AS \(identifier: column.name))
        """)?.integerValue == 1
  }
}

extension TableDescription {
  /// The columns that identify a row: those of the key, or the rowid.
  package var rowNames: [String] { primaryKey.isEmpty ? [rowidName ?? "rowid"] : primaryKey }

  package func location(of key: ArraySlice<SQLiteValue>) -> String {
    "\(name) (\(key.map(\.shownLiteral).joined(separator: ", ")))"
  }
}

extension Row {
  package func values(in columns: Range<Int>) throws(SQLiteError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for column in columns { values.append(try value(at: column)) }
    return values
  }
}

extension SQLiteValue {
  private static let shownBytes = 200

  /// The literal as shown in messages: only the beginning of a long one, and the number of its bytes.
  package var shownLiteral: String {
    let literal = literal
    guard literal.utf8.count > Self.shownBytes else { return literal }
    let start = String(decoding: literal.utf8.prefix(Self.shownBytes), as: UTF8.self)
    return "\(start)… (\(literal.utf8.count) bytes)"
  }
}
