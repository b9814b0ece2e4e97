package import SourceFiles
package import Facts
import CSV
import Files
import SQLiteSwiftly
package import Schema

/// The rejected records of an earlier run, repaired by hand, and what they came from.
package struct ReplayedRejects: Sendable {
  private let path: String
  private let entries: [ManifestEntry]
  private let names: [String]
  /// Keeps other runs from moving the folder while it is read; nil if there is none.
  private let lock: FolderLock?

  private static let mostEntries = 10_000
  /// The most bytes for the numbers of a table's records: a byte or two each, and so for more than there
  /// can be rejected ones.
  private static let mostNumberBytes = 64 << 20

  /// Reads the list of the dumps that the earlier run has read.
  package init(_ path: String) throws(IngestError) {
    self.path = path
    lock = try FolderLock.lock(followedPath(path) ?? path, .shared)
    var entries: [ManifestEntry] = []
    let list = ListReader("\(path)/\(RejectsFolder.manifest)")
    try list.read(ManifestEntry.mark.split(separator: ",").map(String.init)) {
      (row) throws(IngestError) in
      entries.append(try ManifestEntry(row))
      guard entries.count <= Self.mostEntries else {
        throw row.failure(
          0, "the end of the list, which has no more than a few lines for each table")
      }
    }
    self.entries = entries
    do throws(FileError) {
      names = try folderEntries(path)
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .inputMissing), "\(path): cannot be read: \(error.message).")
    }
  }

  /// Makes sure that every file of records is one that is replayed: one with another name would be passed
  /// over in silence.
  package func checkNames(_ sources: [SourceDescription]) throws(IngestError) {
    let known = RejectsFolder(path, sources: sources, replaying: nil).names
    let unknown = names.first { name in
      !name.hasPrefix(".") && (name.hasSuffix(".csv") || name.hasSuffix(".csv.gz"))
        && !known.contains(name)
    }
    guard let unknown else { return }
    throw IngestError(
      .data,
      "\(path): \(unknown.quotedForMessage) is not understood. Nothing was published. Repaired records, and "
        + "those that are added, belong into TABLE.csv; the tables are \(sources.fileNames). Rename it, or "
        + "take it out of the folder.")
  }

  /// Whether the records are those that were rejected of files.
  package func areRejected(of tables: [TableCounts]) -> Bool {
    let rejected = tables.flatMap { table in
      table.sources.filter { $0.rejected.records > 0 }.map { (table.table, $0) }
    }
    let known = entries.filter { $0.rejected > 0 }
    return known.count == rejected.count
      && rejected.allSatisfy { table, source in
        known.contains {
          haveSameBytes([$0.table, $0.file], [table, source.name]) && $0.size == source.size
            && $0.crc32 == source.crc32 && $0.rejected == source.rejected.records
        }
      }
  }

  private func hasRecords(of table: String) -> Bool {
    names.contains(RejectsFolder.records(of: table))
  }

  /// Says that everything was read of the folder, which may then be moved.
  package func release() throws(IngestError) { try lock?.release() }

  /// Makes sure that every table with records to be replayed is one of the schema's, and has a dump.
  package func check(_ files: [[SourceFolder.File]], of sources: [SourceDescription])
    throws(IngestError)
  {
    try checkNames(sources)
    for (table, files) in zip(sources.map(\.table), files)
    where files.isEmpty && hasRecords(of: table) {
      guard !entries.contains(where: { $0.table == table }) else { continue }
      throw IngestError(
        .data, runCode: .quarantineStale,
        "\(path)/\(RejectsFolder.records(of: table)): there is no dump of \(table) to which these "
          + "records could be added. Put one into --source, with its header at least.")
    }
    for entry in entries {
      let index = sources.firstIndex { $0.table == entry.table }
      guard let index else {
        throw IngestError(
          .data, runCode: .quarantineStale,
          "\(path)/\(RejectsFolder.manifest): there is no table \(entry.table.quotedForMessage). "
            + "Restore the file as it was.")
      }
      guard max(entry.rejected, entry.replaced) == 0 || !files[index].isEmpty else {
        throw IngestError(
          .data, runCode: .quarantineStale,
          "\(path): has records of \(entry.table), but its dump \(entry.file.quotedForMessage) is not "
            + "there. \(ReplayedSource.advice)")
      }
    }
  }

  /// Makes sure, when a dump was read of which nothing was rejected, that it is the one that the earlier
  /// run has read; one that it did not read to its end may be another.
  package func check(_ source: SourceCounts, table: String, path: String) throws(IngestError) {
    guard let entry = entries.first(where: { $0.table == table && $0.file == source.name }),
      entry.crc32 != nil
    else { return }
    try ReplayedSource(folder: self.path, entry: entry).check(source, path: path)
  }

  /// What is replayed of a table; nil if nothing of it was rejected, and no records were put there to be added.
  ///
  /// Memory is proportional to the rejected records, a byte or two for each, and bounded.
  package func table(_ table: String, dumps: [SourceFolder.File]) throws(IngestError)
    -> ReplayedTable?
  {
    let own = entries.filter { $0.table == table }
    let hasRejects = own.contains { $0.rejected > 0 }
    // Records that are added replace nothing.
    let isReplayed =
      own.contains { $0.replaced > 0 } || names.contains(RejectsFolder.replaced(of: table))
    let hasRecords = hasRecords(of: table)
    guard let layout = dumps.first?.layout, hasRejects || isReplayed || hasRecords else {
      return nil
    }
    var replayed = ReplayedTable()
    for dump in dumps {
      guard let entry = own.first(where: { $0.file == dump.name }) else {
        throw stale(dump.path, own.first?.file)
      }
      replayed.dumps.append(ReplayedSource(folder: path, entry: entry))
    }
    let dumpNames = Set(dumps.map(\.name))
    if let other = own.first(where: { !dumpNames.contains($0.file) && !isRepaired($0) }) {
      throw stale(dumps[0].path, other.file)
    }
    if isReplayed {
      try take(RejectsFolder.replaced(of: table), \.replaced, into: &replayed)
      replayed.repaired.append(file(RejectsFolder.repaired(of: table), layout))
    }
    if hasRejects { try take(RejectsFolder.reasons(of: table), \.rejected, into: &replayed) }
    if hasRejects || hasRecords {
      replayed.repaired.append(file(RejectsFolder.records(of: table), layout))
    }
    return replayed
  }

  /// Whether an entry is that of records which were repaired, and not that of a dump.
  private func isRepaired(_ entry: ManifestEntry) -> Bool {
    let table = entry.table
    let names =
      [RejectsFolder.records(of: table), RejectsFolder.repaired(of: table)]
      + RepairKind.allCases.map { RepairsFolder.name(of: table, $0) }
    return names.contains { entry.file == $0 || entry.file.hasSuffix("/" + $0) }
  }

  private func stale(_ path: String, _ other: String?) -> IngestError {
    IngestError(
      .data, runCode: .quarantineStale,
      "\(path): the rejected records in \(self.path) come from another file, "
        + "\((other ?? "").quotedForMessage). \(ReplayedSource.advice)")
  }

  /// Reads the numbers of records from a list, each of which has to have as many records of a dump as the list of
  /// dumps says.
  private func take(
    _ name: String, _ count: KeyPath<ManifestEntry, Int>, into table: inout ReplayedTable
  ) throws(IngestError) {
    let dumps = table.dumps
    var lists = [RisingNumbers](repeating: RisingNumbers(), count: dumps.count)
    var (dump, bytes) = (0, 0)
    try ListReader("\(path)/\(name)").read(["record", "file"]) { (row) throws(IngestError) in
      if !row.isText(dumps[dump].entry.file, 1) {
        // What is neither is one of repaired records.
        guard let other = dumps.firstIndex(where: { row.isText($0.entry.file, 1) }) else { return }
        dump = other
      }
      let number = try row.number(0)
      guard number > 0 else { throw row.failure(0, "the number of a record, from 1") }
      guard number >= lists[dump].last else {
        throw row.failure(0, "no number after a greater one")
      }
      bytes -= lists[dump].bytes
      if number > lists[dump].last { lists[dump].append(number) }
      bytes += lists[dump].bytes
      guard bytes <= Self.mostNumberBytes else {
        throw row.failure(
          0, "fewer records than take \(Self.mostNumberBytes.grouped) bytes to note")
      }
      let most = dumps[dump].entry[keyPath: count]
      guard lists[dump].count <= most else {
        throw row.failure(0, "no more than \(most.of("record"))")
      }
    }
    for dump in dumps.indices {
      try check(lists[dump].count, count: dumps[dump].entry[keyPath: count], in: name)
      if lists[dump].count > 0 { table.dumps[dump].replace(lists[dump]) }
    }
  }

  private func check(_ found: Int, count: Int, in name: String) throws(IngestError) {
    guard found != count else { return }
    throw IngestError(
      .data,
      "\(path)/\(name): has \(found.of("record")), where \(RejectsFolder.manifest) has "
        + "\(count.grouped). Only the records themselves can be repaired; restore both files as they were."
    )
  }

  private func file(_ name: String, _ layout: SourceLayout) -> SourceFolder.File {
    let folder = path.split(separator: "/").last.map { "\($0)/" } ?? ""
    return SourceFolder.File(
      name: folder + name, path: "\(path)/\(name)", layout: layout.ofRecordsAlone)
  }
}

extension ManifestEntry {
  fileprivate init(_ row: ListReader.Row) throws(IngestError) {
    table = row.text(0)
    file = row.text(1)
    size = try row.number(2)
    let digits = row.text(3)
    let number = digits.utf8.count == 8 ? UInt32(digits, radix: 16) : nil
    guard number != nil || digits.isEmpty else { throw row.failure(3, "eight hexadecimal digits") }
    crc32 = number
    bytes = try row.number(4)
    records = try row.number(5)
    rejected = try row.number(6)
    replaced = try row.number(7)
  }
}
