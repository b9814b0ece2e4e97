#if PostgreSQL
  package import Vocabulary
  import PostgreSQL
  import SQLiteDestination
  package import Schema
  import SQLiteSwiftly
  import Provenance

  extension PublishedSchema {
    /// Copies the tables with source files into a new database file, with primary keys but without checks.
    package func copy(_ schema: SchemaDescription, to path: String) throws(IngestError) {
      let stored = try mapError(as: { IngestError($0, in: output, isReading: true) }) {
        () throws(PostgreSQLError) in
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
        ), as: { IngestError($0, in: output, isReading: true) })
      try mapError(file.createTable(describedBy: table), as: { IngestError($0, writing: path) })
      while true {
        let rows = try mapError(
          connection.query("FETCH 10000 FROM rows"),
          as: { IngestError($0, in: output, isReading: true) })
        guard !rows.isEmpty else { break }
        try mapError(
          Provenance.insert(rows.map(table.values), into: table, on: file),
          as: { IngestError($0, writing: path) })
      }
      try mapError(
        connection.execute("CLOSE rows"), as: { IngestError($0, in: output, isReading: true) })
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
