import SourceFiles
package import Facts
import Files
import Glibc
import Compression

extension Warning {
  /// A warning about fixed records that the next run did not replay.
  package static func editedRejects(keptAs folder: String) -> Warning {
    Warning(
      file: folder, code: .rejectsEdited,
      "rejected records of an earlier run were fixed but not replayed; they were moved here, and no run "
        + "removes them. Replay them with their source files, --rejects \(shellWord(folder)), or remove "
        + "the folder")
  }
}

extension RejectsFolder {
  /// Whether a folder has fixed records that were not loaded: edited or added ones, or those of an incomplete replay.
  ///
  /// A folder of an earlier version, without checksums, counts as not fixed.
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
      if names.contains(repaired),
        try hasRecords("\(folder)/\(repaired)", layout(of: table))
      {
        return true
      }
    }
    return false
  }

  /// The folders of earlier runs with fixed records that were not loaded, except unreadable ones.
  package func previousWithUnloadedRepairs() -> [String] {
    let (parent, name) = split(path)
    let siblings = (try? entries(of: parentFolder(of: path))) ?? []
    return siblings.filter { $0.hasPrefix(name + Self.previous) }.map { parent + $0 }.filter {
      (try? isFolder($0) && hasManifest($0) && hasUnloadedRepairs($0)) == true
    }
  }

  /// Whether a folder is the replayed one, however its path is written.
  func isReplayed(_ folder: String) -> Bool {
    replayed.map { existingPath(folder) == $0 } ?? false
  }

  /// Marks a replayed folder, whose records were loaded, so that it may be removed like any other.
  ///
  /// Without the mark it is only kept longer, so a failure does no harm.
  func markAsReplayed(_ folder: String) {
    let descriptor = openFile(
      "\(folder)/\(Self.replayedMark)", O_WRONLY | O_CREAT | O_NOFOLLOW, 0o666)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The original checksums of the files with rejected records, by table; nil if the manifest lacks them.
  private func checksums(in folder: String) throws(IngestError) -> [String: UInt32]? {
    let manifest = "\(folder)/\(Self.manifest)"
    let header = Array((ManifestEntry.header + "\n").utf8)
    guard try firstBytes(header.count, of: manifest) == header else { return nil }
    var sums: [String: UInt32] = [:]
    try ListReader(manifest).read(["table", ManifestEntry.keptColumn]) { row in
      sums[row.text(0)] = UInt32(row.text(1), radix: 16)
    }
    return sums
  }

  private func checksum(of path: String) throws(IngestError) -> UInt32 {
    do throws(FileError) {
      return try CRC32(of: FileReader(path: path)).value
    } catch {
      throw failure("read", path, error.code)
    }
  }

  /// Whether a file has anything after its header.
  private func hasRecords(_ path: String, _ layout: SourceLayout) throws(IngestError) -> Bool {
    // Headers are shorter.
    let bytes = try firstBytes(256 << 10, of: path)
    guard layout == .usual else { return layout.hasRecords(bytes) }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    return bytes[(end + 1)...].contains { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }

  private func firstBytes(_ count: Int, of path: String) throws(IngestError) -> [UInt8] {
    do throws(FileError) {
      let file = try FileReader(path: path)
      return try file.bytes(min(count, file.size), at: 0)
    } catch {
      throw failure("read", path, error.code)
    }
  }
}
