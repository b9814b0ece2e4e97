import CSV
import Compression
import Fields
import Glibc
import Platform
import SQLiteSwiftly
import SourceFiles
import Text
package import Vocabulary

/// The rejects folder of an earlier run, whose records may have been edited since.
package struct KeptRejects: Sendable {
  let path: String
  let entries: [ManifestEntry]
  let names: Set<String>

  init(_ path: String) throws(IngestError) {
    self.path = path
    entries = try ManifestEntry.read(in: path)
    let names = try mapError(
      folderEntries(path),
      as: { .failed("cannot be read:", path, $0, otherwise: .inputMissing) })
    self.names = Set(names)
  }

  /// Whether a folder has the rejected records of the tables, and no others.
  package static func areRejected(
    of tables: [TableCounts], in path: String
  ) throws(IngestError) -> Bool {
    let lock = try FolderLock.lock(resolvedPath(path))
    defer { withExtendedLifetime(lock) {} }
    let known = try KeptRejects(path).entries.filter { $0.rejected > 0 }
    let rejected = tables.flatMap { table in
      table.sources.filter { $0.rejected.records > 0 }.map { (table.table, $0) }
    }
    return known.count == rejected.count
      && rejected.allSatisfy { table, source in
        known.contains { $0.isSame(as: source, of: table) }
      }
  }

  /// Whether the records of a table were edited, and not saved as repairs since.
  func hasUnsavedEdits(of table: String) throws(IngestError) -> Bool {
    let records = RejectsFolder.records(of: table)
    let saved = RejectsFolder.saved(of: table)
    if names.contains(saved) {
      guard names.contains(records) else { return false }
      return try !mapError(
        haveSameContents("\(path)/\(records)", "\(path)/\(saved)"), as: { failure(records, $0) })
    }
    if names.contains(RejectsFolder.repaired(of: table)) { return true }
    guard names.contains(records) else { return false }
    let crc32 = try mapError(
      CRC32(of: FileReader(path: "\(path)/\(records)")).value, as: { failure(records, $0) })
    return crc32
      != entries.first { haveSameBytes($0.table, table) && $0.keptCRC32 != nil }?.keptCRC32
  }

  private func failure(_ name: String, _ error: FileError) -> IngestError {
    .rejectsFailed("\(path)/\(name)", "read", error)
  }
}

extension RejectsFolder {
  /// Whether a folder has edited records that were not saved as repairs.
  func hasUnsavedEdits(_ folder: String) throws(IngestError) -> Bool {
    let kept = try KeptRejects(folder)
    guard !kept.names.contains(Self.replayedMark) else { return false }
    for table in tables where try kept.hasUnsavedEdits(of: table) { return true }
    return false
  }

  /// The folders of earlier runs with edited records that were not saved as repairs.
  package func previousWithUnsavedEdits() throws(IngestError) -> [String] {
    let (parent, name) = split(path)
    var folders: [String] = []
    for sibling in try entries(of: parentFolder(of: path))
    where sibling.hasBytePrefix(name + Self.previous) {
      let folder = parent + sibling
      guard try isFolder(folder), try hasManifest(folder), try hasUnsavedEdits(folder) else {
        continue
      }
      folders.append(folder)
    }
    return folders
  }
}

extension Warning {
  package static func editedRejects(keptAs folder: String) -> Warning {
    Warning(
      file: folder, code: .rejectsEdited,
      "rejected records of an earlier run were edited but not saved as repairs; they were moved here, and "
        + "no run removes them. Run 'ingest repair' with their source files and --rejects "
        + "\(shellWord(folder)), or remove the folder")
  }
}

/// A line of the manifest of a rejects folder: a file that the run read.
struct ManifestEntry: Equatable {
  /// The start of the first line of a manifest, by which it is recognized.
  static let mark = columns.joined(separator: ",")
  static let header = (columns + [keptColumn, encodingColumn]).joined(separator: ",")
  private static let columns = ["table", "file", "size", "crc32", "bytes", "records", "rejected"]
  /// The column with the checksum of the table's rejected records.
  private static let keptColumn = "kept_crc32"
  /// The column with the encoding of the source file.
  private static let encodingColumn = "encoding"
  /// A column of earlier versions: the records of a source file that fixed ones replaced in a replay.
  private static let replacedColumn = "replaced"
  private static let ownEncoding = "utf-8"
  private static let mostEntries = 10_000

  let table: String
  /// The file, which is complete if the run reached its end.
  private(set) var source: SourceCounts
  private(set) var replaced = 0
  /// The CRC-32 of the file with the table's rejected records; nil if there is none.
  let keptCRC32: UInt32?
  /// The encoding of the source file, whose rejected records are in UTF-8; nil if it is not recorded.
  let encoding: String?

  var file: String { source.name }
  var rejected: Int { source.rejected.records }

  init(_ source: SourceCounts, table: String, keptCRC32: UInt32?) {
    self.table = table
    self.source = source
    self.keptCRC32 = keptCRC32
    encoding = source.encoding ?? Self.ownEncoding
  }

  private init(_ row: ListRow) throws(IngestError) {
    table = row.text(0)
    source = SourceCounts(name: row.text(1))
    source.size = try row.number(2)
    let crc32 = try row.checksum(3)
    (source.isComplete, source.crc32) = (crc32 != nil, crc32 ?? 0)
    source.bytes = try row.number(4)
    source.records = try row.number(5)
    source.rejected.records = try row.number(6)
    keptCRC32 = try row.checksum(7)
    encoding = row.texts[8]
    if row.texts[9] != nil { replaced = try row.number(9) }
  }

