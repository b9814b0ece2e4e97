import SQLiteSwiftly

/// The rows of a table, counted in a file.
struct TableCount: Equatable, Sendable {
  /// All rows.
  let rows: Int
  /// For each of the columns that were asked for, the rows in which it is NULL.
  let nulls: [Int]

  /// Counts in one pass over the table itself; an index may have lost some of its rows.
  ///
  /// - Parameters:
  ///   - table: the table's name.
  ///   - columns: those whose NULLs are counted.
  ///   - connection: one to the file.
  ///   - rowByRow: whether each row is a step of its own, for a limit to work to be kept.
  /// - Throws: `SQLiteError` if the table cannot be read.
  init(
    of table: String, nullable columns: [String], on connection: Connection, rowByRow: Bool = false
  ) throws(SQLiteError) {
    let names = columns.map(quoted(identifier:))
    let counts = ["count(*)"] + names.map { "count(\($0))" }
    var rows = "main.\(quoted(identifier: table)) NOT INDEXED"
    if rowByRow {
      // SQLite does not merge a query that has a limit, be it none, with the one around it.
      rows = "(SELECT \((["1"] + names).joined(separator: ", ")) FROM \(rows) LIMIT -1)"
    }
    let query = SQL(generated: "SELECT \(counts.joined(separator: ", ")) FROM \(rows)")
    let values = try connection.query(query)[0].map { Int($0.integerValue ?? 0) }
    self.init(rows: values[0], nulls: values.dropFirst().map { values[0] - $0 })
  }

  private init(rows: Int, nulls: [Int]) {
    self.rows = rows
    self.nulls = nulls
  }

  /// The count with zeros between, for the columns that were not asked for.
  ///
  /// - Parameter wasCounted: for each column of the table, whether it was.
  /// - Returns: The count with a number for each column of the table.
  func spread(over wasCounted: [Bool]) -> TableCount {
    var next = nulls.makeIterator()
    return TableCount(rows: rows, nulls: wasCounted.map { $0 ? next.next() ?? 0 : 0 })
  }
}
