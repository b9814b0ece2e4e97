import CSV
import Files
import SQLiteSwiftly

/// The rejected records of an earlier run, repaired by hand, and what they came from.
struct ReplayedRejects: Sendable {
  private let path: String
  private let entries: [ManifestEntry]
  /// The names in the folder.
  private let names: [String]
  /// Keeps other runs from moving the folder while it is read; nil if there is none.
  private let lock: FolderLock?

  private static let mostEntries = 10_000
  /// The most bytes for the numbers of a table's records: a byte or two each, and so for more than there
  /// can be rejected ones.
  private static let mostNumberBytes = 64 << 20

  /// Reads the list of the dumps that the earlier run has read.
  init(_ path: String) throws(IngestError) {
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
  func checkNames(_ tables: [TableDescription]) throws(IngestError) {
    let known = RejectsFolder(path, tables: tables, replaying: nil).names
    let unknown = names.first { name in
      !name.hasPrefix(".") && (name.hasSuffix(".csv") || name.hasSuffix(".csv.gz"))
        && !known.contains(name)
    }
    guard let unknown else { return }
    throw IngestError(
      .data,
      "\(path): \(unknown.quotedForMessage) is not understood. Nothing was published. Repaired records, and "
        + "those that are added, belong into TABLE.csv; the tables are "
        + "\(tables.map(\.name).joined(separator: ", ")). Rename it, or take it out of the folder.")
  }

  /// Whether the folder has records of a table.
  private func hasRecords(of table: String) -> Bool {
    names.contains(RejectsFolder.records(of: table))
  }

  /// Says that everything was read of the folder, which may then be moved.
  func release() { lock?.release() }

  /// Makes sure that every table with records to be replayed is one of the schema's, and has a dump.
  func check(_ files: [[DumpFolder.File]], of tables: [TableDescription]) throws(IngestError) {
    try checkNames(tables)
    for (table, files) in zip(tables, files) where files.isEmpty && hasRecords(of: table.name) {
      guard !entries.contains(where: { $0.table == table.name }) else { continue }
      throw IngestError(
        .data, runCode: .quarantineStale,
        "\(path)/\(RejectsFolder.records(of: table.name)): there is no dump of \(table.name) to which these "
          + "records could be added. Put one into --source, with its header at least.")
    }
    for entry in entries {
      let index = tables.firstIndex { $0.name == entry.table }
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
            + "there. \(ReplayedTable.advice)")
      }
    }
  }

  /// Makes sure, when a dump was read of which nothing was rejected, that it is the one that the earlier
  /// run has read; one that it did not read to its end may be another.
  func check(_ source: SourceAccount, table: String, path: String) throws(IngestError) {
    guard let entry = entries.first(where: { $0.table == table && $0.file == source.name }),
      entry.crc32 != nil
    else { return }
    try ReplayedTable(folder: self.path, entry: entry).check(source, path: path)
  }

  /// What is replayed of a table; nil if nothing of it was rejected, and no records were put there to be added.
  ///
  /// Memory is proportional to the rejected records, a byte or two for each, and bounded.
  func table(_ table: String, dumps: [DumpFolder.File]) throws(IngestError) -> ReplayedTable? {
    let own = entries.filter { $0.table == table }
    let hasRejects = own.contains { $0.rejected > 0 }
    // Records that are added replace nothing.
    let isReplayed =
      own.contains { $0.replaced > 0 } || names.contains(RejectsFolder.replaced(of: table))
    let hasRecords = hasRecords(of: table)
    guard let dump = dumps.first, hasRejects || isReplayed || hasRecords else { return nil }
    guard dumps.count == 1 else {
      throw IngestError(
        .data,
        "\(path)/\(RejectsFolder.records(of: table)): \(table) is read from \(dumps.count) files, and "
          + "rejected records are replayed only for a table of one. Put the repaired records into a folder for "
          + "--repairs, as \(RepairsFolder.name(of: table, .add)), and take them out of this one.")
    }
    guard let entry = own.first(where: { $0.file == dump.name }) else {
      throw IngestError(
        .data, runCode: .quarantineStale,
        "\(dump.path): the rejected records in \(path) come from another file, "
          + "\((own.first?.file ?? "").quotedForMessage). \(ReplayedTable.advice)")
    }
    var replayed = ReplayedTable(folder: path, entry: entry)
    if isReplayed {
      let numbers = try readNumbers(
        RejectsFolder.replaced(of: table), ofFile: nil, count: entry.replaced)
      try check(numbers.count, count: entry.replaced, in: RejectsFolder.replaced(of: table))
      replayed.replace(numbers)
      replayed.repaired.append(file(RejectsFolder.repaired(of: table), dump.layout))
    }
    if hasRejects {
      let numbers = try readNumbers(
        RejectsFolder.reasons(of: table), ofFile: entry.file, count: entry.rejected)
      try check(numbers.count, count: entry.rejected, in: RejectsFolder.reasons(of: table))
      replayed.replace(numbers)
    }
    if hasRejects || hasRecords {
      replayed.repaired.append(file(RejectsFolder.records(of: table), dump.layout))
    }
    return replayed
  }

  /// Reads the numbers of records from a list, in which those of one file are meant if it names files.
  private func readNumbers(
    _ name: String, ofFile file: String?, count: Int
  ) throws(IngestError) -> RisingNumbers {
    var numbers = RisingNumbers()
    let columns = ["record"] + (file == nil ? [] : ["file"])
    try ListReader("\(path)/\(name)").read(columns) { (row) throws(IngestError) in
      if let file, !row.isText(file, 1) { return }
      let number = try row.number(0)
      guard number > 0 else { throw row.failure(0, "the number of a record, from 1") }
      guard number >= numbers.last else {
        throw row.failure(0, "no number after a greater one")
      }
      if number > numbers.last { numbers.append(number) }
      guard numbers.bytes <= Self.mostNumberBytes else {
        throw row.failure(
          0, "fewer records than take \(Self.mostNumberBytes.grouped) bytes to note")
      }
      guard numbers.count <= count else {
        throw row.failure(0, "no more than \(count.of("record"))")
      }
    }
    return numbers
  }

  /// Makes sure that a list has as many records as the list of dumps says.
  private func check(_ found: Int, count: Int, in name: String) throws(IngestError) {
    guard found != count else { return }
    throw IngestError(
      .data,
      "\(path)/\(name): has \(found.of("record")), where \(RejectsFolder.manifest) has "
        + "\(count.grouped). Only the records themselves can be repaired; restore both files as they were."
    )
  }

  private func file(_ name: String, _ layout: DumpLayout) -> DumpFolder.File {
    let folder = path.split(separator: "/").last.map { "\($0)/" } ?? ""
    return DumpFolder.File(
      name: folder + name, path: "\(path)/\(name)", layout: layout.ofRecordsAlone)
  }
}

