#if PostgreSQL
  package import SQLiteSwiftly

  /// The statements that make the table of a description in a schema.
  ///
  /// An integer is a `bigint`, a real a `double precision`, and a text a `text` that is compared and sorted by bytes
  /// (`COLLATE "C"`), as in SQLite. Dates, times and JSON stay text as well, with a check: a `date` or a `jsonb` would
  /// not give back what was loaded. Keys, indexes and foreign keys are for when the rows are there; the server
  /// chooses their names, since SQLite's are longer than it takes more often.
  package struct TableDefinition: Sendable {
    package let table: TableDescription
    package let schema: String
    /// The references that the server checks.
    let foreignKeys: [ForeignKeyDescription]

    /// Takes a description for a schema.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package init(_ table: TableDescription, in schema: String) throws(PostgreSQLError) {
      try check(
        table.faults, of: "the table \(table.name)",
        names: [schema, table.name] + table.columns.map(\.name))
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
    package var qualifiedName: String { qualified(table.name, in: schema) }

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

    package var uniqueKeyAdditions: [String] {
      table.uniqueKeys.map { addition(of: "UNIQUE (\(table.list($0)))") }
    }

    /// The primary key in two steps: an index, which can be created while others of the table are, and what makes it
    /// the key.
    ///
    /// It has the name that the server would choose for the key.
    ///
    /// - Returns: Nil if there is no key, or if the server would have to choose another name besides those of the
    ///   tables of the schema.
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

    package var indexCreations: [String] {
      table.indexes.map { "CREATE INDEX ON \(qualifiedName) (\(table.list($0)))" }
    }

    /// The foreign keys, which hold for new rows and have not been checked for those that are there; the tables to
    /// which they refer must have their keys.
    package var foreignKeyAdditions: [String] {
      foreignKeys.map { key in
        addition(
          of: "FOREIGN KEY (\(table.list(key.columns))) REFERENCES "
            + "\(qualified(key.table, in: schema)) (\(table.list(key.keyColumns))) NOT VALID")
      }
    }

    /// The `ANALYZE`, without which the planner guesses until the server comes round to it.
    package var analysis: [String] { ["ANALYZE \(qualifiedName)"] }
  }

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
