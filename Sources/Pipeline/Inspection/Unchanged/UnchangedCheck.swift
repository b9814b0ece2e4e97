import SQLiteFormat
import SQLiteDestination
package import Quarantine
package import SourceFiles
package import Facts
import Files
import SQLiteSwiftly
package import Schema

/// Compares what a run is given with what the catalog at its output says that it was made from.
package struct UnchangedCheck {
  let schema: SchemaDescription
  let options: IngestOptions
  let sqlFiles: [SQLFile]
  let suppressions: Suppressions?
  let folder: SourceFolder
  let repairs: RepairsFolder?

  package init(
    schema: SchemaDescription, options: IngestOptions, sqlFiles: [SQLFile],
    suppressions: Suppressions?, folder: SourceFolder, repairs: RepairsFolder?
  ) {
    self.schema = schema
    self.options = options
    self.sqlFiles = sqlFiles
    self.suppressions = suppressions
    self.folder = folder
    self.repairs = repairs
  }

  /// Looks at the catalog and at the dumps, and changes nothing; says why the run has to go on, if it
  /// has to.
  ///
  /// A dump is known again by its size, by the header of its first member, and by the checksum and the length at
  /// its end, or by all that the directory of its ZIP archive says; only one that has none there is read. A change
  /// to the catalog by a program that uses SQLite is known by the file's change counter
  /// (<https://www.sqlite.org/fileformat.html#file_change_counter>).
  package func result() -> Result<Found, Reason> {
    Result { () throws(Reason) in
      let catalog: CatalogFile
      do throws(IngestError) {
        catalog = try CatalogFile(resolvedPath(options.output), applicationID: schema.applicationID)
      } catch {
        // What is wrong with it the run itself says, or it is not there.
        throw Reason(words: "there is no catalog at \(options.output) that can be read")
      }
      do throws(IngestError) {
        try checkIsUntouched(catalog)
        try checkOptions(catalog)
        try checkRepairs(catalog)
        let tables = try checkFiles(catalog)
        let verdict = try catalog.reading { connection throws(SQLiteError) in
          try Provenance.verdict(tables, of: options.output, in: connection)
        }
        guard let verdict else {
          throw changed("the catalog does not say what its run came to")
        }
        let rejects = RejectsFolder(
          options.rejectsFolder ?? options.defaultRejectsFolder, sources: schema.sources,
          replaying: nil)
        let folder = try checkRejects(tables, in: rejects)
        try checkIsOnDisk()
        return Found(
          catalog: UnchangedCatalog(tables, bytes: catalog.size), verdict: verdict,
          rejectsFolder: folder, editedRejects: rejects.previousWithUnloadedRepairs())
      } catch {
        throw Reason(words: error.message)
      }
    }
  }

  /// What is found if nothing has changed.
  package struct Found {
    package let catalog: UnchangedCatalog
    package let verdict: CatalogVerdict
    /// The folder with what was rejected; nil if nothing was.
    package let rejectsFolder: String?
    /// Folders of earlier runs with repaired records that were not loaded.
    package let editedRejects: [String]
  }

  /// Why a catalog is loaded again, in words.
  package struct Reason: Error { package let words: String }

  private func changed(_ words: String) -> IngestError { IngestError(.data, words) }

  /// Makes sure that nobody has written to the catalog since it was published, and that no other version of
  /// the tool, or of SQLite, would write it.
  private func checkIsUntouched(_ catalog: borrowing CatalogFile) throws(IngestError) {
    let rows = try catalog.reading { connection throws(SQLiteError) -> [[SQLiteValue]] in
      guard try Provenance.isComplete(in: connection) else { return [] }
      return try connection.query(
        "SELECT tool_version, schema_version, change_counter FROM main.ingest_catalog")
    }
    guard rows.count == 1, rows[0][0].textValue == toolVersion,
      rows[0][1] == .integer(Int64(schema.version)), catalog.version == schema.version
    else { throw changed("another version of ingest has made the catalog") }
    let header: DatabaseHeader?
    do throws(FileError) {
      header = try DatabaseHeader(ofAny: catalog.descriptor)
    } catch {
      throw changed("the catalog cannot be read: \(error.message)")
    }
    guard let header, rows[0][2] == .integer(Int64(header.changeCounter)),
      catalog.size == header.pages * header.pageBytes
    else { throw changed("somebody has written to the catalog since it was published") }
    guard header.libraryVersion == SQLiteLibrary.versionNumber else {
      throw changed("another version of SQLite has written the catalog")
    }
  }

  private func checkOptions(_ catalog: borrowing CatalogFile) throws(IngestError) {
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try connection.query(
        "SELECT option, value, file_name, size, crc32 FROM main.ingest_options ORDER BY position")
    }.map { row in
      row.filter { $0 != .null }.map { $0.textValue ?? $0.integerValue.map(String.init) ?? "" }
    }
    let given = CatalogOption.all(of: options, sqlFiles, suppressions).map(\.words)
    guard stored.count == given.count, zip(stored, given).allSatisfy({ haveSameBytes($0, $1) })
    else { throw changed("the catalog was made with other options, or other SQL of your own") }
  }

  /// Makes sure that the standing repairs are those that the catalog was made with.
  private func checkRepairs(_ catalog: borrowing CatalogFile) throws(IngestError) {
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try connection.query("SELECT table_name, file_name, size, crc32 FROM main.ingest_repairs")
    }.map { row in
      [row[0].textValue, row[1].textValue, row[2].integerValue.map(String.init), row[3].textValue]
        .map { $0 ?? "" }
    }
    let given = (repairs?.files ?? []).map { file in
      [file.table, file.file.name, "\(file.size)", file.crc32.hexadecimal]
    }
    guard stored.count == given.count, given.allSatisfy({ stored.contains($0) }) else {
      throw changed("the catalog was made with other repairs")
    }
  }

  /// Makes sure that the rejected records are those of the run that made the catalog; returns where
  /// they are, if there are any.
  ///
  /// If it rejected none and there are some, it was ended before it came to moving them away.
  private func checkRejects(
    _ tables: [TableCounts], in folder: RejectsFolder
  ) throws(IngestError) -> String? {
    let path = folder.path
    let isThere = try folder.exists(folder.path) ? folder.hasManifest(folder.path) : false
    guard tables.contains(where: { $0.rejected > 0 }) else {
      if isThere { throw changed("\(path): there are rejected records of another run") }
      return nil
    }
    guard isThere, try ReplayedRejects(folder.path).areRejected(of: tables) else {
      throw changed("\(path): its rejected records are not there")
    }
    return folder.path
  }

  /// Makes sure that the disk has the name of the catalog: the run that made it may have failed at that.
  private func checkIsOnDisk() throws(IngestError) {
    do throws(FileError) {
      try syncFolder(parentFolder(of: resolvedPath(options.output)))
    } catch {
      throw changed("its folder cannot be synced to the disk: \(error.message)")
    }
  }

  /// Makes sure that the dumps are those that the catalog was made from; returns what became of each
  /// table's.
  private func checkFiles(
    _ catalog: borrowing CatalogFile
  ) throws(IngestError) -> [TableCounts] {
    var stored = try catalog.reading { connection throws(SQLiteError) in
      try connection.query(
        """
        SELECT table_name, file_name, is_repaired, size, crc32, gzip_members, gzip_time_stamp,
          gzip_original_name, bytes, records, inserted, rejected, left_out, zip_name, zip_local_time
        FROM main.ingest_sources
        """)
    }.map(StoredSource.init)
    var accounts: [TableCounts] = []
    for (source, files) in zip(schema.sources, folder.files) {
      var account = TableCounts(table: source.table)
      account.isOptional = source.isOptional
      for file in files {
        guard let place = stored.firstIndex(where: { $0.isOf(source.table, file.name) }) else {
          throw changed("\(file.path): the catalog was not made from it")
        }
        let known = stored.remove(at: place)
        guard try known.isSame(as: file) else { throw changed("\(file.path): has changed") }
        account.sources.append(known.account)
      }
      for file in repairs?.files(of: source.table) ?? [] {
        let place = stored.firstIndex { $0.isOf(source.table, file.file.name, isRepaired: true) }
        if let place { account.sources.append(stored.remove(at: place).account) }
      }
      account.inserted = account.loaded
      accounts.append(account)
    }
    // Those of a replay are among them.
    guard stored.isEmpty else { throw changed("the catalog was made from other files, too") }
    return accounts
  }
}

extension UnchangedCatalog {
  fileprivate init(_ tables: [TableCounts], bytes: Int) {
    self.init(
      files: tables.reduce(0) { $0 + $1.sources.count }, rows: tables.reduce(0) { $0 + $1.loaded },
      rejected: tables.reduce(0) { $0 + $1.rejected }, bytes: bytes)
  }
}
