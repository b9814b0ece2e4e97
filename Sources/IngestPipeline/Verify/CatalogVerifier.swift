import Files
import DatabaseFile
import SQLiteSwiftly

/// Checks a finished file as any reader would find it, before it is published.
struct CatalogVerifier {
  let path: String
  /// The file, opened for reading.
  let descriptor: Int32
  let schema: SchemaDescription
  /// The indexes that SQLite has not created itself.
  let indexes: [CollectedIndex]

  /// Checks everything, on this thread and another, since most of it is reading.
  ///
  /// - Parameter inserted: for each table of the schema, the rows that it must have.
  /// - Returns: For each table its rows, and for each of its columns those in which it is NULL.
  /// - Throws: `IngestError` for the first thing that is not as it must be.
  func check(inserted: [Int]) throws(IngestError) -> [TableCount] {
    let structure = try Worker("verifier") {
      Result { () throws(IngestError) in try checkStructure() }
    }
    let contents = Result { () throws(IngestError) in
      let counts = try count(inserted)
      try checkIndexes(counts)
      try checkForeignKeys()
      return counts
    }
    try structure.result().get()
    return try contents.get()
  }

  /// Counts the rows of every table, and its NULLs, and compares the rows with what was inserted.
  private func count(_ inserted: [Int]) throws(IngestError) -> [TableCount] {
    let counts = try reading { connection throws(SQLiteError) in
      try schema.tables.map { table throws(SQLiteError) in
        let nullable = table.columns.filter { !table.requires($0) }.map(\.name)
        let count = try TableCount(of: table.name, nullable: nullable, on: connection)
        return count.spread(over: table.columns.map { !table.requires($0) })
      }
    }
    for (table, (count, expected)) in zip(schema.tables, zip(counts, inserted))
    where count.rows != expected {
      throw IngestError(
        .fault, runCode: .accountsUnbalanced,
        "\(path): the table \(table.name) has \(count.rows) rows, but \(expected) were inserted. "
          + "Nothing was published; please report this as a fault of ingest.")
    }
    return counts
  }

  /// Checks that every index has the entries of its table's rows.
  ///
  /// `PRAGMA quick_check` looks into indexes, but not whether they have the rows of their tables. What
  /// SQLite has created is counted. What was loaded is read back, entry by entry, and must come to the
  /// sum that its rows had when they were inserted.
  private func checkIndexes(_ counts: [TableCount]) throws(IngestError) {
    for (place, (table, count)) in zip(schema.tables, counts).enumerated() {
      let loaded = indexes.filter { $0.table == place }
      let names = loaded.map { table.indexName($0.place) }
      let found = try reading { connection throws(SQLiteError) in
        (
          try connection.entriesOfIndexes(on: table.name, besides: names),
          try names.map { name throws(SQLiteError) in try connection.rootPage(ofIndex: name) }
        )
      }
      for index in found.0 where index.entries != count.rows {
        throw damaged(
          "\(index.name) has \(index.entries) entries for the \(count.rows) rows of", table)
      }
      for (index, (name, root)) in zip(loaded, zip(names, found.1)) {
        try check(index, name, root: root, of: table, rows: count.rows)
      }
    }
  }

  private func check(
    _ index: CollectedIndex, _ name: String, root: Int, of table: TableDescription, rows: Int
  ) throws(IngestError) {
    let checksum: EntryChecksum
    do throws(IndexError) {
      var reader = try IndexReader(descriptor)
      checksum = try reader.checksum(of: index, root: root)
    } catch {
      if case .file(let error) = error {
        throw damaged("\(name) cannot be read: \(error.message). It is an index of", table)
      }
      throw damaged(
        "\(name) has entries that are no records, or in no order. It is an index of", table)
    }
    guard checksum.entries == rows else {
      throw damaged("\(name) has \(checksum.entries) entries for the \(rows) rows of", table)
    }
    guard checksum == index.checksum else {
      throw damaged("\(name) has entries that are not those of the rows of", table)
    }
  }

  private func damaged(_ what: String, _ table: TableDescription) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): the index \(what) \(table.name). Nothing was published; check the disk and the memory of "
        + "this machine.")
  }

  /// Checks that every foreign key has its parent.
  ///
  /// Looks up each distinct value once, which is far less than `PRAGMA foreign_key_check` does for
  /// the same answer.
  private func checkForeignKeys() throws(IngestError) {
    let keys = schema.tables.flatMap { table in table.foreignKeys.map { (table.name, $0) } }
    let orphans = try reading { connection throws(SQLiteError) in
      try keys.map { table, key throws(SQLiteError) in
        try connection.value(of: key.orphans(in: table))
      }
    }
    for ((table, key), orphan) in zip(keys, orphans) {
      guard let orphan else { continue }
      throw IngestError(
        .fault,
        "\(path): \(table).\(key.columns[0]) has the value \(orphan), which is not in "
          + "\(key.table). Nothing was published; please report this as a fault of ingest.")
    }
  }

  /// Checks the structure of the file, and the types and domains of all values.
  private func checkStructure() throws(IngestError) {
    // On a connection that was opened for reading only, SQLite passes over the CHECKs.
    let faults = try reading(.openExisting) { connection throws(SQLiteError) in
      try connection.set(.queryOnly, to: true)
      return try connection.faults(.structure)
    }
    guard let fault = faults.first else { return }
    throw IngestError(
      .inputOutput,
      "\(path): the file that was written is damaged: \(fault). Nothing was published; check the "
        + "disk and the memory of this machine.")
  }

  private func reading<Result>(
    _ opening: Connection.Opening = .readOnly, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      let connection = try Connection(
        path, opening: opening, busyTimeout: CatalogWriter.busyTimeout)
      let result = try body(connection)
      try connection.close()
      return result
    } catch {
      throw IngestError(error, writing: path)
    }
  }
}

extension Connection {
  /// The number of the root page of an index; 0 if there is none of that name.
  fileprivate func rootPage(ofIndex name: String) throws(SQLiteError) -> Int {
    let root = try value(
      of: "SELECT rootpage FROM main.sqlite_schema WHERE type = 'index' AND name = \(name)")
    return Int(root?.integerValue ?? 0)
  }

  /// The indexes of a table, those of its keys included, with their entries; but not those of some names.
  fileprivate func entriesOfIndexes(
    on table: String, besides loaded: [String]
  ) throws(SQLiteError) -> [(name: String, entries: Int)] {
    // The key of a table without rowids is the table, and no index of its own.
    let names = try query(
      """
      SELECT name FROM pragma_index_list(\(table)) JOIN main.sqlite_schema USING (name)
      WHERE type = 'index' ORDER BY name
      """)
    let others = names.compactMap { $0[0].textValue }.filter { !loaded.hasName($0) }
    return try others.map { name throws(SQLiteError) in
      // Without a condition SQLite counts in whichever index is smallest.
      let count = try value(
        of: """
          SELECT count(*) FROM main.\(identifier: table) INDEXED BY \(identifier: name) WHERE true
          """)
      return (name, Int(count?.integerValue ?? -1))
    }
  }
}

extension ForeignKeyDescription {
  /// The query for a value of the key's column that its parent does not have.
  fileprivate func orphans(in table: String) -> SQL {
    """
    SELECT value FROM (SELECT DISTINCT \(identifier: columns[0]) AS value
      FROM \(identifier: table))
    WHERE value IS NOT NULL AND value NOT IN (SELECT \(identifier: keyColumns[0])
      FROM \(identifier: self.table)) LIMIT 1
    """
  }
}
