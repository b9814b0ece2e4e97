import Platform
import Provenance
import Quarantine
import SQLiteSwiftly
import Schema
import SourceFiles
import Text
import Vocabulary

/// Compares the input of a run with the input recorded in the database at its output.
struct UnchangedCheck {
  let schema: SchemaDescription
  let options: IngestOptions
  let sqlFiles: [SQLFile]
  let suppressions: Suppressions?
  let folder: SourceFolder
  let repairs: RepairsFolder?
  let published: (any PublishedDatabase)?

  /// Compares the database and the source files, and throws the reason why the run must continue.
  ///
  /// A source file is recognized by its size, the header of its first member, and the checksum and length at its end,
  /// or by its entry in a ZIP archive. A file without these is read.
  func result() throws(IngestError) -> IngestOutcome {
    guard let catalog = published else {
      // A missing file is not a fault; the run itself reports any other reason.
      throw .changed("no readable database at \(options.output.name)")
    }
    try checkVersion(catalog)
    try catalog.checkIsUnmodified()
    try checkOptions(catalog)
    try checkRepairs(catalog)
    let tables = try checkFiles(catalog)
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.outcome(tables, of: options.output.name, in: connection)
    }
    guard var outcome = stored else { throw .changed("the database records no verdict") }
    outcome.rejectsFolder = try checkRejects(tables)
    try catalog.checkIsOnDisk()
    outcome.ending = .unchanged(bytes: catalog.bytes)
    return outcome
  }

  private func checkVersion(_ catalog: any PublishedDatabase) throws(IngestError) {
    let rows = try catalog.reading { connection throws(SQLiteError) -> [[SQLiteValue]] in
      for table in Provenance.tables where try !Provenance.has(table, in: connection) { return [] }
      return try Provenance.rows(
        "SELECT tool_version, schema_version FROM main.ingest_catalog", in: connection)
    }
    guard rows.count == 1, rows[0][0].textValue == toolVersion,
      rows[0][1] == .integer(Int64(schema.version)), catalog.version == schema.version
    else { throw .changed("another version of ingest made the database") }
  }

  private func checkOptions(_ catalog: any PublishedDatabase) throws(IngestError) {
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.texts(
        "SELECT option, value, file_name, size, crc32 FROM main.ingest_options ORDER BY position",
        in: connection, longestValue: Provenance.longestDescription)
    }.map { $0.compactMap(\.self) }
    let used = StoredOption.all(of: options, sqlFiles, suppressions).map(\.words)
    guard stored.count == used.count, zip(stored, used).allSatisfy({ haveSameBytes($0, $1) })
    else { throw .changed("the database was made with other options or other custom SQL") }
  }

  private func checkRepairs(_ catalog: any PublishedDatabase) throws(IngestError) {
    let stored = try catalog.reading { connection throws(SQLiteError) in
      try Provenance.texts(
        "SELECT table_name, file_name, size, crc32 FROM main.ingest_repairs", in: connection)
    }
    let used = (repairs?.files ?? []).map { file -> [String?] in
      [file.table, file.file.name, "\(file.size)", file.crc32.hexadecimal]
    }
    guard stored.count == used.count, used.allSatisfy(stored.contains) else {
      throw .changed("the database was made with other repairs")
    }
  }

  /// If the run that made the database rejected none and there are some, it ended before it could move them away.
  private func checkRejects(_ tables: [TableCounts]) throws(IngestError) -> String? {
    let path = options.usedRejectsFolder ?? ""
    let folder = RejectsFolder(path, sources: schema.sources)
    // Nothing exists at an empty path, that of a dry run without a folder.
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

  private func checkFiles(_ catalog: any PublishedDatabase) throws(IngestError) -> [TableCounts] {
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
        guard let index = stored.firstIndex(where: { $0.isOf(source.table, file.name) }) else {
          throw .changed("\(file.path): the database was not made from this file")
        }
        let known = stored.remove(at: index)
        guard try known.isSame(as: file) else {
          throw .changed("\(file.path): the file has changed")
        }
        table.sources.append(known.counts)
      }
      for file in repairs?.files(of: source.table) ?? [] {
        let index = stored.firstIndex { $0.isOf(source.table, file.file.name, isRepairs: true) }
        if let index { table.sources.append(stored.remove(at: index).counts) }
      }
      table.inserted = table.loaded
      counts.append(table)
    }
    // Files of a replay of an earlier version remain here.
    guard stored.isEmpty else { throw .changed("the database was also made from other files") }
    return counts
  }
}

