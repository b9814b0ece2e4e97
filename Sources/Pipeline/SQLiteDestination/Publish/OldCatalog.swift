import SQLiteFormat
import Facts
import Files
import Glibc

/// What is at the output before a run publishes: a catalog of ours, an empty file, or nothing.
///
/// As long as the value lives nobody can begin to write to the file: a writer's journal would be
/// made beside the new file, and be played back into it. Readers do not wait.
///
/// A program that has opened the file and would write to it after it was replaced is refused: the file is
/// marked as read-only when it is out of reach, see `retire`. SQLite itself refuses such a program only if
/// its journal is a file. With a write-ahead log nothing would; so a file that is set to one is not replaced.
struct OldCatalog: ~Copyable {
  /// Nil if there is nothing.
  private let descriptor: Int32?

  /// Opens what is at `path`, links followed, and keeps writers out of it, for the end of which it waits `timeout`
  /// seconds.
  ///
  /// Throws if it is not ours to replace, or in a state that could be handed on to the new file.
  init(
    at path: String, applicationID: Int32, timeout: Double, patience: Patience
  ) throws(IngestError) {
    let descriptor = try openExisting(path)
    do throws(IngestError) {
      if let descriptor {
        // An empty file, as mktemp makes one, has nothing that could be lost.
        let isEmpty = try read(path) { () throws(FileError) in try fileSize(of: descriptor) == 0 }
        if !isEmpty { try checkIsOurs(descriptor, at: path, applicationID: applicationID) }
        try lockOutWriters(of: descriptor, at: path, timeout, patience)
        if !isEmpty { try checkJournalMode(of: descriptor, at: path) }
      }
      // A database may have been removed, and its journal not.
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

  /// Throws if there is something at `path` that is not ours to replace.
  static func check(_ path: String, applicationID: Int32) throws(IngestError) {
    guard let descriptor = try openExisting(path) else { return }
    defer { close(descriptor) }
    try checkIsOurs(descriptor, at: path, applicationID: applicationID)
  }

  /// Gives the file, which is at `path`, a second name; false if there is no file.
  func link(from path: String, to name: String) throws(IngestError) -> Bool {
    guard let descriptor else { return false }
    guard unsafe Glibc.link(path, name) == 0 else {
      throw CandidateFile.cannotBeKept(path, name, errno)
    }
    guard (try? isStillThere(descriptor, at: name)) == true else {
      unsafe unlink(name)
      throw CandidateFile.cannotBeKept(path, name, ESTALE)
    }
    return true
  }

  /// Gives a file the owner, the group, the mode and the access control list of this one; returns, in
  /// words, what could not be kept.
  func passAccess(to file: Int32) -> String? {
    guard let descriptor else { return nil }
    var old = stat()
    var new = stat()
    guard unsafe fstat(descriptor, &old) == 0, unsafe fstat(file, &new) == 0 else {
      return "the owner, the group, the mode and the access control list (\(systemError()))"
    }
    var lost: [String] = []
    // Before the mode, since a change of the owner takes some of its bits away.
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

  /// Makes SQLite refuse to write to the file (`SQLITE_READONLY`) for all who still have it open.
  ///
  /// Otherwise what a program writes that keeps its journal in memory would be lost silently. The file
  /// must have lost its name permanently; one with another name is left alone. It is given a write
  /// version that no SQLite can write, and a new change counter, so that its header is read again
  /// (<https://www.sqlite.org/fileformat.html#the_database_header>). Readers go on.
  ///
  /// If it cannot be done, since the run may only read the file, nothing is reported: it is rarely
  /// needed.
  func retire() {
    var status = stat()
    guard let descriptor, unsafe fstat(descriptor, &status) == 0, status.st_nlink == 0,
      let counter = (try? descriptor.bytes(1, at: 27))?.first
    else { return }
    // The version first: a program that sees the new counter reads it then, and not again.
    _ = unsafe pwrite(descriptor, [UInt8.max], 1, 18)
    _ = unsafe pwrite(descriptor, [counter &+ 1], 1, 27)
  }
}

/// Opens the file, if there is one; for writing, too, if that may be.
private func openExisting(_ path: String) throws(IngestError) -> Int32? {
  let advice = "Move it away, or choose another file for --out."
  guard let status = try lookedAt(path) else { return nil }
  // A pipe would make the opening wait.
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw IngestError(.output, "\(path): is not a file. \(advice)")
  }
  var descriptor = openFile(path, O_RDWR)
  if descriptor < 0 { descriptor = openFile(path, O_RDONLY) }
  guard descriptor >= 0 else {
    throw IngestError(
      .of(errno, otherwise: .output), "\(path): cannot be opened: \(systemError()). \(advice)")
  }
  return descriptor
}

/// What there is at a path; nil if there is nothing.
private func lookedAt(_ path: String) throws(IngestError) -> stat? {
  do throws(FileError) {
    return try status(of: path)
  } catch {
    throw IngestError(
      .of(error.code, otherwise: .output), "\(path): cannot be looked at: \(error.message).")
  }
}

private func read<Result>(
  _ path: String, _ body: () throws(FileError) -> Result
) throws(IngestError) -> Result {
  do throws(FileError) {
    return try body()
  } catch {
    throw IngestError(.inputOutput, "\(path): cannot be read: \(error.message).")
  }
}

/// Refuses to replace anything but a database that carries the application's number.
private func checkIsOurs(
  _ descriptor: Int32, at path: String, applicationID: Int32
) throws(IngestError) {
  let header = try read(path) { () throws(FileError) in try DatabaseHeader(ofAny: descriptor) }
  guard header?.applicationID == UInt32(bitPattern: applicationID) else {
    throw IngestError(
      .output,
      "\(path): was not made by ingest and is not replaced. Move it away, or choose another file "
        + "for --out.")
  }
}

/// Refuses a database whose changes go to a write-ahead log
/// (<https://www.sqlite.org/fileformat.html#file_format_version_numbers>).
private func checkJournalMode(of descriptor: Int32, at path: String) throws(IngestError) {
  let header = try read(path) { () throws(FileError) in try DatabaseHeader(ofAny: descriptor) }
  guard let versions = header?.formatVersions, versions.write == 2 || versions.read == 2 else {
    return
  }
  throw IngestError(
    .output,
    "\(path): somebody has set the catalog to a write-ahead log, and whoever has it open could "
      + "leave one that is then taken for the new file's. Nothing was published. Set it back with: "
      + "sqlite3 \(path) 'PRAGMA journal_mode = DELETE'")
}

/// Refuses an output beside which a transaction is unfinished: its journal would be played back into
/// the new file by the next reader.
///
/// A journal that begins with a zero, or has nothing in it, belongs to a transaction that is finished
/// (<https://www.sqlite.org/fileformat.html#the_rollback_journal>).
private func checkHasNoJournal(_ path: String) throws(IngestError) {
  for suffix in ["-journal", "-wal"] {
    guard let status = try lookedAt(path + suffix) else { continue }
    guard status.st_mode & S_IFMT == S_IFREG else {
      // SQLite would open it, and wait for whoever writes to a pipe.
      throw IngestError(
        .output,
        "\(path)\(suffix): is not a file, and readers of the catalog would open it. Remove "
          + "it.")
    }
    guard status.st_size > 0 else { continue }
    if suffix == "-journal", firstByte(of: path + suffix) == 0 { continue }
    throw IngestError(
      .output,
      "\(path)\(suffix): another program is writing to the catalog, or was killed while it did. "
        + "Let it finish, or open the catalog once with sqlite3 so that it recovers.")
  }
}

private func firstByte(of path: String) -> UInt8? {
  let descriptor = openFile(path, O_RDONLY | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  return try? descriptor.bytes(1, at: 0).first
}

// MARK: - Locks

/// The byte that SQLite locks as long as it writes, and that readers leave alone
/// (<https://www.sqlite.org/lockingv3.html>, `RESERVED_BYTE` of os.h).
private let reservedByte = 0x4000_0001

/// Takes a lock that a writer would need, and waits while another holds it.
private func lockOutWriters(
  of descriptor: Int32, at path: String, _ timeout: Double, _ patience: Patience
) throws(IngestError) {
  let isLocked = try patience.wait(
    for: timeout,
    { "\(path): waiting for another program\(writer(of: descriptor)) that is writing to it" }
  ) { () throws(IngestError) in
    if lockByte(reservedByte, of: descriptor) { return true }
    // An interrupted call is made again, as one for a lock that is held is.
    if [EAGAIN, EACCES, EINTR].contains(errno) { return nil }
    throw IngestError(
      .of(errno, otherwise: .output), "\(path): cannot be locked: \(systemError()).")
  }
  guard isLocked == nil else { return }
  throw IngestError(
    .locked,
    "\(path): another program\(writer(of: descriptor)) is writing to the catalog. Nothing was "
      + "published; try again when it is done, or wait for it with --wait SECONDS.")
}

/// The process that writes to the file, in brackets, as far as the system tells.
private func writer(of descriptor: Int32) -> String {
  ownerOfByte(reservedByte, of: descriptor).map { " (process \($0))" } ?? ""
}
