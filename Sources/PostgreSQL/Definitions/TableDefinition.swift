#if PostgreSQL
  package import Schema
  package import SQLiteSwiftly

  /// The statements that create the table of a description in a schema.
  ///
  /// Keys, indexes and foreign keys are added after the rows; the server chooses their names, since the SQLite names would
  /// often be too long.
  package struct TableDefinition: Sendable {
    package let table: TableDescription
    package let schema: String
    let foreignKeys: [ForeignKeyDescription]
    let types: [ServerType]
    let distribution: Distribution?
    // The keys that Citus cannot enforce; indexes replace those of the table itself.
    let unheldKeys: [[String]]
    let unheldForeignKeys: [ForeignKeyDescription]

    /// `formats` are those of the columns in source files, nil if queries fill the table; `shared` are the tables and
    /// columns that others refer to; `distribution` is nil without Citus.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package init(
      _ table: TableDescription, in schema: String, formats: [FieldFormat]? = nil,
      shared: Set<[String]> = [], distribution: Distribution? = nil
    ) throws(PostgreSQLError) {
      try check(
        table.faults, of: "the table \(table.name)",
        names: [schema, table.name] + table.columns.map(\.name))
      self.table = table
      self.schema = schema
      self.distribution = distribution
      let declared = table.foreignKeys.filter(\.isDeclared)
      func isHeld(_ key: ForeignKeyDescription) -> Bool {
        distribution?.holds(key, of: table.name) ?? true
      }
      foreignKeys = declared.filter(isHeld)
      unheldForeignKeys = declared.filter { !isHeld($0) }
      unheldKeys = ([table.primaryKey] + table.uniqueKeys).filter {
        !$0.isEmpty && distribution?.holds(uniqueKey: $0, of: table.name) == false
      }
      let keys = Set(table.primaryKey + (table.uniqueKeys + table.indexes).joined())
      let references = Set(table.foreignKeys.flatMap(\.columns))
      types = table.columns.enumerated().map { place, column in
        ServerType(
          column, formats?[place], isKey: keys.contains(column.name),
          isShared: references.contains(column.name) || shared.contains([table.name, column.name]))
      }
    }

    /// The tables with source files, in load order.
    package static func all(
      of description: SchemaDescription, in schema: String, distribution: Distribution? = nil
    ) throws(PostgreSQLError) -> [TableDefinition] {
      let keys = (description.tables + description.allDerivedTables).flatMap(\.foreignKeys)
      let members = description.keyUnions.flatMap(\.members)
      let shared = Set(
        keys.flatMap { key in key.keyColumns.map { [key.table, $0] } }
          + members.map { [$0.table, $0.keyColumn] })
      return try zip(description.tables, description.sources).map {
        table, source throws(PostgreSQLError) in
        try TableDefinition(
          table, in: schema, formats: source.formats, shared: shared, distribution: distribution)
      }
    }

    package var qualifiedName: String { qualified(table.name, in: schema) }

    /// With checks, but without keys; a table that is not logged is written faster, but a crash of the server empties it.
    package func creation(isLogged: Bool = true) -> String {
      let lines = zip(table.columns, types).map { "  " + definition(of: $0, $1) }
      return "CREATE \(isLogged ? "" : "UNLOGGED ")TABLE \(qualifiedName) "
        + "(\n\(lines.joined(separator: ",\n"))\n)"
    }

    private func definition(of column: ColumnDescription, _ type: ServerType) -> String {
      quoted(identifier: column.name) + " " + type.rawValue
        + (table.requires(column) ? " NOT NULL" : "")
        + (column.defaultValue.flatMap { $0.postgreSQL(as: column.type) }.map { " DEFAULT \($0)" }
          ?? "")
        + (column.check(as: type).map { " CHECK (\($0))" } ?? "")
    }

    /// Without `FREEZE`, which is not faster, and would show older transactions these rows, but not derived ones.
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
    package var keyAdditions: [String] { primaryKeyAddition + uniqueKeyAdditions }

    private var primaryKey: [String] {
      unheldKeys.contains(table.primaryKey) ? [] : table.primaryKey
    }

    /// Without a primary key, publications identify rows by all of their values.
    package var primaryKeyAddition: [String] {
      guard primaryKey.isEmpty else {
        return [addition(of: "PRIMARY KEY (\(table.list(primaryKey)))")]
      }
      return distribution == nil ? [identification(ofRowsIn: qualifiedName)] : []
    }

    package var uniqueKeyAdditions: [String] {
      table.uniqueKeys.filter { !unheldKeys.contains($0) }
        .map { addition(of: "UNIQUE (\(table.list($0)))") }
    }

    /// The primary key in two steps: an index, which can be created concurrently with others, and the key that uses it.
    ///
    /// It has the name that the server would choose; nil if there is no key, or if that name is too long or is the
    /// name of another table.
    package func indexedKey(besides names: [String]) -> (index: String, key: String)? {
      let name = table.name + "_pkey"
      guard !primaryKey.isEmpty, name.utf8.count <= longestIdentifier,
        !names.contains(where: { haveSameBytes($0, name) })
      else { return nil }
      let index = quoted(identifier: name)
      return (
        "CREATE UNIQUE INDEX \(index) ON \(qualifiedName) (\(table.list(primaryKey)))",
        addition(of: "PRIMARY KEY USING INDEX \(index)")
      )
    }

    private func addition(of constraint: String) -> String {
      "ALTER TABLE \(qualifiedName) ADD \(constraint)"
    }

    package var indexCreations: [String] {
      let others = unheldKeys.filter { !table.indexes.contains($0) }
      return (table.indexes + others).map { "CREATE INDEX ON \(qualifiedName) (\(table.list($0)))" }
    }

    /// The foreign keys, which are not yet checked for existing rows; the referenced tables must have their keys.
    ///
    /// A transaction can defer their checks, so that a merge can change tables that refer to each other. It cannot do so
    /// on the other nodes of a cluster.
    package var foreignKeyAdditions: [String] {
      foreignKeys.map { key in
        addition(
          of: "FOREIGN KEY (\(table.list(key.columns))) REFERENCES "
            + "\(qualified(key.table, in: schema)) (\(table.list(key.keyColumns))) DEFERRABLE"
            + (distribution == nil ? "" : " INITIALLY DEFERRED") + " NOT VALID"
        )
      }
    }

    /// The `ANALYZE`, without which the planner has no statistics until the server gathers them.
    package var analysis: [String] { ["ANALYZE \(qualifiedName)"] }
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

    /// The settings for loaded tables, with up to `max_parallel_maintenance_workers` helpers or none; nil for a table
    /// with the default settings.
    package func sortRuns(
      of definitions: [TableDefinition], hasHelpers: Bool
    ) throws(PostgreSQLError) -> [SortRuns?] {
      guard !definitions.isEmpty else { return [] }
      let names = definitions.enumerated().map { "(\($0), \(quoted(text: $1.qualifiedName)))" }
      let found = try query(
        """
        SELECT pg_relation_size(name::regclass), pg_size_bytes(current_setting('maintenance_work_mem')),
          current_setting('max_parallel_maintenance_workers')
        FROM (VALUES \(names.joined(separator: ", "))) AS tables (place, name) ORDER BY place
        """)
      return found.map { row in
        let numbers = row.map { $0.flatMap(Int.init) ?? 0 }
        return SortRuns(of: numbers[0], within: numbers[1], helpers: hasHelpers ? numbers[2] : 0)
      }
    }
  }

  /// Settings with which the server sorts the rows of a large table in small runs, for keys and indexes.
  ///
  /// By default, it sorts in as much memory as `maintenance_work_mem` allows, and uses parallel workers only if each has
  /// 32 MB of that
  /// (<https://www.postgresql.org/docs/current/runtime-config-resource.html#GUC-MAX-PARALLEL-MAINTENANCE-WORKERS>).
  /// Runs of a few megabytes fit into the cache of the processor: an index of 825,153 rows then takes 0.60 s, instead of
  /// 0.73 s in 64 MB. The runs are as small as possible for a single merge.
  package struct SortRuns: Equatable, Sendable {
    /// For all processes, in bytes.
    let memory: Int
    let helpers: Int

    /// The memory for each run in a merge, in bytes: a buffer and a block
    /// (`tuplesort_merge_order` in the server's src/backend/utils/sort/tuplesort.c).
    private static let mergeBuffer = 264 << 10
    /// The minimum memory of a process, in bytes, as in the server.
    private static let least = 1 << 20
    /// The minimum size of a large table in bytes; the server uses no workers for smaller ones.
    private static let largeTable = 8 << 20

    /// Nil for a table that is too small; `bytes` is the size of the table, which exceeds that of the sorted columns,
    /// and `limit` is for all processes.
    ///
    /// A process can merge as many runs as its memory has buffers. There are `bytes / memory` runs and
    /// `memory / buffer` buffers, so the square root of `bytes * buffer` suffices.
    init?(of bytes: Int, within limit: Int, helpers: Int) {
      guard bytes >= Self.largeTable else { return nil }
      let processes = helpers + 1
      let share = Double(bytes) / Double(processes)
      let enough = Int((share * Double(Self.mergeBuffer)).squareRoot())
      memory = min(max(enough, Self.least) * processes, limit)
      self.helpers = helpers
    }

    /// Encloses statements that add keys or indexes to a table in those that set and reset the memory; run all at once.
    package func around(_ statements: [String], of definition: TableDefinition) -> [String] {
      let memory = ["SET maintenance_work_mem = '\(memory >> 10)kB'"]
      // Checking foreign keys can use all of the memory.
      let reset = ["RESET maintenance_work_mem"]
      // This cannot be set while others create indexes of the table, but without it no worker helps in so little memory.
      guard helpers > 0 else { return memory + statements + reset }
      let table = "ALTER TABLE \(definition.qualifiedName)"
      return memory + ["\(table) SET (parallel_workers = \(helpers))"] + statements + reset
        + ["\(table) RESET (parallel_workers)"]
    }
  }
#endif
