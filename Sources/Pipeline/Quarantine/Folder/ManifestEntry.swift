import Vocabulary
import Text
import SQLiteSwiftly
import SourceFiles

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
  let file: String
  let size: Int
  /// The CRC-32 of the decompressed bytes; nil if the run did not reach their end.
  let crc32: UInt32?
  let bytes: Int
  let records: Int
  let rejected: Int
  private(set) var replaced = 0
  /// The CRC-32 of the file with the table's rejected records; nil if there is none.
  let keptCRC32: UInt32?
  /// The encoding of the source file, whose rejected records are in UTF-8; nil if it is not recorded.
  let encoding: String?

  init(_ source: SourceCounts, table: String, keptCRC32: UInt32?) {
    self.table = table
    self.keptCRC32 = keptCRC32
    encoding = source.encoding ?? Self.ownEncoding
    file = source.name
    size = source.size
    crc32 = source.isComplete ? source.crc32 : nil
    bytes = source.bytes
    records = source.records
    rejected = source.rejected.records
  }

  private init(_ row: ListReader.Row) throws(IngestError) {
    table = row.text(0)
    file = row.text(1)
    size = try row.number(2)
    crc32 = try row.checksum(3)
    bytes = try row.number(4)
    records = try row.number(5)
    rejected = try row.number(6)
    keptCRC32 = try row.checksum(7)
    encoding = row.optionalText(8)
    if row.optionalText(9) != nil { replaced = try row.number(9) }
  }

  /// Reads the manifest of a rejects folder.
  static func read(in folder: String) throws(IngestError) -> [ManifestEntry] {
    var entries: [ManifestEntry] = []
    try ListReader("\(folder)/\(RejectsFolder.manifest)").read(
      columns, optional: [keptColumn, encodingColumn, replacedColumn]
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

  /// Whether the entry is of a source file, which `source` describes, with the same rejected records.
  func isSame(as source: SourceCounts, of table: String) -> Bool {
    haveSameBytes([self.table, file], [table, source.name]) && size == source.size
      && crc32 == source.crc32 && rejected == source.rejected.records
  }

  /// The difference of a source file, read to its end, from the one of the entry; nil if it is the same.
  func difference(from source: SourceCounts) -> String? {
    let read = source.encoding ?? Self.ownEncoding
    if size != source.size {
      return "it has \(source.size.of("byte")), not \(size.grouped)"
    }
    if let encoding, encoding != read {
      return "it was read as \(encoding.quotedForMessage), not as "
        + (source.encoding?.quotedForMessage ?? "UTF-8")
    }
    guard crc32 != source.crc32 || bytes != source.bytes else { return nil }
    return "the CRC-32 of its contents is \(source.crc32.hexadecimal), not "
      + "\(crc32?.hexadecimal ?? "known")"
  }

  func append(to text: inout TextBuffer) {
    text.append(fields: [table, file])
    text.append(",\(size),\(crc32?.hexadecimal ?? ""),\(bytes),\(records),\(rejected),")
    text.append("\(keptCRC32?.hexadecimal ?? ""),\(encoding ?? "")\n")
  }
}
