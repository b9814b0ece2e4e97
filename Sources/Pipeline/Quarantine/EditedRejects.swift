package import Vocabulary
import Text
package import Platform
package import Schema
import SourceFiles
import SQLiteSwiftly

/// The edited records of a rejects folder, and the source files from which their originals are read.
package struct EditedRejects {
  private let kept: KeptRejects
  private let schema: SchemaDescription
  private let folder: SourceFolder
  private let recordLimit: Int
  /// The seconds to wait for another run that uses one of the folders.
  private let timeout: Double
  private let patience: Patience
  /// The lock that prevents other runs from moving the folder; nil if there is no folder.
  private let lock: FolderLock?

  /// More records would need more than 256 MiB for their numbers.
  private static let mostRecords = 1 << 31

  package init(
    _ path: String, of schema: SchemaDescription, source: String, recordLimit: Int,
    timeout: Double = 0, patience: Patience = Patience()
  ) throws(IngestError) {
    folder = try SourceFolder(pinnedPath(source), sources: schema.sources, allowedMissing: .all)
    lock = try FolderLock.lock(resolvedPath(path), timeout: timeout, patience)
    kept = try KeptRejects(withoutSlashes(path))
    self.schema = schema
    self.recordLimit = recordLimit
    self.timeout = timeout
    self.patience = patience
    try checkNames()
    if let entry = kept.entries.first(where: { !schema.tables.map(\.name).hasName($0.table) }) {
      throw .stale(
        "\(kept.path)/\(RejectsFolder.manifest): unknown table \(entry.table.quotedForMessage). Restore the file."
      )
    }
  }

  /// Refuses a file of records with an unknown name, whose records would be ignored silently.
  private func checkNames() throws(IngestError) {
    let known = RejectsFolder(kept.path, sources: schema.sources).names
    let unknown = kept.names.sorted().first { name in
      !name.hasBytePrefix(".") && (name.hasByteSuffix(".csv") || name.hasByteSuffix(".csv.gz"))
        && !known.contains(name)
    }
    guard let unknown else { return }
    throw IngestError(
      .data,
      "\(kept.path): \(unknown.quotedForMessage) is not a file of rejected records. Nothing was saved. Edited and "
        + "added records belong in TABLE.csv, where TABLE is one of \(schema.sources.fileNames). Rename it, or "
        + "remove it from the folder.")
  }

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

  /// The edits of all tables; a table whose records are unchanged is not read, whatever its size.
  private func edits() throws(IngestError) -> [TableEdits] {
    var edits: [TableEdits] = []
    for (index, table) in schema.tables.enumerated() where try isEdited(table.name) {
      edits.append(try self.edits(of: table, folder.files[index], schema.sources[index]))
    }
    return edits
  }

  private func isEdited(_ table: String) throws(IngestError) -> Bool {
    if kept.names.contains(RejectsFolder.saved(of: table)) { return true }
    let isKept = kept.entries.contains { haveSameBytes($0.table, table) && $0.rejected > 0 }
    // A missing file is an error.
    if isKept, !kept.names.contains(RejectsFolder.records(of: table)) { return true }
    return try kept.hasUnsavedEdits(of: table)
  }

  private func edits(
    of table: TableDescription, _ sources: [SourceFolder.File], _ source: SourceDescription
  ) throws(IngestError) -> TableEdits {
    let numbers = try rejectedNumbers(of: table.name, sources)
    let layout = try SourceLayout(of: source).ofRecordsAlone
    let records = RejectsFolder.records(of: table.name)
    let hasRecords = kept.names.contains(records) || numbers.contains { !$0.isEmpty }
    // The records that were fixed in a replay of an earlier version, and replace others.
    let fixed = [RejectsFolder.repaired(of: table.name)].filter(kept.names.contains)
    let saved = RejectsFolder.saved(of: table.name)
    let savedSize = try RepairsFolder.size(of: "\(kept.path)/\(saved)") ?? 0
    var edits = TableEdits(
      of: table, layout,
      now: try read(fixed + (hasRecords ? [records] : []), of: table, layout),
      saved: savedSize > 0 ? try read(fixed + [saved], of: table, layout) : nil)
    for (file, numbers) in zip(sources, numbers) where !numbers.isEmpty {
      guard let entry = kept.entries.first(where: { $0.isOf(table.name, file) }) else { continue }
      try edits.readOriginals(file, numbers, entry, in: kept.path, recordLimit: recordLimit)
    }
    return edits
  }

  private func read(
    _ names: [String], of table: TableDescription, _ layout: SourceLayout
  ) throws(IngestError) -> EditedRecords {
    var records = EditedRecords()
    for name in names {
      let file = SourceFolder.File(name: name, path: "\(kept.path)/\(name)", layout: layout)
      try file.refuseLink()
      guard try RepairsFolder.size(of: file.path) ?? 0 <= RepairFile.mostBytes else {
        throw .editsTooLarge(file.path)
      }
      try records.add(RepairFile(file, of: table, .add, recordLimit: recordLimit))
    }
    return records
  }

  /// The numbers of the rejected records of each source file, and of those that a replay of an earlier version replaced.
  private func rejectedNumbers(
    of table: String, _ sources: [SourceFolder.File]
  ) throws(IngestError) -> [RecordNumbers] {
    let own = kept.entries.filter { haveSameBytes($0.table, table) }
    let rejected = own.first { max($0.rejected, $0.replaced) > 0 }
    guard let rejected else { return sources.map { _ in RecordNumbers() } }
    guard !sources.isEmpty else {
      throw .stale(
        "\(kept.path): has records of \(table), but the source file \(rejected.file.quotedForMessage) is missing. "
          + IngestError.olderSources)
    }
    var entries: [ManifestEntry] = []
    for source in sources {
      guard let entry = own.first(where: { $0.isOf(table, source) }) else {
        throw .rejectedSourceRenamed(source.path, from: kept.path, own[0].file)
      }
      entries.append(entry)
    }
    if let other = own.first(where: { !entries.contains($0) && !isOfRepairs($0) }) {
      throw .rejectedSourceRenamed(sources[0].path, from: kept.path, other.file)
    }
    var numbers = entries.map { _ in RecordNumbers() }
    for (list, count) in [
      (RejectsFolder.reasons(of: table), \ManifestEntry.rejected),
      (RejectsFolder.replaced(of: table), \.replaced),
    ] where entries.contains(where: { $0[keyPath: count] > 0 }) {
      try readNumbers("\(kept.path)/\(list)", count, of: entries, into: &numbers)
    }
    return numbers
  }

  /// Whether an entry is of a file of repairs, or of records that a replay of an earlier version loaded.
  private func isOfRepairs(_ entry: ManifestEntry) -> Bool {
    let fixed = [RejectsFolder.records(of: entry.table), RejectsFolder.repaired(of: entry.table)]
    return RepairKind.allCases.contains {
      haveSameBytes(entry.file, RepairsFolder.name(of: entry.table, $0))
    } || fixed.contains { entry.file.hasByteSuffix("/" + $0) }
  }

  /// Reads record numbers from a list, which must have as many records of each source file as the manifest states.
  private func readNumbers(
    _ path: String, _ count: KeyPath<ManifestEntry, Int>, of entries: [ManifestEntry],
    into numbers: inout [RecordNumbers]
  ) throws(IngestError) {
    var found = entries.map { _ in 0 }
    var source = 0
    try readList(path, ["record", "file"]) { (row) throws(IngestError) in
      let file = row.text(1)
      if !haveSameBytes(entries[source].file, file) {
        // Any other file is one of repairs.
        guard let other = entries.firstIndex(where: { haveSameBytes($0.file, file) }) else {
          return
        }
        source = other
      }
      let number = try row.number(0)
      let most = min(entries[source].source.records, Self.mostRecords)
      guard 1...max(most, 1) ~= number else {
        throw row.failure(0, "a record number from 1 to \(most.grouped)")
      }
      if numbers[source].insert(number) { found[source] += 1 }
    }
    for (found, entry) in zip(found, entries) where found != entry[keyPath: count] {
      throw IngestError(
        .data,
        "\(path): has \(found.of("record")), but \(RejectsFolder.manifest) lists "
          + "\(entry[keyPath: count].grouped). Only the records themselves may be edited; restore both files."
      )
    }
  }

  /// Records that the edits were saved, so that a run may remove the folder.
  ///
  /// A file that was edited in the meantime is not, nor one with edits that no repair can express.
  private func markAsSaved(_ edits: [TableEdits]) throws(IngestError) {
    for table in edits where table.unsavedRecords == 0 {
      let records = "\(kept.path)/\(RejectsFolder.records(of: table.name))"
      var text = TextBuffer()
      if try RepairsFolder.size(of: records) != nil {
        let bytes = try mapError(
          contentsOfFile(records, mostBytes: RepairFile.mostBytes),
          as: { .rejectsFailed(records, "read", $0) })
        guard table.hasRead(bytes) else { continue }
        text.append(bytes.span)
      }
      try text.replaceFile("\(kept.path)/\(RejectsFolder.saved(of: table.name))")
    }
  }
}

/// What saving edits changed in a file of repairs.
package struct SavedRepairs {
  package let path: String
  package let added: Int
  package let removed: Int
  let text: TextBuffer
}

/// A set of record numbers, at a bit for each record of a file.
struct RecordNumbers {
  private var words: [UInt64] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & 1 << UInt64(number % 64) != 0
  }

  /// Returns whether the number is new.
  mutating func insert(_ number: Int) -> Bool {
    guard !contains(number) else { return false }
    let missing = number / 64 + 1 - words.count
    if missing > 0 { words += repeatElement(0, count: missing) }
    words[number / 64] |= 1 << UInt64(number % 64)
    count += 1
    return true
  }
}
