package import SourceFiles
package import Vocabulary
package import CSV
import Platform
import Glibc
import SQLiteSwiftly
import Text

/// The fixed records of one table in a replay, to be written as repairs for later runs.
///
/// They become removals and additions, but no replacements by key, which would hide later changes in the source file.
package struct WrittenRepairs: Sendable {
  package let table: String
  private let layout: SourceLayout
  private let header: Header
  /// The records replaced by fixed ones, byte for byte.
  private var rejected: [[UInt8]] = []
  /// The header of the fixed records, and those that were loaded.
  private var repairedHeader: Header?
  private var repaired: [[UInt8]] = []
  private var stillRejected: [[UInt8]] = []
  private var bytes = 0

  private static let mostBytes = 64 << 20

  package init(of table: String, header: Header, _ layout: SourceLayout) {
    self.table = table
    self.layout = layout.ofRecordsAlone
    self.header = header
  }

  /// Adds the records of `before` that were removed; one longer than the limit is incomplete, and skipped.
  package mutating func addRemoved(
    of before: [Record], from batch: borrowing RecordBatch
  ) throws(IngestError) {
    let rest = Set(batch.records.map(\.number))
    for record in before where !rest.contains(record.number) && !record.faults.contains(.tooLong) {
      rejected.append(batch.bytes(withoutLineEndOf: record, layout))
      bytes += record.length
    }
    try checkSize()
  }

  /// Reads the fixed records that were loaded, and those that were rejected again, from the files for the next replay.
  package mutating func readRepaired(
    loaded: String, rejected: String, recordLimit: Int
  ) throws(IngestError) {
    if let list = try read(loaded, recordLimit: recordLimit) {
      (repairedHeader, repaired) = (list.header, list.records)
    }
    stillRejected = try read(rejected, recordLimit: recordLimit)?.records ?? []
  }

  private mutating func read(_ path: String, recordLimit: Int) throws(IngestError) -> RecordList? {
    guard let size = try RepairsFolder.size(of: path), size > 0 else { return nil }
    bytes += size
    try checkSize()
    do throws(IngestError) {
      return try RecordList(path, layout, recordLimit: recordLimit)
    } catch {
      // This run wrote the file.
      throw IngestError(error.kind == .inputMissing ? .inputOutput : error.kind, error.message)
    }
  }

  private func checkSize() throws(IngestError) {
    guard bytes > Self.mostBytes else { return }
    throw .fixedRecordsTooLarge(table, mostBytes: Self.mostBytes)
  }

  /// Whether the fixed records are uncertain, because edited records were rejected again.
  package var isIncomplete: Bool { !stillRejected.difference(from: rejected).isEmpty }

  /// Adds the repairs to the files of a folder, and returns their number; unchanged files are not rewritten.
  package func write(to folder: String, recordLimit: Int) throws(IngestError) -> Int {
    let rejected = rejected.difference(from: stillRejected)
    let (gone, new) = (rejected.difference(from: repaired), repaired.difference(from: rejected))
    // With other columns, equal bytes differ in meaning.
    let isSameHeader = haveSameBytes(header.names, repairedHeader?.names ?? [])
    return try append(
      isSameHeader ? gone : rejected, header, to: folder, .leaveOut, recordLimit: recordLimit)
      + append(
        isSameHeader ? new : repaired, repairedHeader ?? header, to: folder, .add,
        recordLimit: recordLimit)
  }

  private func append(
    _ records: [[UInt8]], _ header: Header, to folder: String, _ kind: RepairKind,
    recordLimit: Int
  ) throws(IngestError) -> Int {
    guard !records.isEmpty else { return 0 }
    let path = "\(folder)/\(RepairsFolder.name(of: table, kind))"
    var text = TextBuffer()
    var new = records
    if try RepairsFolder.size(of: path) == nil {
      header.append(to: &text, layout)
    } else {
      let old = try RecordList(path, layout, recordLimit: recordLimit)
      guard haveSameBytes(old.header.names, header.names) else {
        throw .repairsColumnsDiffer(path, old.header.names, fixed: header.names)
      }
      new = records.difference(from: old.records)
      guard !new.isEmpty else { return 0 }
      try text.append(contentsOf: path, layout)
    }
    for record in new {
      text.append(record.span)
      text.append(layout.lineEnd(after: record.span).span)
    }
    try text.replaceFile(path)
    return new.count
  }
}

extension Header {
  fileprivate func append(to text: inout TextBuffer, _ layout: SourceLayout) {
    guard layout == .usual else {
      text.append(bytes.span)
      if layout.headerRows > 0 { text.append(layout.lineEnd(after: bytes.span).span) }
      return
    }
    text.append(fields: names)
    text.append(UInt8(ascii: "\n"))
  }
}

private struct RecordList {
  let header: Header
  let records: [[UInt8]]

  init(_ path: String, _ layout: SourceLayout, recordLimit: Int) throws(IngestError) {
    let file = SourceFolder.File(name: path, path: path, layout: layout)
    var parser = try SourceParser(file, recordLimit: recordLimit)
    var batch = RecordBatch()
    let head = try parser.readHeader(&batch)
    header = head
    var records: [[UInt8]] = []
    try parser.readRecords(after: head, &batch) { (record, batch) throws(IngestError) in
      records.append(batch.bytes(withoutLineEndOf: record, layout))
    }
    self.records = records
  }
}

extension [[UInt8]] {
  /// The elements without those of others, each of which removes one.
  fileprivate func difference(from others: [[UInt8]]) -> [[UInt8]] {
    var counts: [[UInt8]: Int] = [:]
    for other in others { counts[other, default: 0] += 1 }
    return filter { element in
      guard let count = counts[element], count > 0 else { return true }
      counts[element] = count - 1
      return false
    }
  }
}

extension TextBuffer {
  fileprivate mutating func append(
    contentsOf path: String, _ layout: SourceLayout
  ) throws(IngestError) {
    let bytes = try reporting(
      contentsOfFile(path, mostBytes: .max), as: { .repairsFailed(path, "read", $0) })
    append(bytes.span)
    if !bytes.isEmpty { append(layout.lineEnd(after: bytes.span).span) }
  }

  /// Creates or atomically replaces a file with this text.
  fileprivate func replaceFile(_ path: String) throws(IngestError) {
    let unfinished = unfinishedPath(of: path)
    unsafe unlink(unfinished)
    let descriptor = try reporting(
      openFile(unfinished, O_WRONLY | O_CREAT | O_EXCL, 0o666),
      as: { .repairsFailed(path, "written", $0) })
    defer { close(descriptor) }
    guard descriptor.writeAll(bytes) == count, syncToDisk(descriptor),
      unsafe rename(unfinished, path) == 0
    else {
      let failure = IngestError.repairsFailed(path, "written")
      unsafe unlink(unfinished)
      throw failure
    }
    try reporting(
      syncFolder(parentFolder(of: path)), as: { .repairsFailed(path, "written", $0) })
  }
}

extension RecordBatch {
  package func bytes(withoutLineEndOf record: Record, _ layout: SourceLayout) -> [UInt8] {
    let whole = bytes[record.bytes]
    return Array(whole.prefix(layout.contentCount(of: whole.span)))
  }
}
