#if PostgreSQL
  package import SQLiteSwiftly

  /// The statements that make the table of a description in a schema.
  ///
  /// An integer is a `bigint`, a real a `double precision`, and a text a `text` that is compared and sorted by bytes
  /// (`COLLATE "C"`), as in SQLite. Dates, times and JSON stay text as well, with a check: a `date` or a `jsonb` would
  /// not give back what was loaded. Keys, indexes and foreign keys are for when the rows are there; the server
  /// chooses their names, since SQLite's are longer than it takes more often.
  package struct TableDefinition: Sendable {
    /// What is described.
    package let table: TableDescription
    /// The schema of the table.
    package let schema: String
    /// The references that the server checks.
    package let foreignKeys: [ForeignKeyDescription]
    /// Takes a description for a schema.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package init(_ table: TableDescription, in schema: String) throws(PostgreSQLError) {
      guard table.faults.isEmpty else {
        throw PostgreSQLError(
          .misuse, "The description of the table \(table.name) is wrong",
          detail: table.faults.joined(separator: "; "))
      }
      for name in [schema, table.name] + table.columns.map(\.name) { try check(identifier: name) }
      self.table = table
      self.schema = schema
      foreignKeys = table.foreignKeys.filter(\.isDeclared)
    }

    /// Takes several descriptions for a schema, as above.
    package static func all(
      _ tables: [TableDescription], in schema: String
    ) throws(PostgreSQLError) -> [TableDefinition] {
      var definitions: [TableDefinition] = []
      for table in tables { definitions.append(try TableDefinition(table, in: schema)) }
      return definitions
    }

    /// The name with that of the schema, in quotes.
    package var qualifiedName: String { qualified(table.name) }

    private func qualified(_ name: String) -> String {
      "\(quoted(identifier: schema)).\(quoted(identifier: name))"
    }

    /// The `CREATE TABLE`, with the checks and without any key.
    package var creation: String {
      let lines = table.columns.map { "  " + definition(of: $0) }
      return "CREATE TABLE \(qualifiedName) (\n\(lines.joined(separator: ",\n"))\n)"
    }

    private func definition(of column: ColumnDescription) -> String {
      quoted(identifier: column.name) + " " + column.type.postgreSQL
        + (table.requires(column) ? " NOT NULL" : "")
        + (column.defaultValue.flatMap { $0.postgreSQL(as: column.type) }.map { " DEFAULT \($0)" }
          ?? "")
        + (column.postgreSQLCheck.map { " CHECK (\($0))" } ?? "")
    }

    /// The `COPY` of all columns.
    ///
    /// Not with `FREEZE`, which is no faster, and with which a transaction that is older than the rows sees them, but not
    /// those of the tables that are derived from them.
    package var copy: String {
      "COPY \(qualifiedName) (\(table.list(table.columns.map(\.name)))) FROM STDIN (FORMAT binary)"
    }

    /// The `INSERT` of what a query gives, with tables that are looked up in the search path.
    package func filling(by query: SQL) -> String {
      "INSERT INTO \(qualifiedName) (\(table.list(table.columns.map(\.name))))\n\(query.postgreSQL)"
    }

    /// The `INSERT` of rows, of which there are few, each with the values of all columns; nothing if there are none.
    package func insertions(of rows: [[SQLiteValue]]) -> [String] {
      guard !rows.isEmpty else { return [] }
      let tuples = rows.map { row in
        let values = zip(row, table.columns).map { $0.postgreSQL(as: $1.type) ?? "NULL" }
        return "(\(values.joined(separator: ", ")))"
      }
      return ["INSERT INTO \(qualifiedName) VALUES \(tuples.joined(separator: ",\n"))"]
    }

    /// A `COMMENT` for the table and for each column that somebody has explained.
    package var comments: [String] {
      explanations(
        of: "TABLE", qualifiedName, table.meaning,
        columns: table.columns.map { ($0.name, $0.meaning) })
    }

    /// The primary key and the unique keys; NULL differs from everything, as in SQLite.
    package var keyAdditions: [String] {
      let primary =
        table.primaryKey.isEmpty ? [] : ["PRIMARY KEY (\(table.list(table.primaryKey)))"]
      return primary.map(addition) + uniqueKeyAdditions
    }

    /// The unique keys alone.
    package var uniqueKeyAdditions: [String] {
      table.uniqueKeys.map { addition(of: "UNIQUE (\(table.list($0)))") }
    }

    /// The primary key in two steps: an index, which can be created while others of the table are, and what makes it
    /// the key.
    ///
    /// It has the name that the server would choose for the key.
    ///
    /// - Parameter names: those of the tables of the schema.
    /// - Returns: Nil if there is no key, or the server would have to choose another name.
    package func indexedKey(besides names: [String]) -> (index: String, key: String)? {
      let name = table.name + "_pkey"
      guard !table.primaryKey.isEmpty, name.utf8.count <= longestIdentifier,
        !names.contains(where: { haveSameBytes($0, name) })
      else { return nil }
      let index = quoted(identifier: name)
      return (
        "CREATE UNIQUE INDEX \(index) ON \(qualifiedName) (\(table.list(table.primaryKey)))",
        addition(of: "PRIMARY KEY USING INDEX \(index)")
      )
    }

    private func addition(of constraint: String) -> String {
      "ALTER TABLE \(qualifiedName) ADD \(constraint)"
    }

    /// A `CREATE INDEX` for each further index.
    package var indexCreations: [String] {
      table.indexes.map { "CREATE INDEX ON \(qualifiedName) (\(table.list($0)))" }
    }

    /// The foreign keys, which hold for new rows and have not been checked for those that are there; the tables to
    /// which they refer must have their keys.
    package var foreignKeyAdditions: [String] {
      foreignKeys.map { key in
        "ALTER TABLE \(qualifiedName) ADD FOREIGN KEY (\(table.list(key.columns))) REFERENCES "
          + "\(qualified(key.table)) (\(table.list(key.keyColumns))) NOT VALID"
      }
    }

    /// The `ANALYZE`, without which the planner guesses until the server comes round to it.
    package var analysis: [String] { ["ANALYZE \(qualifiedName)"] }
  }

  /// Throws if PostgreSQL cannot have a name; it would cut off what is too long, and say so in a notice only
  /// (<https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS>).
  func check(identifier name: String) throws(PostgreSQLError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PostgreSQLError(.misuse, "\(name.debugDescription) is not a name")
    }
    guard name.utf8.count > longestIdentifier else { return }
    throw PostgreSQLError(
      .misuse,
      "The name \(quoted(identifier: name)) has \(name.utf8.count) bytes, and PostgreSQL takes \(longestIdentifier)"
    )
  }

  /// The most bytes of a name, unless the server was built for others.
  let longestIdentifier = 63

  extension ColumnDescription.DataType {
    /// The type's name, with the collation of texts.
    var postgreSQL: String {
      switch self {
      case .integer: "bigint"
      case .real: "double precision"
      case .text: "text COLLATE \"C\""
      case .blob: "bytea"
      case .boolean: "boolean"
      }
    }
  }
#endif
