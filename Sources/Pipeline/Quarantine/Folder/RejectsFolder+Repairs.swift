import SourceFiles
package import Vocabulary
import Platform
import Glibc
import Compression
import Text

extension Warning {
  package static func editedRejects(keptAs folder: String) -> Warning {
    Warning(
      file: folder, code: .rejectsEdited,
      "rejected records of an earlier run were fixed but not replayed; they were moved here, and no run "
        + "removes them. Replay them with their source files, --rejects \(shellWord(folder)), or remove "
        + "the folder")
  }
}

extension RejectsFolder {
  /// Whether a folder has fixed records that were not loaded; one of an earlier version, without checksums, has none.
  func hasUnloadedRepairs(_ folder: String) throws(IngestError) -> Bool {
    let names = try entries(of: folder)
    guard !isReplayed(folder), !names.contains(Self.replayedMark),
      let sums = try checksums(in: folder)
    else { return false }
    for table in tables {
      let records = Self.records(of: table)
      if names.contains(records) {
        guard let sum = sums[table], try checksum(of: "\(folder)/\(records)") == sum else {
          return true
        }
      }
      let repaired = Self.repaired(of: table)
      if names.contains(repaired) {
        // Headers are shorter.
        let bytes = try firstBytes(256 << 10, of: "\(folder)/\(repaired)")
        if layout(of: table).hasRecords(bytes) { return true }
      }
    }
    return false
  }

  /// The folders of earlier runs with fixed records that were not loaded.
  package func previousWithUnloadedRepairs() throws(IngestError) -> [String] {
    let (parent, name) = split(path)
    var folders: [String] = []
    for sibling in try entries(of: parentFolder(of: path)) {
      let folder = parent + sibling
      guard sibling.hasBytePrefix(name + Self.previous), try isFolder(folder),
        try hasManifest(folder),
        try hasUnloadedRepairs(folder)
      else { continue }
      folders.append(folder)
    }
    return folders
  }

  /// Whether a folder is the replayed one, however its path is written.
  func isReplayed(_ folder: String) -> Bool { replayed.map { existingPath(folder) == $0 } ?? false }

  /// Allows a replayed folder to be removed; without the mark it is only kept longer, so a failure does no harm.
  func markAsReplayed(_ folder: String) {
    let mark = "\(folder)/\(Self.replayedMark)"
    if let descriptor = try? openFile(mark, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o666) {
      close(descriptor)
    }
  }

  /// The original checksums of the files with rejected records, by table; nil if the manifest lacks them.
  private func checksums(in folder: String) throws(IngestError) -> [String: UInt32]? {
    let manifest = "\(folder)/\(Self.manifest)"
    let header = Array("\(ManifestEntry.mark),\(ManifestEntry.keptColumn)".utf8)
    guard try firstBytes(header.count, of: manifest) == header else { return nil }
    var sums: [String: UInt32] = [:]
    try ListReader(manifest).read(["table", ManifestEntry.keptColumn]) { row in
      sums[row.text(0)] = UInt32(row.text(1), radix: 16)
    }
    return sums
  }

  private func checksum(of path: String) throws(IngestError) -> UInt32 {
    try reporting(CRC32(of: FileReader(path: path)).value, as: { failure("read", path, $0) })
  }

  private func firstBytes(_ count: Int, of path: String) throws(IngestError) -> [UInt8] {
    let file = try reporting(FileReader(path: path), as: { failure("read", path, $0) })
    return try reporting(
      file.bytes(min(count, file.size), at: 0), as: { failure("read", path, $0) })
  }
}
