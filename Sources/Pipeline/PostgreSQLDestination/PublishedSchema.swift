#if PostgreSQL
  package import Vocabulary
  package import PostgreSQL
  import SQLiteDestination
  package import SQLiteSwiftly
  package import Schema
  import Provenance

  /// A published schema, with a copy of its provenance in memory.
  package final class PublishedSchema: PublishedDatabase {
    package let connection: PostgreSQLConnection
    package let name: String
    let output: String
    private let provenance: Connection
    package let version: Int32
    package let bytes: Int

    /// - Throws: `IngestError` if it cannot be read, or if ingest did not make it.
    package init(_ server: ServerSchema, at output: String) throws(IngestError) {
      (connection, bytes) = try mapError(as: {
        IngestError($0, in: output, isStart: true, isReading: true)
      }) {
        () throws(PostgreSQLError) in
        let connection = try PostgreSQLConnection(server.connection)
        connection.usesCitus = try connection.isDistributed(schema: server.name)
        // The texts of a file, whatever the settings of the role.
        try connection.execute(
          "SET datestyle = 'ISO'; SET timezone = 'UTC'; SET extra_float_digits = 1")
        return (connection, try connection.size(ofSchema: server.name))
      }
      (name, self.output) = (server.name, output)
      let (connection, name) = (connection, name)
      provenance = try mapError(
        Connection.inMemory(),
        as: { (error: SQLiteError) in IngestError(.inputOutput, "\(output): \(error.message)") })
      let failure = { (error: PostgreSQLError) in IngestError(error, in: output, isReading: true) }
      let stored = try mapError(StoredTable.all(in: name, on: connection), as: failure)
      for table in Provenance.tables
      where table.columns.allSatisfy({ stored[table.name]?.columns[$0.name] != nil }) {
        let rows = try mapError(
          connection.query(
            "SELECT \(table.columns.map(\.name).joined(separator: ", ")) FROM \(qualified(table.name, in: name))"
          ), as: failure)
        let provenance = provenance
        try mapError(as: { (error: SQLiteError) in
          IngestError(.data, "\(output): \(table.name) cannot be read: \(error.message)")
        }) { () throws(SQLiteError) in
          try provenance.createTable(describedBy: table)
          try Provenance.insert(rows.map(table.values), into: table, on: provenance)
        }
      }
      let version = try? provenance.first(
        "SELECT schema_version FROM ingest_catalog", as: Int32.self)
      guard let version else {
        throw IngestError(.inputMissing, "\(output): no schema \(name) that ingest has published.")
      }
      self.version = version
    }

    package var summary: String {
      let tool = try? provenance.first("SELECT tool_version FROM ingest_catalog", as: String.self)
      return "schema version \(version)" + (tool.map { ", made by ingest \($0)" } ?? "")
    }

    /// The description that it was loaded with, as a Data Package; nil for the default family.
    package var description: String? {
      (try? provenance.first(
        "SELECT value FROM ingest_options WHERE option = '--schema'", as: String.self)) ?? nil
    }

    package func reading<Result>(
      _ body: (Connection) throws(SQLiteError) -> Result
    ) throws(IngestError) -> Result {
      try mapError(
        body(provenance),
        as: { (error: SQLiteError) in IngestError(.data, "\(output): \(error.message)") })
    }

    package func checkIsUnmodified() throws(IngestError) {
      guard let change = try mapError(connection.change(in: name), as: failure) else { return }
      throw .changed("the schema was changed since it was published: \(change)")
    }

    /// The error of the run for one of reading.
    private func failure(_ error: PostgreSQLError) -> IngestError {
      IngestError(error, in: output, isReading: true)
    }

    /// The server has waited for the disk when it published the schema.
    package func checkIsOnDisk() {}
  }

  extension TableDescription {
    /// The values of a row that a server has sent as text.
    func values(_ row: [String?]) -> [SQLiteValue] {
      zip(row, columns).map { text, column in
        guard let text else { return .null }
        return switch column.type {
        case .boolean: .integer(["t", "true"].contains(text) ? 1 : 0)
        case .integer: Int64(text).map { .integer($0) } ?? .text(text)
        case .real: Double(text).map { .real($0) } ?? .text(text)
        default: .text(text)
        }
      }
    }
  }

  extension PublishedSchema {
    /// Copies the tables with source files into a new database file, with primary keys but without checks.
    package func copy(_ schema: SchemaDescription, to path: String) throws(IngestError) {
      let stored = try mapError(as: failure) { () throws(PostgreSQLError) in
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return try StoredTable.all(in: name, on: connection)
      }
      defer { connection.rollbackTransaction() }
      let catalog = try reading { provenance throws(SQLiteError) in
        try provenance.query("SELECT * FROM ingest_catalog").map { row in row.map(\.self) }
      }
      let file = try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
        let file = try Connection(path, opening: .createNew)
        try file.set(.journalMode, to: .off)
        try file.set(.synchronous, to: .off)
        try file.set(.applicationID, to: schema.applicationID)
        try file.set(.userVersion, to: version)
        try file.beginTransaction()
        try file.createTable(describedBy: Provenance.catalog)
        try Provenance.insert(catalog, into: Provenance.catalog, on: file)
        return file
      }
      for table in schema.tables {
        guard let stored = stored[table.name] else { continue }
        try copy(table.unchecked { stored.columns[$0] != nil }, stored, into: file, at: path)
      }
      try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
        try file.commitTransaction()
        try file.close()
      }
    }

    private func copy(
      _ table: TableDescription, _ stored: StoredTable, into file: Connection, at path: String
    ) throws(IngestError) {
      let values = table.columns.map { stored.text($0.name, of: "t") }.joined(separator: ", ")
      try mapError(
        connection.execute(
          "DECLARE rows NO SCROLL CURSOR FOR SELECT \(values) FROM ONLY \(qualified(table.name, in: name)) AS t"
        ), as: failure)
      try mapError(file.createTable(describedBy: table), as: { IngestError($0, writing: path) })
      while true {
        let rows = try mapError(connection.query("FETCH 10000 FROM rows"), as: failure)
        guard !rows.isEmpty else { break }
        try mapError(
          Provenance.insert(rows.map(table.values), into: table, on: file),
          as: { IngestError($0, writing: path) })
      }
      try mapError(connection.execute("CLOSE rows"), as: failure)
    }
  }

  extension TableDescription {
    /// The table with some of its columns and its primary key, and without checks.
    fileprivate func unchecked(_ includes: (String) -> Bool) -> TableDescription {
      TableDescription(
        name,
        columns: columns.filter { includes($0.name) }.map {
          ColumnDescription($0.name, $0.type, isNullable: !primaryKey.contains($0.name))
        },
        primaryKey: primaryKey.allSatisfy(includes) ? primaryKey : [])
    }
  }
#endif
