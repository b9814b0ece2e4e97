import Files
import Gzip

/// The two files of a table's rejected records: the records themselves, byte for byte under the dump's own
/// header, and the reasons, a line for each.
final class RejectFiles {
  private let table: String
  private let folder: RejectsFolder
  private var records: FileWriter
  private var reasons: FileWriter
  /// The bytes of the first file that belong to no record: the header, and line ends that were added.
  private var addedBytes: Int
  /// The header without its line end.
  private let header: [UInt8]

  private static let reasonsHeader =
    "file,record,first_line,last_line,offset,length,extent,column,code,value,message,record_base64"

  /// Creates the files in the new folder.
  init(
    of table: String, in folder: RejectsFolder, header: [UInt8]
  ) throws(IngestError) {
    self.table = table
    self.folder = folder
    var records = try folder.makeFile(RejectsFolder.records(of: table))
    var reasons = try folder.makeFile(RejectsFolder.reasons(of: table))
    addedBytes = try records.append(header: header)
    try reasons.append((Self.reasonsHeader + "\n").utf8.span)
    self.records = records
    self.reasons = reasons
    self.header = Array(header.prefix(header.span.withoutLineEnd.count))
  }

  /// Refuses a header other than the dump's, under which the records could not be read.
  func check(header other: [UInt8], of path: String) throws(IngestError) {
    guard other.prefix(other.span.withoutLineEnd.count) != header[...] else { return }
    throw IngestError(
      .data,
      "\(path): the header is not that of the dump, so its rejected records cannot be kept with those "
        + "of the dump. Leave the first line as it was.")
  }

  /// Adds a record.
  func append(record bytes: Span<UInt8>) throws(IngestError) {
    try records.append(bytes)
    addedBytes += try records.endLine(after: bytes)
  }

  /// Adds a line with a reason.
  func append(reason line: Span<UInt8>) throws(IngestError) { try reasons.append(line) }

  /// Adds records that are read once more, by their places in their file.
  func append(
    _ places: [Range<Int>], of file: DumpFolder.File, _ identity: FileIdentity?
  ) throws(IngestError) {
    addedBytes += try records.append(places, of: file, identity)
  }

  /// The checksum of the records with their header.
  var crc32: UInt32 { records.crc32.value }

  /// Syncs both files.
  func sync() throws(IngestError) {
    try records.sync()
    try reasons.sync()
  }

  /// Compares the bytes that were written with those that were rejected.
  func check(rejected: Int) throws(IngestError) {
    let kept = records.bytes - addedBytes
    guard kept != rejected else { return }
    throw IngestError(
      .fault, runCode: .accountsUnbalanced,
      "\(records.path): \(rejected.grouped) bytes of records were rejected, but \(kept.grouped) kept. Nothing was "
        + "published; run it again, and if that does not help, report it as a fault of ingest.")
  }

  /// Removes both files.
  func remove() throws(IngestError) {
    try folder.removeFile(RejectsFolder.records(of: table))
    try folder.removeFile(RejectsFolder.reasons(of: table))
  }
}

extension FileWriter {
  /// Writes the header of a dump so that a reader of this file gets the same names.
  ///
  /// - Parameter header: the record, without a byte order mark that precedes it in the dump.
  /// - Returns: The bytes that were written.
  /// - Throws: `IngestError` if the system does not take them.
  mutating func append(header: [UInt8]) throws(IngestError) -> Int {
    // A header may itself begin with the bytes of a mark, and then needs one that can be skipped.
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let isMarked = header.starts(with: mark)
    if isMarked { try append(mark.span) }
    try append(header.span)
    return (isMarked ? mark.count : 0) + header.count + (try endLine(after: header.span))
  }

  /// Adds a line end after a record that has none, so that none runs into the next one.
  ///
  /// - Parameter record: what was written last.
  /// - Returns: The bytes that were added.
  /// - Throws: `IngestError` if the system does not take them.
  mutating func endLine(after record: Span<UInt8>) throws(IngestError) -> Int {
    let last = record.isEmpty ? nil : record[record.count - 1]
    guard last != UInt8(ascii: "\n") else { return 0 }
    // With a line feed alone, a carriage return that was the record's fault would end its line.
    let end = last == UInt8(ascii: "\r") ? "\r\n" : "\n"
    try append(end.utf8.span)
    return end.utf8.count
  }
}
