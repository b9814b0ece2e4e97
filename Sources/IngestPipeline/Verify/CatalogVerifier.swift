import Files
import DatabaseFile
import SQLiteSwiftly

/// Checks a finished file as any reader would find it, before it is published.
struct CatalogVerifier {
  let path: String
  /// The file, opened for reading.
  let descriptor: Int32
  let schema: SchemaDescription
  /// For each table, the sum of the rows that were inserted.
  let rows: [EntryChecksum]
  /// The indexes that SQLite has not created itself.
  let indexes: [CollectedIndex]

  /// Checks everything, on this thread and another, since most of it is reading.
  ///
  /// - Parameter tables: those of the file, some of which may have been looked at.
  /// - Returns: What was found in each table.
  /// - Throws: `IngestError` for the first thing that is not as it must be.
  func check(
    _ tables: inout FinishedTables, besides work: (inout FinishedTables) -> Void = { _ in }
  ) throws(IngestError) -> [TableLook] {
    let structure = try Worker("verifier") {
      Result { () throws(IngestError) in try checkStructure() }
    }
    work(&tables)
    let contents = Result { () throws(IngestError) in
      let looks = try checkRows(&tables)
      try checkIndexes(looks)
      try checkForeignKeys()
      return looks
    }
    try structure.result().get()
    return try contents.get()
  }

  /// Checks that every table has the rows that were inserted.
  private func checkRows(_ tables: inout FinishedTables) throws(IngestError) -> [TableLook] {
    var looks: [TableLook] = []
    for (place, (table, sum)) in zip(schema.tables, rows).enumerated() {
      let look: TableLook
      do throws(DatabaseError) {
        look = try tables.look(at: place)
      } catch {
        throw damaged("the table", table.name, error)
      }
      guard look.rows.entries == sum.entries else {
        throw IngestError(
          .fault, runCode: .accountsUnbalanced,
          "\(path): the table \(table.name) has \(look.rows.entries) rows, but \(sum.entries) were "
            + "inserted. Nothing was published; please report this as a fault of ingest.")
      }
      guard look.rows == sum else {
        throw damaged("the table \(table.name) has rows that are not those that were inserted")
      }
      looks.append(look)
    }
    return looks
  }

  /// Checks that every index has the entries of its table's rows.
  ///
  /// `PRAGMA quick_check` looks into indexes, but not whether they have the rows of their tables. What
  /// SQLite has created is counted. What was loaded is read back, entry by entry, and must come to the
  /// sum that its rows had when they were inserted.
  private func checkIndexes(_ looks: [TableLook]) throws(IngestError) {
    for (place, (table, look)) in zip(schema.tables, looks).enumerated() {
      let rows = look.rows.entries
      let loaded = indexes.filter { $0.table == place }
      let names = loaded.map { table.indexName($0.place) }
      let found = try reading { connection throws(SQLiteError) in
        (
          try connection.entriesOfIndexes(on: table.name, besides: names),
          try names.map { name throws(SQLiteError) in try connection.rootPage(ofIndex: name) }
        )
      }
      for index in found.0 where index.entries != rows {
        throw damaged(
          "the index \(index.name) has \(index.entries) entries for the \(rows) rows of \(table.name)"
        )
      }
      for (index, (name, root)) in zip(loaded, zip(names, found.1)) {
        try check(index, name, root: root, of: table, rows: rows)
      }
    }
  }

  private func check(
    _ index: CollectedIndex, _ name: String, root: Int, of table: TableDescription, rows: Int
  ) throws(IngestError) {
    let checksum: EntryChecksum
    do throws(DatabaseError) {
      checksum = try index.storedChecksum(in: descriptor, root: root)
    } catch {
      throw damaged("the index", "\(name) of \(table.name)", error)
    }
    guard checksum.entries == rows else {
      throw damaged(
        "the index \(name) has \(checksum.entries) entries for the \(rows) rows of \(table.name)")
    }
    guard checksum == index.checksum else {
      throw damaged("the index \(name) has entries that are not those of the rows of \(table.name)")
    }
  }

  private func damaged(_ kind: String, _ name: String, _ error: DatabaseError) -> IngestError {
    guard case .file(let error) = error else {
      return damaged("\(kind) \(name) has entries that are no records, or in no order")
    }
    return damaged("\(kind) \(name) cannot be read: \(error.message)")
  }

  private func damaged(_ what: String) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): \(what). Nothing was published; check the disk and the memory of this machine.")
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