private struct StoredSource {
  private let table: String
  let counts: SourceCounts
  private let crc32: String

  /// Reads a row of `ingest_sources`, whose values are not trusted.
  init(_ row: [SQLiteValue]) {
    // Sums of such numbers do not overflow.
    func integer(_ index: Int) -> Int {
      row[index].integerValue.flatMap { 0...1 << 48 ~= $0 ? Int($0) : nil } ?? -1
    }
    table = row[0].textValue ?? ""
    crc32 = row[4].textValue ?? ""
    var counts = SourceCounts(name: row[1].textValue ?? "")
    counts.size = integer(3)
    if row[5] != .null {
      var gzip = SourceCounts.Gzip()
      gzip.members = integer(5)
      gzip.timeStamp = row[6].integerValue.flatMap { UInt32(exactly: $0) }
      gzip.originalName = row[7].textValue
      counts.gzip = gzip
    }
    counts.zip = row[13].textValue.map { name in
      SourceCounts.Zip(name: name, localTime: row[14].integerValue.map { Int($0) })
    }
    counts.bytes = integer(8)
    counts.records = integer(9)
    counts.loaded.records = integer(10)
    counts.rejected.records = integer(11)
    counts.leftOut.records = integer(12)
    counts.crc32 = UInt32(crc32, radix: 16) ?? 0
    counts.isRepairs = row[2] != .integer(0)
    counts.isComplete = true
    self.counts = counts
  }

  /// Whether it is the source file of that name, or the file of repairs.
  func isOf(_ table: String, _ name: String, isRepairs: Bool = false) -> Bool {
    counts.isRepairs == isRepairs && haveSameBytes([self.table, counts.name], [table, name])
  }

  func isSame(as file: SourceFolder.File) throws(IngestError) -> Bool {
    var reader = try SourceReader(file)
    var block = [UInt8](repeating: 0, count: Tuning.batchBytes)
    // Reading the first byte also reads the header.
    var count = try reader.read(1, into: &block)
    var found = SourceCounts(name: file.name)
    reader.describe(in: &found)
    guard found.size == counts.size, found.gzip?.timeStamp == counts.gzip?.timeStamp,
      haveSameBytes(found.gzip?.originalName ?? "", counts.gzip?.originalName ?? ""),
      haveSameBytes(found.zip?.name ?? "", counts.zip?.name ?? ""),
      found.zip?.localTime == counts.zip?.localTime
    else { return false }
    guard (try? file.checkClaims(reader.identity)) != nil else { return false }
    // The stored count is that of the text in UTF-8.
    let isConverted = file.encoding != nil
    if let sum = reader.sumInDirectory {
      return (isConverted || sum.bytes == counts.bytes) && sum.crc32.hexadecimal == crc32
    }
    if counts.gzip?.members == 1,
      try trailer(of: file, size: found.size).starts(
        with: expectedTrailer.prefix(isConverted ? 4 : 8))
    {
      return true
    }
    // The file has no trailer, one for each member, or zeros after it.
    var bytes = count
    while count > 0 {
      count = try reader.read(block.count, into: &block)
      bytes += count
    }
    reader.describe(in: &found)
    return bytes == counts.bytes && found.crc32.hexadecimal == crc32
      && found.gzip?.members == counts.gzip?.members
  }

  /// The end of a file with one member (RFC 1952, section 2.3.1): checksum and length, the lowest byte first.
  private var expectedTrailer: [UInt8] {
    [UInt32(crc32, radix: 16) ?? 0, UInt32(truncatingIfNeeded: counts.bytes)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
  }

  private func trailer(of file: SourceFolder.File, size: Int) throws(IngestError) -> [UInt8] {
    try mapError(
      file.open().bytes(8, at: max(size - 8, 0)),
      as: { (error: FileError) in
        IngestError(.inputOutput, "\(file.path): cannot be read: \(error.message).")
      })
  }
}
