import SQLiteSwiftly

/// Checks a finished file as any reader would find it, before it is published.
struct CatalogVerifier {
  let path: String
  let schema: SchemaDescription

  /// Counts the rows of every table and compares them with what was inserted.
  func checkCounts(_ inserted: [Int]) throws(IngestError) {
    let counts = try reading { connection throws(SQLiteError) in
      try schema.tables.map { table throws(SQLiteError) in
        try connection.value(of: "SELECT count(*) FROM \(identifier: table.name)" as SQL)
      }
    }
    for (table, (count, expected)) in zip(schema.tables, zip(counts, inserted))
    where count != .integer(Int64(expected)) {
      throw IngestError(
        .fault,
        "\(path): the table \(table.name) has \(count?.integerValue ?? -1) rows, but \(expected) "
          + "were inserted. Nothing was published; please report this as a fault of ingest.")
    }
  }

  /// Checks that every foreign key has its parent.
  func checkForeignKeys() throws(IngestError) {
    let violations = try reading { connection throws(SQLiteError) in
      try connection.foreignKeyViolations(limit: 1)
    }
    guard let violation = violations.first else { return }
    throw IngestError(
      .fault,
      "\(path): a row of \(violation.table) has no parent in \(violation.parent). Nothing was "
        + "published; please report this as a fault of ingest.")
  }

  /// Checks the structure of the file and the types and domains of all values.
  func checkStructure() throws(IngestError) {
    let faults = try reading { connection throws(SQLiteError) in
      try connection.structuralFaults()
    }
    guard let fault = faults.first else { return }
    throw IngestError(
      .inputOutput,
      "\(path): the file that was written is damaged: \(fault). Nothing was published; check the "
        + "disk and the memory of this machine.")
  }

  private func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      let connection = try Connection(path, opening: .readOnly)
      defer { connection.close() }
      return try body(connection)
    } catch {
      throw IngestError(error, writing: path)
    }
  }
}
