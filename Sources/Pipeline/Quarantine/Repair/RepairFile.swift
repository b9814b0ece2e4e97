package import SourceFiles
package import Vocabulary
import CSV
package import Platform
import SQLiteSwiftly
import Validation
import Text

package struct RepairFile: Sendable {
  package let table: String
  package let kind: RepairKind
  package let file: SourceFolder.File
  package private(set) var identity: FileIdentity?
  private(set) var head: Header?
  package private(set) var size = 0
  package private(set) var crc32: UInt32 = 0
  private(set) var records: [Record] = []

  var header: [String] { head?.names ?? [] }

  struct Record: Sendable {
    let number: Int
    let line: Int
    /// Its place in the file, with its line end.
    let place: Range<Int>
    let isTooLong: Bool
    let bytes: [UInt8]
    /// Its fields in the order of the header; nil if it is not valid CSV.
    let fields: [[UInt8]]?
  }

  static let mostBytes = 64 << 20

  init(
    _ file: SourceFolder.File, of table: TableDescription, _ kind: RepairKind, recordLimit: Int
  ) throws(IngestError) {
    self.table = table.name
    self.kind = kind
    self.file = file
    try mapError(
      read(table, recordLimit: recordLimit),
      as: { (error: IngestError) in error.code?.file == nil ? error : .repairsNotCSV(error) })
    try checkHeader(of: table)
  }

  private mutating func read(_ table: TableDescription, recordLimit: Int) throws(IngestError) {
    var parser = try SourceParser(file, recordLimit: recordLimit)
    identity = parser.identity
    var batch = RecordBatch()
    var head = try parser.readHeader(&batch)
    if file.layout.headerRows == 0 { head.names = table.columns.map(\.name) }
    self.head = head
    let (path, layout, fieldCount) = (file.path, file.layout, header.count)
    var records: [Record] = []
    try parser.readRecords(after: head, &batch) { (record, batch) throws(IngestError) in
      guard record.offset + record.length <= Self.mostBytes else {
        throw .repairsTooLarge(path, mostBytes: Self.mostBytes)
      }
      records.append(Record(record, in: batch, layout, fieldCount: fieldCount))
    }
    self.records = records
    var counts = SourceCounts(name: file.name)
    parser.describe(in: &counts)
    (size, crc32) = (counts.size, counts.crc32)
  }

  private func checkHeader(of table: TableDescription) throws(IngestError) {
    for (place, name) in header.enumerated() where Array(header[..<place]).hasName(name) {
      throw invalidHeader("duplicate column \(name.quotedForMessage) in the header", table)
    }
    let needed =
      kind == .leaveOut
      ? table.primaryKey : table.columns.filter(table.requires).map(\.name)
    let missing = needed.filter { !header.hasName($0) }
    guard missing.isEmpty else {
      throw invalidHeader("no column \(missing.joined(separator: ", ")) in the header", table)
    }
    guard kind != .replace || !table.primaryKey.isEmpty else {
      throw invalidHeader("\(table.name) has no primary key by which to replace records", table)
    }
  }

  /// Checks that each column exists in the table, or at least in its source file.
  func checkColumns(of table: TableDescription, source: [String]) throws(IngestError) {
    for name in header where !table.columns.map(\.name).hasName(name) && !source.hasName(name) {
      throw invalidHeader(
        "column \(name.quotedForMessage) is neither in \(table.name) nor in its source file", table)
    }
  }

  private func invalidHeader(_ fault: String, _ table: TableDescription) -> IngestError {
    .repairsHeaderInvalid(fault, header, of: table, kind, file.path)
  }
}

extension RepairFile.Record {
  fileprivate init(
    _ record: Record, in batch: borrowing RecordBatch, _ layout: SourceLayout, fieldCount: Int
  ) {
    number = record.number
    line = record.line
    place = record.offset..<record.offset + record.length
    isTooLong = record.faults.contains(.tooLong)
    bytes = batch.bytes(withoutLineEndOf: record, layout)
    guard record.isSound(fieldCount: fieldCount) else {
      fields = nil
      return
    }
    fields = (0..<fieldCount).map { Array(batch.bytes[batch.place($0, of: record)]) }
  }
}

extension RepairCounts {
  /// The counts of a file whose table has no source file: none of its repairs apply.
  package init(unread file: RepairFile) {
    self.init(file)
    inapplicable = records
  }

  package init(_ file: RepairFile) {
    self.init(
      file: file.file.name, kind: file.kind, size: file.size, crc32: file.crc32,
      records: file.records.count)
  }
}

extension RecordBatch {
  func bytes(withoutLineEndOf record: Record, _ layout: SourceLayout) -> [UInt8] {
    let whole = bytes[record.bytes]
    return Array(whole.prefix(layout.contentCount(of: whole.span)))
  }
}
