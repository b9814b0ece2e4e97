package import Vocabulary
package import Platform
import Glibc
import SQLiteSwiftly
package import Schema

/// The folder of rejected records on disk, and the two beside it.
///
/// A run writes to `path.new`, which becomes `path` when everything was read; the older folder is moved to
/// `path.previous`, since it may contain edited records. If a run is killed, its `path.new` is useless if it contains
/// the mark; without the mark, it is the older folder.
package struct RejectsFolder: Sendable {
  static let manifest = "manifest.csv"
  /// The name of a file in a folder being written, which distinguishes the remains of a killed run from other folders.
  package static let mark = "unfinished"
  /// The name of a file by which earlier versions marked a folder whose fixed records were loaded.
  static let replayedMark = "replayed"

  package let path: String
  package let newPath: String
  package let tables: [String]
  package let names: Set<String>
  package var gate: Gate
  /// The seconds to wait for another run that uses one of the folders.
  private let timeout: Double
  private let patience: Patience

  package init(
    _ path: String, sources: [SourceDescription], gate: Gate = Gate(), timeout: Double = 0,
    patience: Patience = Patience()
  ) {
    let path = withoutSlashes(path)
    // A folder cannot be renamed to a link.
    self.path = resolvedPath(path)
    newPath = self.path + ".new"
    tables = sources.map(\.table)
    let files = tables.flatMap { table in
      [Self.records, Self.reasons, Self.saved, Self.repaired, Self.replaced].map { $0(table) }
    }
    names = Set(files + [Self.manifest, Self.mark, Self.replayedMark])
    self.gate = gate
    self.timeout = timeout
    self.patience = patience
  }

  package static func records(of table: String) -> String { fileName(ofTable: table) + ".csv" }

  package static func reasons(of table: String) -> String {
    fileName(ofTable: table) + ".reasons.csv"
  }

  /// The name of the copy of a table's edited records that was made when they were saved as repairs.
  package static func saved(of table: String) -> String { fileName(ofTable: table) + ".saved.csv" }

  /// The name of the file with a table's fixed records that a replay of an earlier version loaded.
  package static func repaired(of table: String) -> String {
    fileName(ofTable: table) + ".repaired.csv"
  }

  /// The name of the list of the source records that those replace.
  package static func replaced(of table: String) -> String {
    fileName(ofTable: table) + ".replaced.csv"
  }

  /// Refuses to move or remove foreign files, before anything is read, and cleans up after a killed run.
  package func check() throws(IngestError) {
    try checkPlace()
    try recover()
  }

  /// The checks that need no cleanup.
  package func checkPlace() throws(IngestError) {
    _ = try mapError(writablePath(path), as: { .rejectsFailed(path, "written", $0) })
    guard unsafe access(parent, W_OK | X_OK) == 0 else {
      throw .rejectsFailed(path, "created", .last, " \(IngestError.elsewhere)")
    }
    try checkIsOurs()
    try checkOwnerOfNew()
    try checkLength()
  }

  /// Refuses a new folder that another user has made, and whose files that user could exchange.
  private func checkOwnerOfNew() throws(IngestError) {
    let status = try mapError(
      status(of: newPath, followsLinks: false), as: { failure("checked", newPath, $0) })
    guard let status, status.st_uid != geteuid() else { return }
    throw .rejectsOwnedByOther(newPath, owner: status.st_uid)
  }

  /// Refuses a name that is too long for a suffix: otherwise moving the older folder would fail after publishing.
  private func checkLength() throws(IngestError) {
    let longest = split(path).name + Self.previous + "-999"
    guard longest.utf8.count > Int(NAME_MAX) else { return }
    throw .rejectsNameTooLong(path, added: Self.previous.utf8.count + 4)
  }

  /// Refuses a source folder that would be moved or emptied.
  package func check(source: String) throws(IngestError) {
    guard let place = existingPath(source) else { return }
    let own = [path, newPath, path + Self.previous].compactMap(existingPath)
    guard own.contains(place) else { return }
    throw .rejectsInSource(path, source)
  }

  /// Refuses a folder without a manifest, unless it is empty.
  package func checkIsOurs() throws(IngestError) {
    guard try exists(path), try !entries(of: path).isEmpty, try !hasManifest(path) else { return }
    throw .rejectsFolderForeign(path)
  }

  package func checkNames() throws(IngestError) {
    try checkOwnerOfNew()
    let entries = try entries(of: newPath)
    guard !entries.isEmpty else { return }
    let isOurs = try entries.contains(Self.mark) ? true : hasManifest(newPath)
    guard let foreign = entries.first(where: { !isOurs || !names.contains($0) }) else { return }
    throw .rejectsFileForeign(newPath, foreign)
  }

  package static let previous = ".previous"

  // MARK: - The file system

  private var parent: String { parentFolder(of: path) }

  package func hasManifest(_ path: String) throws(IngestError) -> Bool {
    let header = Array(ManifestEntry.mark.utf8)
    let manifest = "\(path)/\(Self.manifest)"
    let descriptor = try mapError(
      openFile(ifExists: manifest, O_RDONLY | O_NONBLOCK),
      as: { failure("opened", manifest, $0) })
    guard let descriptor else { return false }
    defer { close(descriptor) }
    do throws(FileError) {
      return try descriptor.bytes(header.count, at: 0) == header
    } catch {
      // A folder, or another object that is not a manifest.
      if error.code == EISDIR || error.code == ESPIPE { return false }
      throw failure("read", manifest, error)
    }
  }

  package func entries(of path: String) throws(IngestError) -> [String] {
    try mapError(
      folderEntries(path),
      as: { .rejectsFailed(path, "read", $0, " \(IngestError.elsewhere)") }
    ).filter { $0 != "." && $0 != ".." }
  }

  package func exists(_ path: String) throws(IngestError) -> Bool { try type(of: path) != nil }

  /// Whether a path is a folder, and not a link to one.
  func isFolder(_ path: String) throws(IngestError) -> Bool { try type(of: path) == S_IFDIR }

  /// The type of a file, or of a link; nil if there is none.
  private func type(of path: String) throws(IngestError) -> mode_t? {
    try mapError(
      status(of: path, followsLinks: false), as: { failure("checked", path, $0) }
    ).map { $0.st_mode & S_IFMT }
  }

  /// Locks the folder of an earlier run; nil if there is none.
  func lockOlder() throws(IngestError) -> FolderLock? {
    try FolderLock.lock(path, timeout: timeout, patience)
  }

  /// Calls `lock`, which throws while another run writes to the new folder, until it succeeds or the time is up.
  func waitForNew(
    _ lock: () throws(IngestError) -> FolderLock
  ) throws(IngestError) -> FolderLock {
    let locked = try patience.wait(
      for: timeout, { "\(newPath): waiting for another run that writes rejected records there" }
    ) { () throws(IngestError) -> FolderLock? in
      do throws(IngestError) {
        return try lock()
      } catch {
        guard error.kind == .locked else { throw error }
        return nil
      }
    }
    guard let locked else { throw .rejectsLocked(newPath) }
    return locked
  }

  func syncParent() throws(IngestError) {
    try mapError(syncFolder(parent), as: { failure("synced to the disk", parent, $0) })
  }

  package func failure(
    _ step: String, _ path: String? = nil, _ error: FileError = .last
  ) -> IngestError {
    .rejectsFailed(path ?? newPath, step, error)
  }
}