/// The repaired records of one table, and the records of its dump that they replace.
struct ReplayedTable {
  fileprivate static let advice =
    "Replay them with the dumps of that day, or load these and repair what is rejected then."

  private let folder: String
  private let entry: ManifestEntry
  /// The numbers of the replaced records, in their order.
  private(set) var numbers = ReplacedNumbers()
  /// Those that are not of records before.
  private var next = ReplacedNumbers().makeIterator()
  private var nextNumber: Int?
  /// The files of the repaired records.
  fileprivate(set) var repaired: [DumpFolder.File] = []

  fileprivate init(folder: String, entry: ManifestEntry) {
    self.folder = folder
    self.entry = entry
  }

  fileprivate mutating func replace(_ more: RisingNumbers) {
    numbers.lists.append(more)
    next = numbers.makeIterator()
    nextNumber = next.next()
  }

  /// Removes the replaced records from a batch, and returns their sum.
  mutating func takeReplaced(
    from batch: inout RecordBatch
  ) -> SourceAccount.Sum {
    var sum = SourceAccount.Sum()
    batch.removeRecords { record in
      while let number = nextNumber, number < record.number { nextNumber = next.next() }
      guard nextNumber == record.number else { return false }
      sum.records += 1
      sum.bytes += record.length
      return true
    }
    return sum
  }

  /// Makes sure, before a dump is read, that it can be the one that the records come from.
  func checkSize(of source: SourceAccount, path: String) throws(IngestError) {
    guard entry.crc32 != nil else {
      throw IngestError(
        .data, runCode: .quarantineStale,
        "\(path): was not read to its end by the run that left \(folder), so nobody knows what else "
          + "would have been rejected. Load the dumps again, without --fail-fast, and repair what is "
          + "rejected then.")
    }
    guard entry.size == source.size else {
      throw stale(path, "it has \(source.size.of("byte")) where \(entry.size.grouped) were read")
    }
  }

  /// Makes sure, when a dump was read, that it is the one that the records come from.
  func check(_ source: SourceAccount, path: String) throws(IngestError) {
    guard entry.crc32 == source.crc32, entry.bytes == source.bytes else {
      throw stale(
        path,
        "the CRC-32 of what is in it is \(source.crc32.hexadecimal), and was "
          + "\(entry.crc32?.hexadecimal ?? "not known")")
    }
    guard numbers.last > source.records else { return }
    throw stale(
      path,
      "it has \(source.records.of("record")), of which number \(numbers.last) is to be replaced")
  }

  private func stale(_ path: String, _ difference: String) -> IngestError {
    IngestError(
      .data, runCode: .quarantineStale,
      "\(path): is not the dump that the rejected records in \(folder) come from: \(difference). "
        + Self.advice)
  }
}

/// The numbers of the replaced records of a dump, of one round of repairs and of those before, in their
/// order.
struct ReplacedNumbers: Sequence, Sendable {
  fileprivate var lists: [RisingNumbers] = []

  /// The greatest; 0 if there is none.
  var last: Int { lists.map(\.last).max() ?? 0 }

  struct Iterator: IteratorProtocol {
    private var lists: [RisingNumbers.Iterator]
    private var heads: [Int?]

    fileprivate init(_ lists: [RisingNumbers]) {
      self.lists = lists.map { $0.makeIterator() }
      heads = self.lists.indices.map { _ in nil }
      for list in heads.indices { heads[list] = self.lists[list].next() }
    }

    mutating func next() -> Int? {
      guard let least = heads.compactMap({ $0 }).min() else { return nil }
      for list in heads.indices where heads[list] == least { heads[list] = lists[list].next() }
      return least
    }
  }

  func makeIterator() -> Iterator { Iterator(lists) }
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
