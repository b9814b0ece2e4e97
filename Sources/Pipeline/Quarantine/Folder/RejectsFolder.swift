package import SourceFiles
package import Facts
package import Threads
import Files
import Glibc
import SQLiteSwiftly
package import Schema

/// The folder of the rejected records on the disk, and the two beside it.
///
/// What belongs to the last run is at `path`. A run writes into `path.new`, and when it has read
/// everything that becomes `path`; what was there is moved to `path.previous`, since somebody may have
/// repaired records in it.
///
/// A run may be killed at any moment. What it leaves at `path.new` is unfinished if the mark is in it,
/// and of no use; without the mark it is the folder that was at `path` before.
package struct RejectsFolder: Sendable {
  static let manifest = "manifest.csv"
  /// The name of a file that is in a folder as long as a run writes it, so that what a killed run left
  /// is distinguished from what somebody else has put there.
  package static let mark = "unfinished"
  /// The name of a file that says that what was repaired in the folder was loaded.
  static let replayedMark = "replayed"

  /// Where the rejected records of the last run are.
  package let path: String
  package let newPath: String
  package let tables: [String]
  private let layouts: [SourceLayout]
  package let names: Set<String>
  /// A folder that must not go away: the one that is replayed.
  package let replayed: String?
  package var gate: Gate

  package init(
    _ path: String, sources: [SourceDescription], replaying replayed: String?, gate: Gate = Gate()
  ) {
    let path = withoutSlashes(path)
    // A link's own name cannot be given to a folder.
    self.path = followedPath(path) ?? path
    newPath = self.path + ".new"
    tables = sources.map(\.table)
    // One that cannot be read is told before anything is written.
    layouts = sources.map { (try? SourceLayout(of: $0)) ?? .usual }
    let files = tables.flatMap { table in
      [
        Self.records(of: table), Self.reasons(of: table), Self.repaired(of: table),
        Self.replaced(of: table),
      ]
    }
    names = Set(files + [Self.manifest, Self.mark, Self.replayedMark])
    self.replayed = replayed.flatMap(existingPath)
    self.gate = gate
  }

  package func layout(of table: String) -> SourceLayout {
    zip(tables, layouts).first { haveSameBytes($0.0, table) }?.1 ?? .usual
  }

  package static func records(of table: String) -> String { fileName(ofTable: table) + ".csv" }

  package static func reasons(of table: String) -> String {
    fileName(ofTable: table) + ".reasons.csv"
  }

  /// The name of the file with a table's records that were repaired for an earlier replay.
  package static func repaired(of table: String) -> String {
    fileName(ofTable: table) + ".repaired.csv"
  }

  /// The name of the file with the numbers of the records in whose place those are.
  package static func replaced(of table: String) -> String {
    fileName(ofTable: table) + ".replaced.csv"
  }

  /// Makes sure, before anything is read, that rejected records can be kept and nothing that is not
  /// ours would be moved or removed for them; and cleans up after a run that was killed.
  package func check() throws(IngestError) {
    try checkPlace()
    try recover()
  }

  /// Makes sure of the same as far as that is known without cleaning up.
  package func checkPlace() throws(IngestError) {
    guard unsafe access(parent, W_OK | X_OK) == 0 else {
      throw IngestError(
        .of(errno, otherwise: .output),
        "\(path): cannot be created: \(systemError()). \(Self.advice)")
    }
    try checkIsOurs()
    try checkLength()
  }

  /// Refuses a name to which nothing can be appended: the folder of the run before would not be moved away
  /// when the catalog is published already.
  private func checkLength() throws(IngestError) {
    let longest = split(path).name + Self.previous + "-999"
    guard longest.utf8.count > Int(NAME_MAX) else { return }
    throw IngestError(
      .output,
      "\(path): its name is too long: ingest appends up to \(Self.previous.utf8.count + 4) bytes to it. "
        + "Choose a shorter one with --rejects or --out.")
  }

  /// Refuses a folder of dumps that would be moved or emptied for rejected records.
  package func check(source: String) throws(IngestError) {
    guard let place = existingPath(source) else { return }
    let own = [path, newPath, path + Self.previous].compactMap(existingPath)
    guard own.contains(place) else { return }
    throw IngestError(
      .output,
      "\(path): rejected records would be written where the dumps are (\(source)). Choose another "
        + "folder with --rejects.")
  }

  /// Refuses a folder that has no list of dumps, unless it is empty.
  package func checkIsOurs() throws(IngestError) {
    guard try exists(path), try !entries(of: path).isEmpty, try !hasManifest(path) else { return }
    throw IngestError(
      .output,
      "\(path): was not made by ingest, and is not replaced by rejected records. \(Self.advice)")
  }

  /// Refuses a new folder with anything that a run has not written.
  package func checkNames() throws(IngestError) {
    let entries = try entries(of: newPath)
    guard !entries.isEmpty else { return }
    let isOurs = try entries.contains(Self.mark) ? true : hasManifest(newPath)
    guard let foreign = entries.first(where: { !isOurs || !names.contains($0) }) else { return }
    throw IngestError(
      .output,
      "\(newPath): rejected records would be written there, but it contains "
        + "\(foreign.quotedForMessage), which ingest did not make. \(Self.advice)")
  }

  package static let advice = "Move it away, or choose another folder with --rejects."
  package static let previous = ".previous"

  // MARK: - The file system

  private var parent: String { parentFolder(of: path) }

  package func hasManifest(_ path: String) throws(IngestError) -> Bool {
    let header = Array(ManifestEntry.mark.utf8)
    let manifest = "\(path)/\(Self.manifest)"
    let descriptor = openFile(manifest, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw failure("opened", manifest)
    }
    defer { close(descriptor) }
    do throws(FileError) {
      return try descriptor.bytes(header.count, at: 0) == header
    } catch {
      // A folder, or something else that is no list.
      if error.code == EISDIR || error.code == ESPIPE { return false }
      throw failure("read", manifest, error.code)
    }
  }

  package func entries(of path: String) throws(IngestError) -> [String] {
    do throws(FileError) {
      return try folderEntries(path).filter { $0 != "." && $0 != ".." }
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .output),
        "\(path): cannot be read: \(error.message). \(Self.advice)")
    }
  }

  package func exists(_ path: String) throws(IngestError) -> Bool {
    do throws(FileError) {
      return try status(of: path, followsLinks: false) != nil
    } catch {
      throw failure("looked at", path, error.code)
    }
  }

  /// Whether there is a folder at a path, and no link to one.
  func isFolder(_ path: String) throws(IngestError) -> Bool {
    do throws(FileError) {
      guard let status = try status(of: path, followsLinks: false) else { return false }
      return status.st_mode & S_IFMT == S_IFDIR
    } catch {
      throw failure("looked at", path, error.code)
    }
  }

  func syncParent() throws(IngestError) {
    do throws(FileError) {
      try syncFolder(parent)
    } catch {
      throw failure("synced to the disk", parent, error.code)
    }
  }

  /// What the system says of a folder, or of a file in it.
  package func failure(_ what: String, _ path: String? = nil, _ code: Int32 = errno) -> IngestError
  {
    IngestError(
      .of(code, otherwise: .output),
      "\(path ?? newPath): cannot be \(what): \(FileError(code: code).message).")
  }
}
