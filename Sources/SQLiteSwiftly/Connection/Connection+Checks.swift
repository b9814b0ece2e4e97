import CSQLite

extension Connection {
  /// Whether the path of the database now names another file, or none.
  ///
  /// The connection continues to read the file that it has opened. Always false for a database in memory.
  public var isFileReplaced: Bool {
    get throws(SQLiteError) {
      var hasMoved: Int32 = 0
      unsafe sqlite3_file_control(try openHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      return hasMoved != 0
    }
  }

  /// Returns the rows that violate a foreign key of the main database (`PRAGMA foreign_key_check`).
  ///
  /// Keys are checked even if they are not enforced. A key that contains NULL is not a violation.
  ///
  /// ```swift
  /// for violation in try connection.foreignKeyViolations(limit: 10) {
  ///   let row = violation.rowid.map { "row \($0)" } ?? "a row"
  ///   messages.append("\(row) of \(violation.table) has no parent in \(violation.parent)")
  /// }
  /// ```
  ///
  /// - Parameter limit: the maximum number of violations; negative for all.
  /// - Returns: The violations, ordered by table.
  /// - Throws: `SQLiteError`, also for a foreign key whose parent columns are not a key.
  /// - Complexity: Reads every row of every table with foreign keys and looks up each key, until
  ///   the limit is reached; then reads the row of each violation.
  public func foreignKeyViolations(limit: Int = 100) throws(SQLiteError) -> [ForeignKeyViolation] {
    let rows = try query(
      """
      SELECT "table", rowid, "parent", fkid FROM pragma_foreign_key_check LIMIT \(limit)
      """)
    return try rows.map { row throws(SQLiteError) in
      let (table, rowid) = (row[0].textValue ?? "", row[1].integerValue)
      let columns = try query(
        """
        SELECT "from" FROM pragma_foreign_key_list(\(table)) WHERE id = \(row[3]) ORDER BY seq
        """
      ).compactMap { $0[0].textValue }
      return ForeignKeyViolation(
        table: table, rowid: rowid, columns: columns,
        key: try rowid.flatMap { rowid throws(SQLiteError) in
          try values(of: columns, inTable: table, rowid: rowid)
        },
        parent: row[2].textValue ?? "")
    }
  }

  private func values(
    of columns: [String], inTable table: String, rowid: Int64
  ) throws(SQLiteError) -> [SQLiteValue]? {
    // A column may be named like one of the three aliases of the rowid.
    let name = try value(
      of: """
        SELECT column1 FROM (VALUES ('rowid'), ('_rowid_'), ('oid')) WHERE NOT EXISTS (
          SELECT 1 FROM pragma_table_xinfo(\(table)) WHERE name = column1 COLLATE NOCASE) LIMIT 1
        """)
    guard let name = name?.textValue else { return nil }
    let list = columns.map(quoted(identifier:)).joined(separator: ", ")
    return try query(
      """
      SELECT \(sql: SQL(generated: list)) FROM \(identifier: table)
      WHERE \(identifier: name) = \(rowid)
      """
    ).first
  }

  /// The thoroughness of a check.
  public enum Thoroughness: Sendable {
    /// The structure of the file, and the values that types and checks forbid: `PRAGMA quick_check`
    /// reads each table once.
    case structure
    /// Also that each index matches its table exactly, and that unique keys are unique:
    /// `PRAGMA integrity_check` looks up each row in each index, which takes several times as long.
    case full
  }

  /// Checks the databases of the connection, or one table, and returns the faults.
  ///
  /// The check stops at 100 faults. Foreign keys are not checked: see `foreignKeyViolations`. On a connection opened
  /// with `readOnly`, SQLite does not check values; with the pragma `queryOnly` it does.
  ///
  /// SQLite 3.40 misreads tables without rowids whose last column is in the key: it reports NULLs that do not exist,
  /// and misses values of wrong types. A query checks the values of these tables instead.
  ///
  /// ```swift
  /// let faults = try connection.faults(.structure)
  /// guard faults.isEmpty else { throw SQLiteError(.corrupt, faults.joined(separator: "\n")) }
  /// ```
  ///
  /// If misread rows make the check of one table stop, all tables are checked.
  ///
  /// - Returns: The faults, as SQLite's messages; empty if there are none.
  /// - Throws: `SQLiteError`, with `corrupt` if the schema cannot be read, and with `misuse` for a
  ///   table whose name begins like a number, which SQLite reads as a number of faults.
  public func faults(
    _ thoroughness: Thoroughness, ofTable table: String? = nil
  ) throws(SQLiteError) -> [String] {
    if let table, readsAsNumber(table) {
      throw SQLiteError(
        .misuse, "table \(table) cannot be checked: SQLite reads its name as a number")
    }
    let tables = try misreadTables(named: table)
    let ignored = tables.reduce(into: Set()) { $0.formUnion($1.messages) }
    let argument = table.map { "(\(quoted(identifier: $0)))" } ?? ""
    var (faults, isStopped) = try faults(thoroughness, argument, besides: ignored)
    if isStopped {
      guard table == nil else { return try self.faults(thoroughness) }
      // A number of faults replaces the name of a table.
      faults = try self.faults(thoroughness, "(\(Int32.max))", besides: ignored).faults
    }
    for table in tables where faults.count < Self.maximumFaults {
      faults += try table.faults(limit: Self.maximumFaults, on: self)
    }
    return Array(faults.prefix(Self.maximumFaults))
  }

  private static let maximumFaults = 100

  /// Runs SQLite's check, and omits the ignored messages, which may have made it stop.
  private func faults(
    _ thoroughness: Thoroughness, _ argument: String, besides ignored: Set<[UInt8]>
  ) throws(SQLiteError) -> (faults: [String], isStopped: Bool) {
    let pragma = thoroughness == .full ? "integrity_check" : "quick_check"
    var statement = try prepare(SQL(generated: "PRAGMA \(pragma)\(argument)"))
    var cursor = statement.rows()
    var faults: [String] = []
    var (lines, isStopped) = (0, false)
    while faults.count < Self.maximumFaults, let row = try cursor.next() {
      let message = try row.text(at: 0) ?? ""
      // Faults of pages are one message, with a line for each.
      lines += message.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      if ignored.contains(Array(message.utf8)) { isStopped = true } else { faults.append(message) }
    }
    return (faults == ["ok"] ? [] : faults, isStopped && lines >= Self.maximumFaults)
  }
}

/// Whether SQLite reads the name as a number of faults, even in quotes.
package func readsAsNumber(_ name: String) -> Bool {
  let bytes = name.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
  return bytes.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
}

/// A row whose foreign key has no parent.
public struct ForeignKeyViolation: Equatable, Sendable {
  /// The row's table.
  public let table: String
  /// The row's rowid; nil in a table without rowids.
  public let rowid: Int64?
  /// The columns of the foreign key.
  public let columns: [String]
  /// The row's values in those columns; nil in a table without rowids, where SQLite does not identify the row.
  public let key: [SQLiteValue]?
  /// The table that lacks the key.
  public let parent: String
}
