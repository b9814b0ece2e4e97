import SQLiteDestination
import Platform
package import Quarantine
package import SourceFiles
package import Vocabulary
import SQLiteSwiftly
package import Schema
import Text
import Provenance

/// Compares the input of a run with the input recorded in the database at its output.
package struct UnchangedCheck {
  let schema: SchemaDescription
  let options: IngestOptions
  let sqlFiles: [SQLFile]
  let suppressions: Suppressions?
  let folder: SourceFolder
  let repairs: RepairsFolder?
  /// The published database, if it is not a file.
  let published: (any PublishedCatalog)?

  package init(
    schema: SchemaDescription, options: IngestOptions, sqlFiles: [SQLFile],
    suppressions: Suppressions?, folder: SourceFolder, repairs: RepairsFolder?,
    published: (any PublishedCatalog)?
  ) {
    self.schema = schema
    self.options = options
    self.sqlFiles = sqlFiles
    self.suppressions = suppressions
    self.folder = folder
    self.repairs = repairs
    self.published = published
  }

  /// Compares the database and the source files, and throws the reason why the run must continue.
  ///
  /// A source file is recognized by its size, the header of its first member, and the checksum and length at its end,
  /// or by its entry in a ZIP archive. A file without these is read.
  package func result() throws(IngestError) -> Found {
    guard
      let catalog = published
        ?? (try? PublishedFile(writablePath(options.output), applicationID: schema.applicationID))
    else {
      // A missing file is not a fault; the run itself reports any other reason.
      throw .changed("no readable database at \(options.output)")
    }
    try checkVersion(catalog)
    try catalog.checkIsUnmodified()
    try checkOptions(catalog)
    try checkRepairs(catalog)
    let tables = try checkFiles(catalog)
    let verdict = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.verdict(tables, of: options.output, in: connection)
    }
    guard let verdict else { throw .changed("the database records no verdict") }
    let rejects = RejectsFolder(
      options.rejectsFolder ?? options.defaultRejectsFolder, sources: schema.sources)
    let folder = try checkRejects(tables, in: rejects)
    try catalog.checkIsOnDisk()
    return Found(
      catalog: UnchangedCatalog(
        files: tables.reduce(0) { $0 + $1.sources.count },
        rows: tables.reduce(0) { $0 + $1.loaded }, rejected: tables.reduce(0) { $0 + $1.rejected },
        bytes: catalog.bytes), verdict: verdict, rejectsFolder: folder)
  }

  package struct Found {
    package let catalog: UnchangedCatalog
    package let verdict: CatalogVerdict
    /// The folder with the rejected records; nil if there are none.
    package let rejectsFolder: String?
  }

  private func checkVersion(_ catalog: any PublishedCatalog) throws(IngestError) {
    let rows = try catalog.reading { connection throws(SQLiteError) -> [[SQLiteValue]] in
      for table in Provenance.tables where try !Provenance.has(table, in: connection) { return [] }
      return try Provenance.rows(
        "SELECT tool_version, schema_version FROM main.ingest_catalog", in: connection)
    }
    guard rows.count == 1, rows[0][0].textValue == toolVersion,
      rows[0][1] == .integer(Int64(schema.version)), catalog.version == schema.version
    else { throw .changed("another version of ingest made the database") }
  }

  private func checkOptions(_ catalog: any PublishedCatalog) throws(IngestError) {
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.rows(
        "SELECT option, value, file_name, size, crc32 FROM main.ingest_options ORDER BY position",
        in: connection, longestValue: Provenance.longestDescription)
    }.map { row in
      row.filter { $0 != .null }.map { $0.textValue ?? $0.integerValue.map(String.init) ?? "" }
    }
    let used = CatalogOption.all(of: options, sqlFiles, suppressions).map(\.words)
    guard stored.count == used.count, zip(stored, used).allSatisfy({ haveSameBytes($0, $1) })
    else { throw .changed("the database was made with other options or other custom SQL") }
  }

  private func checkRepairs(_ catalog: any PublishedCatalog) throws(IngestError) {
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.rows(
        "SELECT table_name, file_name, size, crc32 FROM main.ingest_repairs", in: connection)
    }.map { row in
      [row[0].textValue, row[1].textValue, row[2].integerValue.map(String.init), row[3].textValue]
        .map { $0 ?? "" }
    }
    let used = (repairs?.files ?? []).map { file in
      [file.table, file.file.name, "\(file.size)", file.crc32.hexadecimal]
    }
    guard stored.count == used.count, used.allSatisfy({ stored.contains($0) }) else {
      throw .changed("the database was made with other repairs")
    }
  }

  /// If the run that made the database rejected none and there are some, it ended before it could move them away.
  private func checkRejects(
    _ tables: [TableCounts], in folder: RejectsFolder
  ) throws(IngestError) -> String? {
    let path = folder.path
    let exists = try folder.exists(path) ? folder.hasManifest(path) : false
    guard tables.contains(where: { $0.rejected > 0 }) else {
      if exists { throw .changed("\(path): the rejected records are those of another run") }
      return nil
    }
    guard exists, try KeptRejects.areRejected(of: tables, in: path) else {
      throw .changed("\(path): the rejected records of the database are missing")
    }
    return path
  }

  private func checkFiles(_ catalog: any PublishedCatalog) throws(IngestError) -> [TableCounts] {
    var stored = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.rows(
        """
        SELECT table_name, file_name, is_repaired, size, crc32, gzip_members, gzip_time_stamp,
          gzip_original_name, bytes, records, inserted, rejected, left_out, zip_name, zip_local_time
        FROM main.ingest_sources
        """, in: connection)
    }.map(StoredSource.init)
    var counts: [TableCounts] = []
    for (source, files) in zip(schema.sources, folder.files) {
      var table = TableCounts(table: source.table)
      table.isOptional = source.isOptional
      for file in files {
        guard let place = stored.firstIndex(where: { $0.isOf(source.table, file.name) }) else {
          throw .changed("\(file.path): the database was not made from this file")
        }
        let known = stored.remove(at: place)
        guard try known.isSame(as: file) else {
          throw .changed("\(file.path): the file has changed")
        }
        table.sources.append(known.counts)
      }
      for file in repairs?.files(of: source.table) ?? [] {
        let place = stored.firstIndex { $0.isOf(source.table, file.file.name, isRepairs: true) }
        if let place { table.sources.append(stored.remove(at: place).counts) }
      }
      table.inserted = table.loaded
      counts.append(table)
    }
    // Files of a replay of an earlier version remain here.
    guard stored.isEmpty else { throw .changed("the database was also made from other files") }
    return counts
  }
}
