import SourceFiles
package import Facts
import Files
import Glibc
import Compression

extension Warning {
  /// What is told when somebody has repaired rejected records, and the next run was no replay.
  package static func editedRejects(keptAs folder: String) -> Warning {
    Warning(
      file: folder, code: .rejectsEdited,
      "somebody has repaired these rejected records of an earlier run, and nobody has replayed them; they "
        + "were moved here, and no run removes them. Replay them with the dumps that they come from, "
        + "--rejects \(shellWord(folder)), or remove the folder")
  }
}

extension RejectsFolder {
  /// Whether a folder has repaired records that were not loaded: edited, added beside those that were
  /// rejected, or left from a replay that another was to follow.
  ///
  /// A folder counts as not repaired if an earlier version has left it, which did not write the checksums.
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

  /// The folders of earlier runs with repaired records that were not loaded; what cannot be read is somebody else's.
  package func previousWithUnloadedRepairs() -> [String] {
    let (parent, name) = split(path)
    let siblings = (try? entries(of: parentFolder(of: path))) ?? []
    return siblings.filter { $0.hasPrefix(name + Self.previous) }.map { parent + $0 }.filter {
      (try? isFolder($0) && hasManifest($0) && hasUnloadedRepairs($0)) == true
    }
  }

  /// Whether a folder is the one that is replayed, however its path is written.
  func isReplayed(_ folder: String) -> Bool {
    replayed.map { existingPath(folder) == $0 } ?? false
  }

  /// Says in the folder that was replayed that its records were loaded; then it is of no more use than others.
  ///
  /// Without the mark it is kept for longer, so a system that does not make it does no harm.
  func markAsReplayed(_ folder: String) {
    let descriptor = openFile(
      "\(folder)/\(Self.replayedMark)", O_WRONLY | O_CREAT | O_NOFOLLOW, 0o666)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The checksums that the files with rejected records had, by their tables; nil if the folder does not say.
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

  /// Whether there is anything after the header of a file.
  private func hasRecords(_ path: String, _ layout: SourceLayout) throws(IngestError) -> Bool {
    // A header takes less than that.
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
