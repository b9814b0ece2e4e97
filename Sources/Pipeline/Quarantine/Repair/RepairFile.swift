package import SourceFiles
package import Facts
import CSV
package import Files
import SQLiteSwiftly

/// A file of standing repairs of one table, as somebody has written it.
package struct RepairFile: Sendable {
  package let table: String
  package let kind: RepairKind
  package let file: SourceFolder.File
  package private(set) var identity: FileIdentity?
  private(set) var header: [String] = []
  package private(set) var size = 0
  package private(set) var crc32: UInt32 = 0
  private(set) var records: [Record] = []

  struct Record: Sendable {
    /// Its number in the file, from 1.
    let number: Int
    /// The line on which it begins.
    let line: Int
    /// Its bytes without the line end.
    let bytes: [UInt8]
    /// Its fields in the order of the header; nil if it is not sound as CSV.
    let fields: [[UInt8]]?
  }

  /// The most bytes of a file: all of them are kept in memory.
  private static let mostBytes = 64 << 20

  /// Reads a file; throws `repair-invalid` for one that cannot be understood.
  init(
    _ file: SourceFolder.File, of table: TableDescription, _ kind: RepairKind, recordLimit: Int
  ) throws(IngestError) {
    self.table = table.name
    self.kind = kind
    self.file = file
    do throws(IngestError) {
      try read(table, recordLimit: recordLimit)
    } catch {
      guard error.code != nil else { throw error }
      throw IngestError(
        error.kind, code: .repairInvalid,
        "\(error.message) But this is a file of repairs, which is plain CSV in UTF-8: correct it, or take "
          + "it out of the folder."
      )
    }
    try checkHeader(of: table)
  }

  private mutating func read(
    _ table: TableDescription, recordLimit: Int
  ) throws(IngestError) {
    var parser = try SourceParser(file, recordLimit: recordLimit)
    identity = parser.identity
    var batch = RecordBatch()
    let head = try parser.readHeader(&batch)
    header = file.layout.headerRows > 0 ? head.names : table.columns.map(\.name)
    let (path, layout, fieldCount) = (file.path, file.layout, header.count)
    var found: [Record] = []
    try parser.readRecords(after: head, &batch) { (record, batch) throws(IngestError) in
      guard record.offset + record.length <= Self.mostBytes else {
        throw IngestError(
          .data, code: .repairInvalid,
          "\(path): has more than \(Self.mostBytes.grouped) bytes, where a few records were expected."
        )
      }
      found.append(Record(record, in: batch, layout, fieldCount: fieldCount))
    }
    records = found
    var account = SourceCounts(name: file.name)
    parser.describe(in: &account)
    (size, crc32) = (account.size, account.crc32)
  }

  /// Makes sure that the header has the columns without which the records cannot be applied.
  private func checkHeader(of table: TableDescription) throws(IngestError) {
    for (place, name) in header.enumerated() where Array(header[..<place]).hasName(name) {
      throw invalidHeader("the column \(name.quotedForMessage) is in the header twice", table)
    }
    let needed =
      kind == .add || kind == .replace
      ? table.columns.filter(table.requires).map(\.name) : table.primaryKey
    let missing = needed.filter { !header.hasName($0) }
    guard missing.isEmpty else {
      throw invalidHeader("no column \(missing.joined(separator: ", ")) in the header", table)
    }
    guard kind != .replace || !table.primaryKey.isEmpty else {
      throw invalidHeader("\(table.name) has no key by which a record can be replaced", table)
    }
  }

  /// Makes sure that each column is known: to the table, or at least to its dump.
  func checkColumns(of table: TableDescription, dump: [String]) throws(IngestError) {
    for name in header where !table.columns.map(\.name).hasName(name) && !dump.hasName(name) {
      throw invalidHeader(
        "the column \(name.quotedForMessage) is neither in \(table.name) nor in its dump", table)
    }
  }

  private func invalidHeader(_ fault: String, _ table: TableDescription) -> IngestError {
    let columns = table.columns.map(\.name).joined(separator: ",")
    let expected =
      kind == .leaveOut && !table.primaryKey.isEmpty
      ? "that of the dump, \(columns), or \(table.primaryKey.joined(separator: ",")) alone"
      : "that of the dump, \(columns)"
    return IngestError(
      .data, code: .repairInvalid,
      "\(file.path): line 1: \(fault), which is \(header.joined(separator: ",").quotedForMessage). "
        + "Expected is \(expected). Nothing was published; correct the first line.")
  }
}

extension RepairFile.Record {
  fileprivate init(
    _ record: Record, in batch: borrowing RecordBatch, _ layout: SourceLayout, fieldCount: Int
  ) {
    number = record.number
    line = record.line
    bytes = batch.bytes(withoutLineEndOf: record, layout)
    guard record.faults.isEmpty, record.fieldCount == fieldCount else {
      fields = nil
      return
    }
    var fields: [[UInt8]] = []
    for field in batch.fields[record.firstField..<record.firstField + record.fieldCount] {
      fields.append(Array(batch.bytes[Int(field.start)..<Int(field.end)]))
    }
    self.fields = fields
  }
}

extension RepairCounts {
  /// The account of a file whose table has no dump: nothing of it applies.
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
