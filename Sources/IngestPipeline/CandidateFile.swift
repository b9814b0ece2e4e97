import Dispatch
import Glibc

/// The file beside the output into which a run writes, until it takes the output's place.
///
/// It is named after the output, `.NAME.ingest`, and locked as long as the run lives, so there is one
/// run per output. What a killed run left is found by its name, unlocked, and used again.
struct CandidateFile: ~Copyable {
  /// Where it is.
  let path: String
  /// Where it is to be published: the output, with symbolic links followed.
  let output: String
  private let descriptor: Int32
  private var isPublished = false

  /// Creates and locks an empty file for `output`.
  ///
  /// - Parameters:
  ///   - output: the path of the catalogue, which need not exist.
  ///   - applicationID: the number that marks a file as ours to replace.
  /// - Throws: `IngestError` if the output is not ours, if its folder cannot be written, or if
  ///   another run holds the lock.
  init(for output: String, applicationID: Int32) throws(IngestError) {
    let output = resolvedPath(output)
    try checkIsReplaceable(output, applicationID: applicationID)
    try checkHasNoJournal(output)
    let (folder, name) = split(output)
    let path = "\(folder).\(name).ingest"
    let descriptor = try openLocked(path, for: output)
    // A journal that a crash left would be played back into the new file.
    for suffix in ["-journal", "-wal", "-shm"] { unsafe unlink(path + suffix) }
    guard isEmpty(descriptor) || ftruncate(descriptor, 0) == 0 else {
      let reason = systemError()
      unsafe unlink(path)
      close(descriptor)
      throw IngestError(.inputOutput, "\(path): cannot be emptied: \(reason).")
    }
    self.path = path
    self.output = output
    self.descriptor = descriptor
  }

  deinit {
    if !isPublished { unsafe unlink(path) }
    close(descriptor)
  }

  /// Has the disk take what is written of the file, while `body` reads it.
  ///
  /// - Throws: what `body` throws, or `IngestError` if the disk did not take it.
  func sync(while body: () throws(IngestError) -> Void) throws(IngestError) {
    let result = HandOff<Int32>()
    DispatchQueue(label: "syncer").async { [descriptor] in
      _ = result.send(fsync(descriptor) == 0 ? 0 : errno)
    }
    let checked = Result(catching: body)
    // Linux tells a descriptor of an error once, so the sync before publishing may know nothing of it.
    let code = result.receive() ?? 0
    try checked.get()
    guard code == 0 else {
      let reason = unsafe String(cString: strerror(code))
      throw IngestError(.inputOutput, "\(path): cannot be synced to the disk: \(reason).")
    }
  }

  /// Puts the file, closed and verified, in the output's place: synced, renamed, the folder synced.
  ///
  /// - Returns: Its size in bytes.
  consuming func publish() throws(IngestError) -> Int {
    try checkHasNoJournal(output)
    var status = stat()
    // The new file is as open to others as the old one was.
    if unsafe stat(output, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    guard fsync(descriptor) == 0, unsafe fstat(descriptor, &status) == 0 else {
      throw IngestError(.inputOutput, "\(path): cannot be synced to the disk: \(systemError()).")
    }
    guard unsafe rename(path, output) == 0 else {
      let kind: IngestError.Kind = [EIO, ENOSPC, EDQUOT].contains(errno) ? .inputOutput : .output
      throw IngestError(kind, "\(output): cannot be replaced: \(systemError()).")
    }
    isPublished = true
    try syncFolder(of: output)
    return Int(status.st_size)
  }

  /// Keeps the file, closed and verified, beside the output, under a name that says that it was not
  /// published.
  ///
  /// - Returns: Where it is now; a file that an earlier run kept there is replaced.
  consuming func keep(applicationID: Int32) -> Result<String, IngestError> {
    let kept = output + ".refused"
    do throws(IngestError) {
      try checkIsReplaceable(kept, applicationID: applicationID)
      guard fsync(descriptor) == 0, unsafe rename(path, kept) == 0 else {
        throw IngestError(.inputOutput, "\(kept): cannot be created: \(systemError()).")
      }
      isPublished = true
      try syncFolder(of: kept)
      return .success(kept)
    } catch {
      return .failure(error)
    }
  }
}

/// Whether there is nothing in the file.
///
/// ext4 writes a file that was emptied to the disk when it is closed, even one that had been empty
/// before: 0.1 s in which the run would do nothing else.
private func isEmpty(_ descriptor: Int32) -> Bool {
  var status = stat()
  return unsafe fstat(descriptor, &status) == 0 && status.st_size == 0
}

/// Refuses to replace anything but a database that carries the application's number.
///
/// Both stand in the file's header: <https://www.sqlite.org/fileformat.html#the_database_header>.
private func checkIsReplaceable(_ path: String, applicationID: Int32) throws(IngestError) {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else {
    if errno == ENOENT { return }
    throw IngestError(.output, "\(path): cannot be looked at: \(systemError()).")
  }
  let advice = "Move it away, or choose another file for --out."
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw IngestError(.output, "\(path): is not a file. \(advice)")
  }
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw IngestError(.output, "\(path): cannot be opened: \(systemError()). \(advice)")
  }
  defer { close(descriptor) }
  var header = [UInt8](repeating: 0, count: 72)
  let count = unsafe header.withUnsafeMutableBytes { bytes in
    unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
  }
  guard count >= 0 else {
    throw IngestError(.inputOutput, "\(path): cannot be read: \(systemError()).")
  }
  let number = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
  guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)),
    number == UInt32(bitPattern: applicationID)
  else {
    throw IngestError(.output, "\(path): was not made by ingest and is not replaced. \(advice)")
  }
}

/// Refuses an output beside which a transaction is unfinished: its journal would be played back into
/// the new file by the next reader.
private func checkHasNoJournal(_ path: String) throws(IngestError) {
  for suffix in ["-journal", "-wal"] {
    var status = stat()
    guard unsafe stat(path + suffix, &status) == 0 else { continue }
    throw IngestError(
      .output,
      "\(path)\(suffix): another program is writing to the catalogue, or was killed while it did. "
        + "Let it finish, or open the catalogue once with sqlite3 so that it recovers.")
  }
}

/// Opens or creates a file and locks it, or finds out that another run has.
private func openLocked(_ path: String, for output: String) throws(IngestError) -> Int32 {
  while true {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      throw IngestError(
        .output,
        "\(output): cannot be created: \(systemError()) (\(path)). Check that the folder is there "
          + "and can be written.")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isHeld = errno == EWOULDBLOCK
      let reason = systemError()
      close(descriptor)
      throw isHeld
        ? IngestError(.locked, "\(output): another run is writing it; try again when it is done.")
        : IngestError(.output, "\(path): cannot be locked: \(reason).")
    }
    // The run that held the lock may just have published the file: then this is the catalogue.
    var own = stat()
    var there = stat()
    if unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &there) == 0,
      own.st_ino == there.st_ino, own.st_dev == there.st_dev
    {
      return descriptor
    }
    close(descriptor)
  }
}

private func syncFolder(of path: String) throws(IngestError) {
  let descriptor = unsafe open(parentFolder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  defer { close(descriptor) }
  guard descriptor >= 0, fsync(descriptor) == 0 else {
    throw IngestError(
      .inputOutput,
      "\(path): published, but its folder cannot be synced to the disk: \(systemError()).")
  }
}
