import CSV
import Compression
package import Vocabulary
import Text
import Platform
import Glibc
import SourceFiles
import SQLiteSwiftly

/// What saving edits changed in a file of repairs.
package struct SavedRepairs {
  package let path: String
  package let added: Int
  package let removed: Int
  fileprivate let text: TextBuffer
}

extension EditedRejects {
  /// Adds the edits to the files of a folder, which is created if necessary, and removes what earlier versions of them
  /// added.
  ///
  /// Everything is checked before anything is written. A record is added before its original is skipped, and no longer
  /// skipped before it is removed: a run that reads the folder in between may reject a record, but loses none silently.
  ///
  /// - Returns: The files that changed, and for each table the edited records that no repair can express.
  package func save(
    to path: String
  ) throws(IngestError) -> (files: [SavedRepairs], unsaved: [(table: String, records: Int)]) {
    let path = withoutSlashes(path)
    _ = try mapError(writablePath(path), as: { .repairsFailed(path, "written", $0) })
    let lock = try FolderLock.lock(resolvedPath(path), timeout: timeout, patience)
    defer { withExtendedLifetime(lock) {} }
    let old = lock == nil ? [] : try RepairsFolder(path, schema, recordLimit: recordLimit).files
    let edits = try edits()
    var files: [SavedRepairs] = []
    var steps: [SavedRepairs] = []
    for table in edits {
      let (added, leftOut) = (
        old.first { haveSameBytes($0.table, table.name) && $0.kind == .add },
        old.first { haveSameBytes($0.table, table.name) && $0.kind == .leaveOut }
      )
      let addition = try table.change(.add, added, in: path)
      let removal = try table.change(.leaveOut, leftOut, in: path)
      let isShortened = addition.map { $0.removed > 0 } ?? false
      let first = isShortened ? try table.change(.add, added, in: path, keepsOld: true) : nil
      files += [addition, removal].compactMap(\.self)
      steps += (isShortened ? [first, removal, addition] : [addition, removal]).compactMap(\.self)
    }
    if !steps.isEmpty { try RepairsFolder.make(path) }
    for step in steps { try step.text.replaceFile(step.path) }
    try markAsSaved(edits)
    let unsaved = edits.filter { $0.unsavedRecords > 0 }.map { ($0.name, $0.unsavedRecords) }
    return (files, unsaved)
  }
}

extension TableEdits {
  /// The change of a file of repairs; nil if it stays the same.
  fileprivate func change(
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
      throw .repairsColumnsDiffer(path, file.header, edited: header.names)
    }
    var text = TextBuffer()
    let mark = byteOrderMark
    if let file {
      try text.append(file, without: removed.map(\.place), layout)
    } else if let header {
      // A reader would skip a byte order mark that belongs to the first name.
      if header.names.first?.utf8.starts(with: mark) ?? false { text.append(mark.span) }
      header.append(to: &text, layout)
    }
    for record in added {
      // A file without a header may begin with the bytes of a byte order mark, which a reader would skip.
      if text.count == 0, record.starts(with: mark) { text.append(mark.span) }
      text.append(record.span)
      text.append(layout.lineEnd(after: record.span).span)
    }
    guard text.count <= RepairFile.mostBytes else {
      throw .repairsTooLarge(path, mostBytes: RepairFile.mostBytes)
    }
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
    guard crc32.value == file.crc32 else { throw .repairsChanged(path) }
    var start = 0
    for place in places {
      append(bytes.span.extracting(start..<place.lowerBound))
      start = place.upperBound
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
    try mapError(
      syncFolder(parentFolder(of: path)), as: { .repairsFailed(path, "written", $0) })
  }
}