  /// Reads the manifest of a rejects folder.
  static func read(in folder: String) throws(IngestError) -> [ManifestEntry] {
    var entries: [ManifestEntry] = []
    try readList(
      "\(folder)/\(RejectsFolder.manifest)", columns,
      optional: [keptColumn, encodingColumn, replacedColumn]
    ) { (row) throws(IngestError) in
      entries.append(try ManifestEntry(row))
      guard entries.count <= mostEntries else {
        throw row.failure(0, "the end of the list, which has a few lines for each table")
      }
    }
    return entries
  }

  func isOf(_ table: String, _ file: SourceFolder.File) -> Bool {
    haveSameBytes([self.table, self.file], [table, file.name])
  }

  /// Whether the entry is of a source file, which `other` describes, with the same rejected records.
  func isSame(as other: SourceCounts, of table: String) -> Bool {
    haveSameBytes([self.table, file], [table, other.name]) && source.size == other.size
      && source.isComplete && source.crc32 == other.crc32 && rejected == other.rejected.records
  }

  /// The difference of a source file, read to its end, from the one of the entry; nil if it is the same.
  func difference(from other: SourceCounts) -> String? {
    if source.size != other.size {
      return "it has \(other.size.of("byte")), not \(source.size.grouped)"
    }
    if let encoding, encoding != other.encoding ?? Self.ownEncoding {
      return "it was read as \(encoding.quotedForMessage), not as "
        + (other.encoding?.quotedForMessage ?? "UTF-8")
    }
    guard !source.isComplete || source.crc32 != other.crc32 || source.bytes != other.bytes else {
      return nil
    }
    return "the CRC-32 of its contents is \(other.crc32.hexadecimal), not "
      + (source.isComplete ? source.crc32.hexadecimal : "known")
  }

  func append(to text: inout TextBuffer) {
    let crc32 = source.isComplete ? source.crc32.hexadecimal : ""
    text.append(fields: [table, file])
    text.append(",\(source.size),\(crc32),\(source.bytes),\(source.records),\(rejected),")
    text.append("\(keptCRC32?.hexadecimal ?? ""),\(encoding ?? "")\n")
  }
}

/// A record of a CSV file that an earlier run wrote beside rejected records, and that may have been edited.
struct ListRow {
  /// The text of each column; nil for one that the file does not have.
  let texts: [String?]
  fileprivate let names: [String]
  fileprivate let path: String
  fileprivate let line: Int

  func text(_ column: Int) -> String { texts[column] ?? "" }

  func number(_ column: Int) throws(IngestError) -> Int {
    let digits = text(column)
    let (value, fault) = digits.isEmpty ? (-1, nil) : parseInteger(digits.utf8.span)
    guard fault == nil, value >= 0 else { throw failure(column, "a number") }
    return Int(value)
  }

  /// Eight hexadecimal digits; nil if the field is empty, or the column missing.
  func checksum(_ column: Int) throws(IngestError) -> UInt32? {
    let digits = text(column)
    let number = digits.utf8.count == 8 ? UInt32(digits, radix: 16) : nil
    guard number != nil || digits.isEmpty else { throw failure(column, "eight hexadecimal digits") }
    return number
  }

  func failure(_ column: Int, _ expected: String) -> IngestError {
    Self.failure(
      path, line: line, "\(names[column]) is \(text(column).quotedForMessage), expected \(expected)"
    )
  }

  fileprivate static func failure(_ path: String, line: Int, _ fault: String) -> IngestError {
    IngestError(
      .data,
      "\(path): line \(line): \(fault). Only the records themselves may be edited; restore this file."
    )
  }
}

/// Throws for a missing file, or one without these columns; the `optional` ones may be missing.
func readList(
  _ path: String, _ names: [String], optional: [String] = [],
  _ process: (ListRow) throws(IngestError) -> Void
) throws(IngestError) {
  var batch = RecordBatch()
  let file = SourceFolder.File(name: path, path: path)
  try file.refuseLink()
  var parser = try mapError(
    SourceParser(file, recordLimit: 32 << 20),
    as: { (error: IngestError) in
      IngestError(
        error.kind,
        "\(path): cannot be opened: is this the rejects folder of an earlier run? (\(error.message))"
      )
    })
  let header = try parser.readHeader(&batch)
  let places = (names + optional).map { header.names.firstIndex(of: $0) }
  guard !places.prefix(names.count).contains(nil) else {
    throw IngestError(
      .data,
      "\(path): line 1: expected the columns that ingest writes, \(names.joined(separator: ",")). "
        + "Restore the file.")
  }
  try parser.readRecords(after: header, &batch) { (record, batch) throws(IngestError) in
    guard record.isSound(fieldCount: header.names.count) else {
      throw ListRow.failure(
        path, line: record.line, "not a CSV record of \(header.names.count) fields")
    }
    let texts = places.map { column in
      column.map { String(decoding: batch.bytes[batch.place($0, of: record)], as: UTF8.self) }
    }
    try process(ListRow(texts: texts, names: names + optional, path: path, line: record.line))
  }
}

extension SourceFolder.File {
  /// Refuses a link in place of a file written by ingest: its target would be quoted in messages, and loaded.
  func refuseLink() throws(IngestError) {
    let status = try mapError(
      status(of: path, followsLinks: false),
      as: { .failed("cannot be checked:", path, $0, otherwise: .inputMissing) })
    guard let status, status.st_mode & S_IFMT == S_IFLNK else { return }
    throw IngestError(
      .data,
      "\(path): a symbolic link, not a file written by ingest. Replace it with the file itself.")
  }
}
