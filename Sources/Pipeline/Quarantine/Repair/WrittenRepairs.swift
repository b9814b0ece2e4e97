package import SourceFiles
package import Facts
package import CSV
import Files
import Glibc
import SQLiteSwiftly

/// What a replay repaired in the records of one table, so that it can be repaired every night.
///
/// A record that was rejected and is not loaded as it was is left out from then on, and what is loaded
/// instead is added. It is not replaced by its key: then nobody would hear of it when the dump has another
/// record by that key.
package struct WrittenRepairs: Sendable {
  package let table: String
  private let layout: SourceLayout
  private let header: WrittenHeader
  /// The records in whose place repaired ones were loaded, byte for byte.
  private var rejected: [[UInt8]] = []
  /// The columns of the repaired records, and those of them that were loaded.
  private var repairedHeader = WrittenHeader()
  private var repaired: [[UInt8]] = []
  /// The records that are rejected again.
  private var stillRejected: [[UInt8]] = []
  private var bytes = 0

  /// The most bytes of a table: all are kept in memory.
  private static let mostBytes = 64 << 20

  package init(of table: String, header: Header, _ layout: SourceLayout) {
    self.table = table
    self.layout = layout.ofRecordsAlone
    self.header = WrittenHeader(header)
  }

  /// Notes the records that were taken out of a batch of the dump: those of `before` that are gone.
  ///
  /// One that is longer than the limit is not there as a whole.
  package mutating func note(_ before: [Record], in batch: borrowing RecordBatch)
    throws(IngestError)
  {
    let rest = Set(batch.records.map(\.number))
    for record in before where !rest.contains(record.number) && !record.faults.contains(.tooLong) {
      rejected.append(batch.bytes(withoutLineEndOf: record, layout))
      bytes += record.length
    }
    try checkSize()
  }

  /// Reads the repaired records that were loaded, and those that are rejected again, from where they are kept
  /// for a further replay.
  package mutating func readRepaired(
    loaded: String, rejected: String, recordLimit: Int
  ) throws(IngestError) {
    if let list = try read(loaded, recordLimit: recordLimit) {
      (repairedHeader, repaired) = (list.header, list.records)
    }
    stillRejected = try read(rejected, recordLimit: recordLimit)?.records ?? []
  }

  /// Reads a file; nil if there is none, or nothing in it.
  private mutating func read(_ path: String, recordLimit: Int) throws(IngestError) -> RecordList? {
    guard let size = try RepairsFolder.size(of: path), size > 0 else { return nil }
    bytes += size
    try checkSize()
    do throws(IngestError) {
      return try RecordList(path, layout, recordLimit: recordLimit)
    } catch {
      // This run has written it.
      throw IngestError(error.kind == .inputMissing ? .inputOutput : error.kind, error.message)
    }
  }

  private func checkSize() throws(IngestError) {
    guard bytes > Self.mostBytes else { return }
    throw IngestError(
      .data,
      "\(table): the repaired records have more than \(Self.mostBytes.grouped) bytes, which are too many for "
        + "standing repairs. Replay without --write-repairs.")
  }

  /// Whether nobody knows which records are repaired, since there are edited ones that are rejected again.
  package var isIncomplete: Bool { !stillRejected.difference(from: rejected).isEmpty }

  /// Adds them to the files of a folder, and returns how many; a file that would stay as it is is not touched.
  package func write(to folder: String, recordLimit: Int) throws(IngestError) -> Int {
    let rejected = rejected.difference(from: stillRejected)
    let (gone, new) = (rejected.difference(from: repaired), repaired.difference(from: rejected))
    // With other columns, equal bytes say something else.
    let isSameHeader = haveSameBytes(header.names, repairedHeader.names)
    return try append(
      isSameHeader ? gone : rejected, header, to: folder, .leaveOut, recordLimit: recordLimit)
      + append(
        isSameHeader ? new : repaired, repairedHeader, to: folder, .add, recordLimit: recordLimit)
  }

  private func append(
    _ records: [[UInt8]], _ header: WrittenHeader, to folder: String, _ kind: RepairKind,
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
        throw IngestError(
          .data, code: .repairInvalid,
          "\(path): line 1: the columns are \(old.header.names.joined(separator: ",").quotedForMessage), and those "
            + "of what was repaired \(header.names.joined(separator: ",").quotedForMessage). Replay again with "
            + "another folder for --write-repairs, and put the files together.")
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

private struct WrittenHeader {
  var names: [String] = []
  private var bytes: [UInt8] = []

  init() {}

  init(_ header: Header) {
    names = header.names
    bytes = header.bytes
  }

  func append(to text: inout TextBuffer, _ layout: SourceLayout) {
    guard layout == .usual else {
      text.append(bytes.span)
      if layout.headerRows > 0 { text.append(layout.lineEnd(after: bytes.span).span) }
      return
    }
    for (place, name) in names.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      text.append(field: name)
    }
    text.append(UInt8(ascii: "\n"))
  }
}

private struct RecordList {
  let header: WrittenHeader
  let records: [[UInt8]]

  init(_ path: String, _ layout: SourceLayout, recordLimit: Int) throws(IngestError) {
    let file = SourceFolder.File(name: path, path: path, layout: layout)
    var parser = try SourceParser(file, recordLimit: recordLimit)
    var batch = RecordBatch()
    let head = try parser.readHeader(&batch)
    header = WrittenHeader(head)
    var found: [[UInt8]] = []
    try parser.readRecords(after: head, &batch) { (record, batch) throws(IngestError) in
      found.append(batch.bytes(withoutLineEndOf: record, layout))
    }
    records = found
  }
}

extension [[UInt8]] {
  /// The elements without those of others, each of which takes one away.
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
  /// Appends what is in a file, and a line end if its last line has none.
  fileprivate mutating func append(
    contentsOf path: String, _ layout: SourceLayout
  ) throws(IngestError) {
    do throws(FileError) {
      let file = try FileReader(path: path)
      let bytes = try file.bytes(file.size, at: 0)
      append(bytes.span)
      if !bytes.isEmpty { append(layout.lineEnd(after: bytes.span).span) }
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .output), "\(path): cannot be read: \(error.message).")
    }
  }

  /// Puts a file with this text in the place of another, if there is one, in one step.
  fileprivate func replaceFile(_ path: String) throws(IngestError) {
    let unfinished = unfinishedPath(of: path)
    unsafe unlink(unfinished)
    let descriptor = openFile(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    guard descriptor.writeAll(bytes) == count, syncToDisk(descriptor),
      unsafe rename(unfinished, path) == 0
    else {
      let failure = Self.failure(path)
      unsafe unlink(unfinished)
      throw failure
    }
    do throws(FileError) {
      try syncFolder(parentFolder(of: path))
    } catch {
      throw Self.failure(path, error.code)
    }
  }

  private static func failure(_ path: String, _ code: Int32 = errno) -> IngestError {
    IngestError(
      .of(code, otherwise: .output),
      "\(path): what was repaired cannot be written: \(FileError(code: code).message).")
  }
}

extension RecordBatch {
  package func bytes(withoutLineEndOf record: Record, _ layout: SourceLayout) -> [UInt8] {
    let whole = bytes[record.bytes]
    return Array(whole.prefix(layout.contentCount(of: whole.span)))
  }
}
