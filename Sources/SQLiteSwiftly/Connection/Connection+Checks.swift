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
    let names = try query("SELECT name FROM pragma_table_xinfo(\(table))")
    guard let name = names.compactMap({ $0[0].textValue }).freeRowidName else { return nil }
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
    /// The file's structure, and values that types and checks forbid: `PRAGMA quick_check` reads each table once.
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

  /// The tables that SQLite misreads, and those with the same messages: a message names no
  /// database, and joins the names of table and column.
  func misreadTables(named name: String?) throws(SQLiteError) -> [MisreadTable] {
    let rows =
      try distrustsSchema
      ? untrustedTables().map { ["main"] + $0.dropLast() }
      : query(
        """
        SELECT schema, list.name, wr, strict
        FROM pragma_table_list AS list JOIN pragma_database_list AS file ON file.name = schema
        WHERE type IN ('table', 'shadow') ORDER BY schema <> 'temp', seq
        """)
    guard rows.contains(where: { $0[2] == .integer(1) }) else { return [] }
    let tables = try rows.map { row throws(SQLiteError) in
      MisreadTable(
        row[0].textValue ?? "", row[1].textValue ?? "", isStrict: row[3] == .integer(1),
        try query(
          """
          SELECT name, type, "notnull", CASE \(row[2]) WHEN 1 THEN pk ELSE 0 END, hidden
          FROM pragma_table_xinfo(\(row[1]), \(row[0])) ORDER BY cid
          """))
    }
    if let name {
      // SQLite resolves the name to the first one.
      let table = tables.first { areSameName($0.name, name) }
      return [table].compactMap(\.self).filter(\.isMisread)
    }
    let messages = tables.filter(\.isMisread).reduce(into: Set()) { $0.formUnion($1.messages) }
    return tables.filter { !messages.isDisjoint(with: $0.messages) }
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

/// A table whose values this library checks, since SQLite's own check misreads them.
///
/// SQLite 3.40 reads the header of a row only up to the column declared last. It reads each column stored after that as
/// NULL, or as its default. A table without rowids stores its key first, so such columns exist if the last declared
/// column is in the key. SQLite then reports values that do not exist, and misses existing ones.
struct MisreadTable {
  private let schema: String
  fileprivate let name: String
  private let columns: [Column]
  fileprivate let isMisread: Bool

  private struct Column {
    let name: String
    let isNullable: Bool
    /// The type of a strict table, with the result of `typeof` for its values.
    let type: (name: String, storageClass: String)?
  }

  private static let storageClasses = [
    "INT": "integer", "INTEGER": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob",
  ]

  /// Reads the columns of `pragma_table_xinfo`: name, type, "not null", position in the key, hidden.
  fileprivate init(_ schema: String, _ name: String, isStrict: Bool, _ rows: [[SQLiteValue]]) {
    self.schema = schema
    self.name = name
    columns = rows.map { row in
      let type = row[1].textValue?.uppercased() ?? ""
      let storageClass = isStrict ? Self.storageClasses[type] : nil
      return Column(
        name: row[0].textValue ?? "", isNullable: row[2] == .integer(0),
        type: storageClass.map { (type, $0) })
    }
    // A generated column that is not stored has the hidden kind 2.
    let stored = rows.filter { $0[4] != .integer(2) }
    let place = stored.last?[3].integerValue ?? 0
    isMisread = place > 0 && place < stored.count
  }

  private func message(_ fault: String, _ column: Column) -> String {
    "\(fault) value in \(name).\(column.name)"
  }

  /// SQLite's messages about the types of values, as bytes, since equal strings may differ in them.
  var messages: Set<[UInt8]> {
    var messages: Set<[UInt8]> = []
    for column in columns {
      if !column.isNullable { messages.insert(Array(message("NULL", column).utf8)) }
      if let type = column.type { messages.insert(Array(message("non-\(type.name)", column).utf8)) }
    }
    return messages
  }

  func faults(limit: Int, on connection: Connection) throws(SQLiteError) -> [String] {
    // Not `IS NULL`, which SQLite evaluates as false where NULL is forbidden.
    let types = columns.map { "typeof(\(quoted(identifier: $0.name)))" }
    let conditions = zip(columns, types).compactMap { column, type -> String? in
      guard let expected = column.type?.storageClass else {
        return column.isNullable ? nil : "\(type) = 'null'"
      }
      return column.isNullable
        ? "\(type) NOT IN ('null', '\(expected)')" : "\(type) <> '\(expected)'"
    }
    guard !conditions.isEmpty else { return [] }
    let rows = try connection.query(
      SQL(
        generated: """
          SELECT \(types.joined(separator: ", "))
          FROM \(quoted(identifier: schema)).\(quoted(identifier: name))
          WHERE \(disjunction(of: conditions[...])) LIMIT \(limit)
          """))
    return rows.flatMap { row in
      zip(columns, row).compactMap { column, found in
        if found == .text("null") { return column.isNullable ? nil : message("NULL", column) }
        guard let type = column.type, found != .text(type.storageClass) else { return nil }
        return message("non-\(type.name)", column)
      }
    }
  }
}

/// The conditions joined by `OR` as a tree: an expression of SQLite is at most 1000 levels deep,
/// and a table may have twice as many columns.
private func disjunction(of conditions: ArraySlice<String>) -> String {
  guard conditions.count > 1 else { return conditions.joined() }
  let middle = (conditions.startIndex + conditions.endIndex) / 2
  return "(\(disjunction(of: conditions[..<middle])) OR \(disjunction(of: conditions[middle...])))"
}
