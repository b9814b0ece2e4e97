import CSV
import Compression
import Glibc
import Platform
import SourceFiles
import SQLiteSwiftly
import Text
import Vocabulary

/// The edits of a table's rejected records, as repairs with the same effect in every run.
///
/// They become removals and additions, but no replacements by key, which would hide later changes in the source file.
struct TableEdits {
  var name: String { table.name }
  private let table: TableDescription
  let layout: SourceLayout
  /// The header of the source file; nil if no original record was read.
  private(set) var header: Header?
  private(set) var now: EditedRecords
  /// The edited records when they were last saved; nil if they never were.
  private(set) var saved: EditedRecords?
  private var tooLong = 0
  private var originalBytes = 0

  init(
    of table: TableDescription, _ layout: SourceLayout, now: EditedRecords, saved: EditedRecords?
  ) {
    self.table = table
    self.layout = layout
    self.now = now
    self.saved = saved
  }

  /// The number of edits that concern records longer than the limit, which no repair can add or leave out.
  var unsavedRecords: Int { abs(tooLong - now.tooLong) }

  /// Whether the edited records were read from these bytes of a file.
  func hasRead(_ bytes: [UInt8]) -> Bool {
    var crc32 = CRC32()
    crc32.append(bytes.span)
    return now.checksums.last == crc32.value
  }

  /// Reads the original records from a source file, which must be the one from which they were rejected.
  mutating func readOriginals(
    _ file: SourceFolder.File, _ numbers: RecordNumbers, _ entry: ManifestEntry,
    in folder: String, recordLimit: Int
  ) throws(IngestError) {
    guard entry.source.isComplete else {
      throw .stale(
        "\(file.path): not read to its end by the run that made \(folder), so its rejected records are "
          + "incomplete. Load the source files again, and fix what is rejected then.")
    }
    var parser = try SourceParser(file, recordLimit: recordLimit)
    var counts = SourceCounts(name: file.name)
    parser.describe(in: &counts)
    guard entry.source.size == counts.size else {
      throw .rejectedSourceDiffers(file.path, from: folder, entry.difference(from: counts) ?? "")
    }
    var batch = RecordBatch()
    var head = try parser.readHeader(&batch)
    if file.layout.headerRows == 0 { head.names = table.columns.map(\.name) }
    header = head
    var found = 0
    try parser.readRecords(after: head, &batch) { (record, batch) throws(IngestError) in
      guard numbers.contains(record.number) else { return }
      found += 1
      try addOriginal(record, batch, file)
    }
    parser.describe(in: &counts)
    if let difference = entry.difference(from: counts) {
      throw .rejectedSourceDiffers(file.path, from: folder, difference)
    }
    guard found == numbers.count else {
      throw .rejectedSourceDiffers(
        file.path, from: folder,
        "it has \(counts.records.of("record")), but one after them is listed as rejected")
    }
  }

  private mutating func addOriginal(
    _ record: Record, _ batch: borrowing RecordBatch, _ file: SourceFolder.File
  ) throws(IngestError) {
    guard !record.faults.contains(.tooLong) else { return tooLong += 1 }
    let bytes = batch.bytes(withoutLineEndOf: record, file.layout)
    let names = header?.names ?? []
    saved?.match(bytes, of: names)
    if !now.match(bytes, of: names) { originalBytes += record.length }
    guard originalBytes <= RepairFile.mostBytes else { throw .editsTooLarge(file.path) }
  }

  /// The records of a file of repairs, and those that an earlier version of the edits had there.
  func repairs(_ kind: RepairKind) -> (header: Header?, now: [[UInt8]], saved: [[UInt8]]) {
    kind == .add
      ? (now.header, now.added, saved?.added ?? []) : (header, now.removed, saved?.removed ?? [])
  }
}

/// A version of the edited records, compared with the original ones.
struct EditedRecords {
  private(set) var header: Header?
  private(set) var tooLong = 0
  /// The checksums of the files that were read.
  private(set) var checksums: [UInt32] = []
  private var records: [[UInt8]] = []
  /// How many of each record match no original one yet.
  private var unmatched: [[UInt8]: Int] = [:]
  private var matched: [[UInt8]: Int] = [:]
  /// The original records that were edited or deleted.
  private(set) var removed: [[UInt8]] = []

