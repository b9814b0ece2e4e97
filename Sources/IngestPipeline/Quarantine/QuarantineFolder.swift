import Glibc
import Gzip
import SQLiteSwiftly

/// The folder of the rejected records on the disk, and the two beside it.
///
/// What belongs to the last run is at `path`. A run writes into `path.new`, and when it has read
/// everything that becomes `path`; what was there is moved to `path.previous`, since somebody may have
/// repaired records in it.
struct QuarantineFolder: Sendable {
  /// The name of the list of the dumps that a run has read.
  static let manifest = "manifest.csv"
  /// The name of a file that is in a folder as long as a run writes it, so that what a killed run left
  /// is told from what somebody else has put there.
  private static let mark = "unfinished"

  /// Where the rejected records of the last run are.
  let path: String
  /// Where they are written.
  let newPath: String
  /// The names that our files can have.
  private let names: Set<String>
  /// A folder that must not go away: the one that is replayed.
  private let replayed: String?

  /// Describes a folder, which need not exist.
  init(_ path: String, tables: [TableDescription], replaying replayed: String?) {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    // A link's own name cannot be given to a folder.
    self.path = existingPath(path) ?? path
    newPath = self.path + ".new"
    let files = tables.map(\.name).flatMap { table in
      [
        Self.records(of: table), Self.reasons(of: table), Self.repaired(of: table),
        Self.replaced(of: table),
      ]
    }
    names = Set(files + [Self.manifest, Self.mark])
    self.replayed = replayed.flatMap(existingPath)
  }

  /// The name of the file with a table's rejected records.
  static func records(of table: String) -> String { "\(table).csv" }

  /// The name of the file with the reasons for them.
  static func reasons(of table: String) -> String { "\(table).reasons.csv" }

  /// The name of the file with a table's records that were repaired for an earlier replay.
  static func repaired(of table: String) -> String { "\(table).repaired.csv" }

  /// The name of the file with the numbers of the records in whose place those are.
  static func replaced(of table: String) -> String { "\(table).replaced.csv" }

  /// Makes sure, before anything is read, that rejected records can be kept and nothing of anybody else
  /// would be moved or removed for them.
  func check() throws(IngestError) {
    guard unsafe access(parent, W_OK | X_OK) == 0 else {
      throw IngestError(.output, "\(path): cannot be created: \(systemError()). \(Self.advice)")
    }
    try checkIsOurs()
    guard exists(newPath) else { return }
    try checkNames(in: newPath)
  }

  /// Refuses a folder of dumps that would be moved or emptied for rejected records.
  func check(source: String) throws(IngestError) {
    guard let source = existingPath(source) else { return }
    let own = [path, newPath, path + Self.previous].compactMap(existingPath)
    guard own.contains(source) else { return }
    throw IngestError(
      .output,
      "\(path): rejected records would be written where the dumps are (\(source)). Choose another "
        + "folder with --rejects.")
  }

  /// Refuses a folder that has no list of dumps, unless it is empty.
  private func checkIsOurs() throws(IngestError) {
    guard exists(path) else { return }
    guard try !entries(of: path).isEmpty, !hasManifest(path) else { return }
    throw IngestError(
      .output,
      "\(path): was not made by ingest, and is not replaced by rejected records. \(Self.advice)")
  }

  private func checkNames(in path: String) throws(IngestError) {
    let entries = try entries(of: path)
    let isOurs = entries.contains(Self.mark)
    guard let foreign = entries.first(where: { !isOurs || !names.contains($0) }) else { return }
    throw IngestError(
      .output,
      "\(path): rejected records would be written there, but it contains "
        + "\(foreign.quotedForMessage), which ingest did not make. \(Self.advice)")
  }

  private static let advice = "Move it away, or choose another folder with --rejects."

  // MARK: - The new folder

