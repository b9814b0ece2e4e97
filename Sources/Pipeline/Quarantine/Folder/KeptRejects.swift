package import Vocabulary
import Text
import Compression
import Platform
import SQLiteSwiftly

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
