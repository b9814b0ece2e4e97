#if PostgreSQL
  package import SQLiteSwiftly

  /// The statements that create the table of a description in a schema.
  ///
  /// An integer is a `bigint`, a real a `double precision`, and a text a `text` that is compared and sorted by bytes
  /// (`COLLATE "C"`), as in SQLite. Dates, times and JSON are also text, with a check: a `date` or a `jsonb` would not
  /// return the loaded text. Keys, indexes and foreign keys are added after the rows; the server chooses their names, since
  /// the SQLite names would often be too long.
  package struct TableDefinition: Sendable {
    package let table: TableDescription
    package let schema: String
    let foreignKeys: [ForeignKeyDescription]

    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package init(_ table: TableDescription, in schema: String) throws(PostgreSQLError) {
      try check(
        table.faults, of: "the table \(table.name)",
        names: [schema, table.name] + table.columns.map(\.name))
      self.table = table
      self.schema = schema
      foreignKeys = table.foreignKeys.filter(\.isDeclared)
    }

    package static func all(
      _ tables: [TableDescription], in schema: String
    ) throws(PostgreSQLError) -> [TableDefinition] {
      try tables.map { table throws(PostgreSQLError) in try TableDefinition(table, in: schema) }
    }

    package var qualifiedName: String { qualified(table.name, in: schema) }

    /// With checks, but without keys.
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

    /// Without `FREEZE`, which is not faster, and with which an older transaction would see these rows, but not those
    /// of derived tables.
    package var copy: String {
      "COPY \(qualifiedName) (\(table.list(table.columns.map(\.name)))) FROM STDIN (FORMAT binary)"
    }

    /// The `INSERT` of the rows of a query, with tables found through the search path.
    package func filling(by query: SQL) -> String {
      "INSERT INTO \(qualifiedName) (\(table.list(table.columns.map(\.name))))\n\(query.postgreSQL)"
    }

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

    /// The primary key and the unique keys; NULL is distinct from every value, as in SQLite.
    package var keyAdditions: [String] {
      let primary =
        table.primaryKey.isEmpty ? [] : ["PRIMARY KEY (\(table.list(table.primaryKey)))"]
      return primary.map(addition) + uniqueKeyAdditions
    }

    package var uniqueKeyAdditions: [String] {
      table.uniqueKeys.map { addition(of: "UNIQUE (\(table.list($0)))") }
    }

    /// The primary key in two steps: an index, which can be created concurrently with others, and the key that uses
    /// it.
    ///
    /// It has the name that the server would choose; nil if there is no key, or if that name is too long or is the
    /// name of another table.
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

    /// The foreign keys, which are not yet checked for existing rows; the referenced tables must have their keys.
    package var foreignKeyAdditions: [String] {
      foreignKeys.map { key in
        addition(
          of: "FOREIGN KEY (\(table.list(key.columns))) REFERENCES "
            + "\(qualified(key.table, in: schema)) (\(table.list(key.keyColumns))) NOT VALID")
      }
    }

    /// The `ANALYZE`, without which the planner has no statistics until the server gathers them.
    package var analysis: [String] { ["ANALYZE \(qualifiedName)"] }
  }

  extension ColumnDescription.DataType {
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

  extension PostgreSQLConnection {
    /// Checks the foreign keys for the existing rows
    /// (<https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-DESC-VALIDATE-CONSTRAINT>).
    ///
    /// - Throws: `PostgreSQLError`, with SQLSTATE 23503 for a row without a parent, which its detail names.
    package func validateForeignKeys(of definition: TableDefinition) throws(PostgreSQLError) {
      guard !definition.foreignKeys.isEmpty else { return }
      // The server chose the names.
      let keys = try texts(
        """
        SELECT conname FROM pg_constraint
        WHERE conrelid = $1::regclass AND contype = 'f' AND NOT convalidated ORDER BY oid
        """, [definition.qualifiedName])
      for key in keys {
        try execute(
          "ALTER TABLE \(definition.qualifiedName) VALIDATE CONSTRAINT \(quoted(identifier: key))")
      }
    }
  }
#endif
