package import SourceFiles
package import Vocabulary
package import Platform
import SQLiteSwiftly
package import Schema
import Text

/// The rejected records of an earlier run, fixed by hand, and their source files.
package struct ReplayedRejects: Sendable {
  private let path: String
  private let entries: [ManifestEntry]
  private let names: [String]
  /// The lock that prevents other runs from moving the folder while it is read; nil if there is no folder.
  private let lock: FolderLock?

  private static let mostEntries = 10_000
  /// At one or two bytes for each number: more than the rejected records that can be kept.
  private static let mostNumberBytes = 64 << 20

  package init(
    _ path: String, timeout: Double = 0, patience: Patience = Patience()
  ) throws(IngestError) {
    self.path = path
    lock = try FolderLock.lock(resolvedPath(path), .shared, timeout: timeout, patience)
    var entries: [ManifestEntry] = []
    let list = ListReader("\(path)/\(RejectsFolder.manifest)")
    try list.read(
      ManifestEntry.mark.split(separator: ",").map(String.init),
      optional: ManifestEntry.encodingColumn
    ) { (row) throws(IngestError) in
      entries.append(try ManifestEntry(row))
      guard entries.count <= Self.mostEntries else {
        throw row.failure(0, "the end of the list, which has a few lines for each table")
      }
    }
    self.entries = entries
    names = try reporting(
      folderEntries(path),
      as: { .failed("cannot be read:", path, $0, otherwise: .inputMissing) })
  }

  /// Checks that every file of records is replayed: one with another name would be ignored silently.
  package func checkNames(_ sources: [SourceDescription]) throws(IngestError) {
    let known = RejectsFolder(path, sources: sources, replaying: nil).names
    let unknown = names.first { name in
      !name.hasBytePrefix(".") && (name.hasByteSuffix(".csv") || name.hasByteSuffix(".csv.gz"))
        && !known.contains(name)
    }
    guard let unknown else { return }
    throw .replayFileUnknown(path, unknown, tables: sources.fileNames)
  }

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

  package func release() throws(IngestError) { try lock?.release() }

  /// Checks that every table with records to replay is in the schema, and has a source file.
  package func check(
    _ files: [[SourceFolder.File]], of sources: [SourceDescription]
  ) throws(IngestError) {
    try checkNames(sources)
    for (table, files) in zip(sources.map(\.table), files)
    where files.isEmpty && hasRecords(of: table) {
      guard !entries.contains(where: { $0.table == table }) else { continue }
      throw .addedRecordsWithoutSource("\(path)/\(RejectsFolder.records(of: table))", table)
    }
    for entry in entries {
      guard let index = sources.firstIndex(where: { $0.table == entry.table }) else {
        throw .replayedTableUnknown("\(path)/\(RejectsFolder.manifest)", entry.table)
      }
      guard max(entry.rejected, entry.replaced) == 0 || !files[index].isEmpty else {
        throw .replayedSourceMissing(path, entry.table, entry.file)
      }
    }
  }

  /// A file that the earlier run did not read to its end is not checked.
  package func check(_ source: SourceCounts, table: String, path: String) throws(IngestError) {
    guard let entry = entries.first(where: { $0.table == table && $0.file == source.name }),
      entry.crc32 != nil
    else { return }
    try ReplayedSource(folder: self.path, entry: entry).check(source, path: path)
  }

  /// Nil if none were rejected or added; memory is bounded, at a byte or two for each rejected record.
  package func table(
    _ table: String, sources: [SourceFolder.File]
  ) throws(IngestError) -> ReplayedTable? {
    let own = entries.filter { $0.table == table }
    let hasRejects = own.contains { $0.rejected > 0 }
    // Added records replace nothing.
    let isReplayed =
      own.contains { $0.replaced > 0 } || names.contains(RejectsFolder.replaced(of: table))
    let hasRecords = hasRecords(of: table)
    guard let layout = sources.first?.layout, hasRejects || isReplayed || hasRecords else {
      return nil
    }
    var replayed = ReplayedTable()
    for source in sources {
      guard let entry = own.first(where: { $0.file == source.name }) else {
        throw .replayedSourceRenamed(source.path, from: path, own.first?.file ?? "")
      }
      replayed.sources.append(ReplayedSource(folder: path, entry: entry))
    }
    let sourceNames = Set(sources.map(\.name))
    if let other = own.first(where: { !sourceNames.contains($0.file) && !isRepaired($0) }) {
      throw .replayedSourceRenamed(sources[0].path, from: path, other.file)
    }
    if isReplayed {
      try readNumbers(RejectsFolder.replaced(of: table), \.replaced, into: &replayed)
      replayed.repaired.append(file(RejectsFolder.repaired(of: table), layout))
    }
    if hasRejects { try readNumbers(RejectsFolder.reasons(of: table), \.rejected, into: &replayed) }
    if hasRejects || hasRecords {
      replayed.repaired.append(file(RejectsFolder.records(of: table), layout))
    }
    return replayed
  }

  /// Whether an entry belongs to fixed records or repairs, and not to a source file.
  private func isRepaired(_ entry: ManifestEntry) -> Bool {
    let table = entry.table
    let names =
      [RejectsFolder.records(of: table), RejectsFolder.repaired(of: table)]
      + RepairKind.allCases.map { RepairsFolder.name(of: table, $0) }
    return names.contains { entry.file == $0 || entry.file.hasByteSuffix("/" + $0) }
  }

  /// Reads record numbers from a list, which must have as many records of each source file as the manifest states.
  private func readNumbers(
    _ name: String, _ count: KeyPath<ManifestEntry, Int>, into table: inout ReplayedTable
  ) throws(IngestError) {
    let sources = table.sources
    var lists = [RisingNumbers](repeating: RisingNumbers(), count: sources.count)
    var (source, bytes) = (0, 0)
    try ListReader("\(path)/\(name)").read(["record", "file"]) { (row) throws(IngestError) in
      if !row.isText(sources[source].entry.file, 1) {
        // Any other file is one of fixed records.
        guard let other = sources.firstIndex(where: { row.isText($0.entry.file, 1) }) else {
          return
        }
        source = other
      }
      let number = try row.number(0)
      guard number > 0 else { throw row.failure(0, "a record number of at least 1") }
      guard number >= lists[source].last else { throw row.failure(0, "ascending numbers") }
      bytes -= lists[source].bytes
      if number > lists[source].last { lists[source].append(number) }
      bytes += lists[source].bytes
      guard bytes <= Self.mostNumberBytes else {
        throw row.failure(0, "record numbers that fit into \(Self.mostNumberBytes.grouped) bytes")
      }
      let most = sources[source].entry[keyPath: count]
      guard lists[source].count <= most else {
        throw row.failure(0, "at most \(most.of("record"))")
      }
    }
    for source in sources.indices {
      let (records, expected) = (lists[source].count, sources[source].entry[keyPath: count])
      guard records == expected else {
        throw .listMiscounts(
          "\(path)/\(name)", records: records, RejectsFolder.manifest, expected: expected)
      }
      if records > 0 { table.sources[source].replace(lists[source]) }
    }
  }

  private func file(_ name: String, _ layout: SourceLayout) -> SourceFolder.File {
    let folder = path.split(separator: "/").last.map { "\($0)/" } ?? ""
    return SourceFolder.File(
      name: folder + name, path: "\(path)/\(name)", layout: layout.ofRecordsAlone)
  }
}