  /// Makes the folder that is written, or empties what a killed run left of it.
  ///
  /// - Returns: A descriptor of it that holds its lock, which the caller closes in the end.
  func makeNew() throws(IngestError) -> Int32 {
    while true {
      guard unsafe mkdir(newPath, 0o777) == 0 || errno == EEXIST else { throw failure("created") }
      let descriptor = unsafe open(newPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure("opened") }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw IngestError(
          .locked, "\(newPath): another run is writing its rejected records there; try again later."
        )
      }
      // The run that held the lock may just have given the folder its other name.
      var own = stat()
      var there = stat()
      if unsafe fstat(descriptor, &own) == 0, unsafe lstat(newPath, &there) == 0,
        own.st_ino == there.st_ino, own.st_dev == there.st_dev
      {
        try checkNames(in: newPath)
        try removeOurs(in: newPath)
        var mark = try FileWriter(creating: "\(newPath)/\(Self.mark)")
        try mark.flush()
        return descriptor
      }
      close(descriptor)
    }
  }

  /// Removes the new folder.
  func removeNew() {
    try? removeOurs(in: newPath)
    unsafe rmdir(newPath)
  }

  /// Gives the new folder, complete and synced, its name.
  func publish() throws(IngestError) {
    try moveAway()
    guard unsafe unlink("\(newPath)/\(Self.mark)") == 0 else { throw failure("finished") }
    guard unsafe rename(newPath, path) == 0 else { throw failure("renamed") }
    try syncParent()
  }

  private static let previous = ".previous"

  /// Moves what is there from an earlier run away, so that what is there belongs to the last one.
  func retire() throws(IngestError) {
    guard exists(path), try !entries(of: path).isEmpty else { return }
    try moveAway()
    try syncParent()
  }

  /// Moves the folder of an earlier run to the first name that is free or holds no more than our files.
  private func moveAway() throws(IngestError) {
    guard exists(path), try !entries(of: path).isEmpty else { return }
    try checkIsOurs()
    var number = 1
    while true {
      let previous = path + Self.previous + (number > 1 ? "-\(number)" : "")
      number += 1
      if exists(previous) {
        guard try isReplaceable(previous) else { continue }
        try removeOurs(in: previous)
        guard unsafe rmdir(previous) == 0 else { throw failure("removed", previous) }
      }
      guard unsafe rename(path, previous) == 0 else { throw failure("renamed", path) }
      return
    }
  }

  /// Whether nothing but our files is lost with a folder.
  private func isReplaceable(_ path: String) throws(IngestError) -> Bool {
    guard isFolder(path), existingPath(path) != replayed else { return false }
    let entries = try entries(of: path)
    return entries.isEmpty || hasManifest(path) && entries.allSatisfy(names.contains)
  }

  private func removeOurs(in path: String) throws(IngestError) {
    // The mark goes last, so that what is left of a killed run is still known for it.
    let ours = try entries(of: path).filter(names.contains).sorted { $1 == Self.mark && $0 != $1 }
    for name in ours {
      guard unsafe unlink("\(path)/\(name)") == 0 else {
        throw failure("removed", "\(path)/\(name)")
      }
    }
  }

  // MARK: - The file system

  private var parent: String { parentFolder(of: path) }

  private func hasManifest(_ path: String) -> Bool {
    let descriptor = unsafe open("\(path)/\(Self.manifest)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let header = Array((ManifestEntry.header + "\n").utf8)
    var bytes = [UInt8](repeating: 0, count: header.count)
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return count == header.count && bytes == header
  }

  private func entries(of path: String) throws(IngestError) -> [String] {
    do throws(FileError) {
      return try folderEntries(path).filter { $0 != "." && $0 != ".." }
    } catch {
      throw IngestError(.output, "\(path): cannot be read: \(error.message). \(Self.advice)")
    }
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func syncParent() throws(IngestError) {
    let descriptor = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw failure("synced to the disk", parent)
    }
  }

  private func failure(_ what: String, _ path: String? = nil) -> IngestError {
    IngestError(.inputOutput, "\(path ?? newPath): cannot be \(what): \(systemError()).")
  }
}