  mutating func add(_ file: RepairFile) throws(IngestError) {
    if let header, !haveSameBytes(header.names, file.header) {
      throw .headerDiffers(file.file.path, from: "the records fixed before")
    }
    header = file.head
    checksums.append(file.crc32)
    for record in file.records {
      if record.isTooLong {
        tooLong += 1
      } else {
        records.append(record.bytes)
        unmatched[record.bytes, default: 0] += 1
      }
    }
  }

  /// Matches an original record with an equal one; with other columns, equal bytes differ in meaning.
  @discardableResult
  mutating func match(_ original: [UInt8], of names: [String]) -> Bool {
    if let count = unmatched[original], count > 0, haveSameBytes(header?.names ?? [], names) {
      unmatched[original] = count - 1
      matched[original, default: 0] += 1
      return true
    }
    removed.append(original)
    return false
  }

  /// The records that match no original one.
  var added: [[UInt8]] { records.difference(from: matched) }
}

extension [[UInt8]] {
  /// The elements without those that are counted, each as often.
  func difference(from counts: [[UInt8]: Int]) -> [[UInt8]] {
    var counts = counts
    return filter { element in
      guard let count = counts[element], count > 0 else { return true }
      counts[element] = count - 1
      return false
    }
  }

  func difference(from others: [[UInt8]]) -> [[UInt8]] { difference(from: others.counts) }

  var counts: [[UInt8]: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

extension TableEdits {
  /// The change of a file of repairs; nil if it stays the same.
  func change(
    _ kind: RepairKind, _ file: RepairFile?, in folder: String, keepsOld: Bool = false
  ) throws(IngestError) -> SavedRepairs? {
    let path = "\(folder)/\(RepairsFolder.name(of: name, kind))"
    let (header, now, saved) = repairs(kind)
    let old = file?.records ?? []
    var obsolete = keepsOld ? [:] : saved.difference(from: now).counts
    let removed = old.filter { record in
      guard let count = obsolete[record.bytes], count > 0 else { return false }
      obsolete[record.bytes] = count - 1
      return true
    }
    let added = now.difference(from: old.map(\.bytes))
    guard !added.isEmpty || !removed.isEmpty else { return nil }
    if let file, let header, !haveSameBytes(file.header, header.names) {
      throw IngestError(
        .data, code: .file(.repairInvalid),
        "\(path): line 1: the columns are \(file.header.joined(separator: ",").quotedForMessage), but the edited "
          + "records have \(header.names.joined(separator: ",").quotedForMessage). Nothing was saved. Use another "
          + "folder with --repairs, and merge the files.")
    }
    var text = TextBuffer()
    let mark = byteOrderMark
    if let file {
      try text.append(file, without: removed.map(\.place), layout)
    } else if let header {
      // If the first name begins with a byte order mark, another goes before it, since a reader skips one.
      if header.names.first?.utf8.starts(with: mark) ?? false { text.append(mark.span) }
      header.append(to: &text, layout)
    }
    for record in added {
      // A file without a header may begin with the bytes of a byte order mark, which a reader would skip.
      if text.count == 0, record.starts(with: mark) { text.append(mark.span) }
      text.append(record.span)
      text.append(layout.lineEnd(after: record.span).span)
    }
    guard text.count <= RepairFile.mostBytes else { throw .repairsTooLarge(path) }
    return SavedRepairs(path: path, added: added.count, removed: removed.count, text: text)
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

extension TextBuffer {
  fileprivate mutating func append(
    _ file: RepairFile, without places: [Range<Int>], _ layout: SourceLayout
  ) throws(IngestError) {
    let path = file.file.path
    let bytes = try mapError(
      contentsOfFile(path, mostBytes: RepairFile.mostBytes),
      as: { .repairsFailed(path, "read", $0) })
    var crc32 = CRC32()
    crc32.append(bytes.span)
    guard crc32.value == file.crc32 else {
      throw IngestError(
        .data, "\(path): changed by another program in the meantime. Nothing was saved. Run again.")
    }
    var start = 0
    for range in places {
      append(bytes.span.extracting(start..<range.lowerBound))
      start = range.upperBound
    }
    append(bytes.span.extracting(start..<bytes.count))
    if !bytes.isEmpty { append(layout.lineEnd(after: self.bytes).span) }
  }

  /// Creates or atomically replaces a file with this text.
  func replaceFile(_ path: String) throws(IngestError) {
    let unfinished = unfinishedPath(of: path)
    unsafe unlink(unfinished)
    let descriptor = try mapError(
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
    try mapError(syncFolder(parentFolder(of: path)), as: { .repairsFailed(path, "written", $0) })
  }
}
