import CSQLite

extension Connection {
  /// The rows that break a foreign key, as `PRAGMA foreign_key_check` finds them.
  ///
  /// Reads all tables with foreign keys; at most `limit` violations are returned.
  public func foreignKeyViolations(limit: Int = 100) throws(SQLiteError) -> [ForeignKeyViolation] {
    let rows = try query(
      """
      SELECT "table", rowid, "parent" FROM pragma_foreign_key_check LIMIT \(limit)
      """)
    return rows.map { row in
      ForeignKeyViolation(
        table: row[0].textValue ?? "", rowid: row[1].integerValue, parent: row[2].textValue ?? "")
    }
  }

  /// What is wrong with the structure of the file, or of one table, and with the values in it that
  /// types and checks forbid; empty if nothing is.
  ///
  /// Runs `PRAGMA quick_check`, which reads the tables but does not compare the indexes with them, and
  /// stops at 100 faults. On a connection opened with `readOnly` SQLite leaves out the checks of the
  /// values; `PRAGMA query_only` on another one does not.
  public func structuralFaults(ofTable table: String? = nil) throws(SQLiteError) -> [String] {
    let rows =
      if let table {
        try query("PRAGMA quick_check(\(identifier: table))")
      } else {
        try query("PRAGMA quick_check")
      }
    let messages = rows.compactMap { $0.first?.textValue }
    return messages == ["ok"] ? [] : messages
  }
}

/// A row whose foreign key has no parent.
public struct ForeignKeyViolation: Equatable, Sendable {
  /// The row's table.
  public let table: String
  /// The row's rowid, which a table without rowids does not have.
  public let rowid: Int64?
  /// The table in which the key is missing.
  public let parent: String
}

/// The SQLite library that the program runs with.
public enum SQLiteLibrary {
  /// Its version, such as `3.40.1`.
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// Stops the counting of allocations, which costs a process-wide lock for each of them.
  ///
  /// Only a process without any connection yet may call this; later it has no effect.
  package static func disableMemoryStatistics() {
    // It can fail only when the library is in use already, which loses speed and nothing else.
    _ = csqlite_disable_memory_statistics()
  }
}
