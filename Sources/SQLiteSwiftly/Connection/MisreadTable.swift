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
      if let type = column.type {
        messages.insert(Array(message("non-\(type.name)", column).utf8))
      }
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

extension Connection {
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

/// The conditions joined by `OR` as a tree: an expression of SQLite is at most 1000 levels deep,
/// and a table may have twice as many columns.
private func disjunction(of conditions: ArraySlice<String>) -> String {
  guard conditions.count > 1 else { return conditions.joined() }
  let middle = (conditions.startIndex + conditions.endIndex) / 2
  return "(\(disjunction(of: conditions[..<middle])) OR \(disjunction(of: conditions[middle...])))"
}
