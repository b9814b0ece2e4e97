import SQLiteFormat
import Vocabulary
import Platform
import Glibc

/// The output before a run publishes: a database made by ingest, an empty file, or nothing.
///
/// While the value exists, no other program can begin to write to the file: its journal would be beside the new file,
/// and be rolled back into it. Readers do not wait.
///
/// A program that has the file open cannot write to it after it was replaced: `retire` marks it as read-only. SQLite
/// itself refuses such a program only if its journal is a file. With a write-ahead log nothing would refuse it, so a
/// database that uses one is not replaced.
struct OldDatabase: ~Copyable {
  /// Nil if there is no file.
  private let descriptor: Int32?

  /// Opens the file at `path`, with links followed, and locks out writers; waits up to `timeout` seconds for one.
  ///
  /// Throws if ingest did not make the file, or if its state could affect the new file.
  init(
    at path: String, applicationID: Int32, timeout: Double, patience: Patience
  ) throws(IngestError) {
    let descriptor = try openExisting(path)
    do throws(IngestError) {
      if let descriptor {
        // An empty file, as made by mktemp, has nothing to lose.
        let isEmpty =
          try mapError(fileSize(of: descriptor), as: { .failed("cannot be read:", path, $0) }) == 0
        if !isEmpty { try checkIsOurs(descriptor, at: path, applicationID: applicationID) }
        try lockOutWriters(of: descriptor, at: path, timeout, patience)
        if !isEmpty { try checkJournalMode(of: descriptor, at: path) }
      }
      // A database may have been removed without its journal.
      try checkHasNoJournal(path)
    } catch {
      if let descriptor { close(descriptor) }
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Throws if ingest did not make the file at `path`, if there is one.
  static func check(_ path: String, applicationID: Int32) throws(IngestError) {
    guard let descriptor = try openExisting(path) else { return }
    defer { close(descriptor) }
    try checkIsOurs(descriptor, at: path, applicationID: applicationID)
  }

  /// Gives the file, which is at `path`, a second name; false if there is no file.
  func link(from path: String, to name: String) throws(IngestError) -> Bool {
    guard let descriptor else { return false }
    guard unsafe Glibc.link(path, name) == 0 else {
      throw .cannotBeKept(path, as: name, FileError(code: errno))
    }
    var cause = FileError(code: ESTALE)
    do throws(FileError) {
      if try isStillThere(descriptor, at: name) { return true }
    } catch {
      cause = error
    }
    unsafe unlink(name)
    throw .cannotBeKept(path, as: name, cause)
  }

  /// Copies the owner, the group, the mode and the access control list to another file; returns a list of those that
  /// could not be copied, or nil.
  func copyAccess(to file: Int32) -> String? {
    guard let descriptor else { return nil }
    var old = stat()
    var new = stat()
    guard unsafe fstat(descriptor, &old) == 0, unsafe fstat(file, &new) == 0 else {
      return "the owner, the group, the mode and the access control list (\(systemError()))"
    }
    var lost: [String] = []
    // Before the mode, since changing the owner clears some of its bits.
    if new.st_uid != old.st_uid, fchown(file, old.st_uid, gid_t.max) != 0 {
      lost.append("the owner \(old.st_uid) (\(systemError()))")
    }
    if new.st_gid != old.st_gid, fchown(file, uid_t.max, old.st_gid) != 0 {
      lost.append("the group \(old.st_gid) (\(systemError()))")
    }
    if !copyAccessList(from: descriptor, to: file) {
      lost.append("the access control list (\(systemError()))")
    }
    if fchmod(file, old.st_mode & 0o7777) != 0 { lost.append("the mode (\(systemError()))") }
    return lost.isEmpty ? nil : lost.joined(separator: ", ")
  }

  /// Makes SQLite refuse to write to the file (`SQLITE_READONLY`) for every program that still has it open.
  ///
  /// Otherwise the changes of a program with its journal in memory would be lost silently. The file must have lost its
  /// name permanently; one with another name is not touched. It gets a write version that no SQLite supports, and a new
  /// change counter, which makes SQLite read the header again
  /// (<https://www.sqlite.org/fileformat.html#the_database_header>). Readers continue.
  ///
  /// A failure is not reported: the run may have only read access, and this is rarely needed.
  func retire() {
    var status = stat()
    guard let descriptor, unsafe fstat(descriptor, &status) == 0, status.st_nlink == 0,
      let counter = (try? descriptor.bytes(1, at: 27))?.first
    else { return }
    // The version first: a program reads it once, when it sees the new counter.
    _ = unsafe pwrite(descriptor, [UInt8.max], 1, 18)
    _ = unsafe pwrite(descriptor, [counter &+ 1], 1, 27)
  }
}

/// Opens the file, if there is one, for writing as well if permitted.
private func openExisting(_ path: String) throws(IngestError) -> Int32? {
  guard let status = try status(ofOutput: path) else { return nil }
  // Opening a pipe would wait.
  guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile(path) }
  return try mapError(openExistingFile(path), as: { .cannotBeOpened(path, $0) })
}

private func openExistingFile(_ path: String) throws(FileError) -> Int32 {
  do throws(FileError) {
    return try openFile(path, O_RDWR)
  } catch {
    // For reading, more links are followed.
    guard error.link == nil else { throw error }
    return try openFile(path, O_RDONLY)
  }
}

private func status(ofOutput path: String) throws(IngestError) -> stat? {
  try mapError(
    status(of: path), as: { .failed("cannot be checked:", path, $0, otherwise: .output) })
}

private func header(of descriptor: Int32, at path: String) throws(IngestError) -> DatabaseHeader? {
  try mapError(DatabaseHeader(ofAny: descriptor), as: { .failed("cannot be read:", path, $0) })
}

/// Refuses to replace a file that is not a database with this application ID.
private func checkIsOurs(
  _ descriptor: Int32, at path: String, applicationID: Int32
) throws(IngestError) {
  guard
    try header(of: descriptor, at: path)?.applicationID == UInt32(bitPattern: applicationID)
  else { throw .notMadeByIngest(path) }
}

/// Refuses a database with a write-ahead log
/// (<https://www.sqlite.org/fileformat.html#file_format_version_numbers>).
private func checkJournalMode(of descriptor: Int32, at path: String) throws(IngestError) {
  let versions = try header(of: descriptor, at: path)?.formatVersions
  if let versions, versions.write == 2 || versions.read == 2 { throw .writeAheadLog(path) }
}

/// Refuses an output with an unfinished transaction: the next reader would roll its journal back into the new file.
///
/// A journal that is empty or begins with a zero belongs to a finished transaction
/// (<https://www.sqlite.org/fileformat.html#the_rollback_journal>).
private func checkHasNoJournal(_ path: String) throws(IngestError) {
  for suffix in ["-journal", "-wal"] {
    guard let status = try status(ofOutput: path + suffix) else { continue }
    guard status.st_mode & S_IFMT == S_IFREG else {
      // SQLite would open it, and wait for the writer of a pipe.
      throw .journalNotRegularFile(path + suffix)
    }
    guard status.st_size > 0 else { continue }
    if suffix == "-journal", (try? FileReader(path: path + suffix).bytes(1, at: 0)) == [0] {
      continue
    }
    throw .unfinishedTransaction(path + suffix)
  }
}

// MARK: - Locks

/// The byte that SQLite locks while it writes, and that readers do not lock
/// (<https://www.sqlite.org/lockingv3.html>, `RESERVED_BYTE` of os.h).
private let reservedByte = 0x4000_0001

/// Takes the lock that a writer needs, waiting while another program holds it.
private func lockOutWriters(
  of descriptor: Int32, at path: String, _ timeout: Double, _ patience: Patience
) throws(IngestError) {
  let isLocked = try patience.wait(
    for: timeout,
    { "\(path): waiting for another program\(writer(of: descriptor)) to finish writing" }
  ) { () throws(IngestError) in
    if lockByte(reservedByte, of: descriptor) { return true }
    // An interrupted call is repeated, like one for a lock that is held.
    if [EAGAIN, EACCES, EINTR].contains(errno) { return nil }
    throw IngestError.failed("cannot be locked:", path, FileError(code: errno), otherwise: .output)
  }
  guard isLocked == nil else { return }
  throw .lockedByWriter(path, writer(of: descriptor))
}

/// The process that writes to the file, in parentheses; empty if unknown.
private func writer(of descriptor: Int32) -> String {
  ownerOfByte(reservedByte, of: descriptor).map { " (process \($0))" } ?? ""
}
