#if PostgreSQL
  package import Vocabulary
  package import PostgreSQL
  import SQLiteDestination
  package import SQLiteSwiftly
  import Schema
  import Provenance

  /// A published schema, with a copy of its provenance in memory.
  package final class PublishedSchema: PublishedCatalog {
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
      let stored = try mapError(
        StoredTable.all(in: name, on: connection),
        as: { IngestError($0, in: output, isReading: true) })
      for table in Provenance.tables
      where table.columns.allSatisfy({ stored[table.name]?.columns[$0.name] != nil }) {
        let rows = try mapError(
          connection.query(
            "SELECT \(table.columns.map(\.name).joined(separator: ", ")) FROM \(qualified(table.name, in: name))"
          ), as: { IngestError($0, in: output, isReading: true) })
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
        throw IngestError(
          .inputMissing, "\(output): no schema \(name) that ingest has published.")
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
      let change = try mapError(
        connection.change(in: name), as: { IngestError($0, in: output, isReading: true) })
      guard let change else { return }
      throw .changed("the schema was changed since it was published: \(change)")
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
#endif
