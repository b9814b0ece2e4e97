package import Vocabulary
package import Platform
import Glibc
import Text
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
  let timeout: Double
  let patience: Patience

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

  static func records(of table: String) -> String { fileName(ofTable: table) + ".csv" }
  static func reasons(of table: String) -> String { fileName(ofTable: table) + ".reasons.csv" }
  /// The name of the copy of a table's edited records that was made when they were saved as repairs.
  static func saved(of table: String) -> String { fileName(ofTable: table) + ".saved.csv" }
  /// The name of the file with a table's fixed records that a replay of an earlier version loaded.
  static func repaired(of table: String) -> String { fileName(ofTable: table) + ".repaired.csv" }
  /// The name of the list of the source records that those replace.
  static func replaced(of table: String) -> String { fileName(ofTable: table) + ".replaced.csv" }

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
    throw IngestError(
      .output,
      "\(newPath): rejected records would be written here, but it belongs to another user (\(status.st_uid)). "
        + IngestError.elsewhere)
  }

  /// Refuses a name that is too long for a suffix: otherwise moving the older folder would fail after publishing.
  private func checkLength() throws(IngestError) {
    let longest = split(path).name + Self.previous + "-999"
    guard longest.utf8.count > Int(NAME_MAX) else { return }
    throw IngestError(
      .output,
      "\(path): the name is too long: ingest appends up to \(Self.previous.utf8.count + 4) bytes. Choose a "
        + "shorter one with --rejects or --out.")
  }

  /// Refuses a source folder that would be moved or emptied.
  package func check(source: String) throws(IngestError) {
    guard let place = existingPath(source) else { return }
    let own = [path, newPath, path + Self.previous].compactMap(existingPath)
    guard own.contains(place) else { return }
    throw IngestError(
      .output,
      "\(path): rejected records would be written into the source folder (\(source)). Choose another "
        + "folder with --rejects.")
  }

  /// Refuses a folder without a manifest, unless it is empty.
  package func checkIsOurs() throws(IngestError) {
    guard try exists(path), try !entries(of: path).isEmpty, try !hasManifest(path) else { return }
    throw IngestError(
      .output,
      "\(path): not a rejects folder made by ingest, so it is not replaced. \(IngestError.elsewhere)"
    )
  }

  package func checkNames() throws(IngestError) {
    try checkOwnerOfNew()
    let entries = try entries(of: newPath)
    guard !entries.isEmpty else { return }
    let isOurs = try entries.contains(Self.mark) ? true : hasManifest(newPath)
    guard let foreign = entries.first(where: { !isOurs || !names.contains($0) }) else { return }
    throw IngestError(
      .output,
      "\(newPath): rejected records would be written here, but it contains \(foreign.quotedForMessage), which "
        + "ingest did not make. \(IngestError.elsewhere)")
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

  func syncParent() throws(IngestError) {
    try mapError(syncFolder(parent), as: { failure("synced to the disk", parent, $0) })
  }

  package func failure(
    _ step: String, _ path: String? = nil, _ error: FileError = .last
  ) -> IngestError {
    .rejectsFailed(path ?? newPath, step, error)
  }
}

/// A lock on a folder of rejected records, for runs that move or read it; the system releases it if a run is killed.
final class FolderLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// The seconds to wait for another run, which needs almost no time to move a folder.
  private static let timeout = 5.0

  /// Locks a folder; nil if it does not exist, and an error if another run still holds the lock after the timeout.
  ///
  /// Only the wait for a longer one, as for a repair, is reported.
  static func lock(
    _ path: String, timeout: Double = 0, _ patience: Patience = Patience()
  ) throws(IngestError) -> FolderLock? {
    func attempt() throws(IngestError) -> FolderLock?? {
      let opened: FolderLock?
      do throws(FileError) {
        opened = try FolderLock(at: path)
      } catch {
        guard [ENOTDIR, ELOOP].contains(error.code) else {
          throw IngestError.rejectsFailed(path, "locked", error)
        }
        return .some(nil)
      }
      guard let lock = opened else { return .some(nil) }
      return try lock.acquire() == true ? .some(lock) : nil
    }
    var lock = try poll(for: Self.timeout, attempt)
    if lock == nil, timeout > Self.timeout {
      lock = try patience.wait(
        for: timeout - Self.timeout, { "\(path): waiting for another run that uses it" },
        until: attempt)
    }
    guard let lock else { throw .rejectsLocked(path) }
    return lock
  }

  /// Opens a folder; nil if there is none.
  init?(at path: String) throws(FileError) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK
    guard let descriptor = try openFile(ifExists: path, flags) else { return nil }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns whether the folder is still at its path, since another run may have replaced it; nil if another run holds
  /// the lock.
  func acquire() throws(IngestError) -> Bool? {
    try mapError(
      lockFile(descriptor) ? isStillThere(descriptor, at: path) : nil,
      as: { .rejectsFailed(path, "locked", $0) })
  }

  func sync() -> Bool { syncToDisk(descriptor) }
}
