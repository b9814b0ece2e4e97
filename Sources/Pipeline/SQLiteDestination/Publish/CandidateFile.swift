package import Facts
package import Threads
import Files
import Glibc
import SQLiteSwiftly

/// The file beside the output into which a run writes, until it takes the output's place.
///
/// It is named after the output, `.NAME.ingest`. What a killed run left is known by that name, and
/// removed.
package struct CandidateFile: ~Copyable {
  package let path: String
  /// Where it is to be published: the output, with symbolic links followed.
  package let output: String
  private let applicationID: Int32
  private let keepsPrevious: Bool
  private let timeout: Double
  private let patience: Patience
  private let lock: OutputLock
  private let gate: Gate
  /// The file, opened for reading and writing.
  package let descriptor: Int32
  private let number: Int
  private var isPublished = false

  /// What SQLite appends to the name of a database for files of its own.
  package static let suffixes = ["-journal", "-wal", "-shm"]

  /// Where a catalog is kept that is not published.
  static func keptPath(for output: String) -> String { output + ".refused" }

  /// Locks the output, unless it is not ours or another run holds the lock, and creates an empty file
  /// beside it.
  package init(
    for options: IngestOptions, applicationID: Int32, gate: Gate,
    patience: Patience = Patience()
  ) throws(IngestError) {
    let output = resolvedPath(options.output)
    let timeout = options.catalogTimeout
    let lock = try OutputLock(
      of: output, timeout: options.lockTimeout, gate: gate, patience: patience)
    // Checked again when it is published; but a failure now has cost nothing yet.
    _ = try OldCatalog(
      at: output, applicationID: applicationID, timeout: timeout, patience: patience)
    if options.keepsPrevious {
      try OldCatalog.check(previousPath(of: output), applicationID: applicationID)
    }
    let path = unfinishedPath(of: output)
    (descriptor, number) = try gate.pass { (unfinished) throws(IngestError) in
      // A journal that a crash left would be played back into the new file.
      for suffix in [""] + Self.suffixes { unsafe unlink(path + suffix) }
      try FreeSpace.check(for: output)
      let descriptor = openFile(path, O_RDWR | O_CREAT | O_EXCL, 0o666)
      guard descriptor >= 0 else { throw OutputLock.cannotBeCreated(output, path) }
      return (descriptor, unfinished.add { removeName(path, of: descriptor) })
    }
    self.path = path
    self.output = output
    self.applicationID = applicationID
    keepsPrevious = options.keepsPrevious
    self.timeout = timeout
    self.patience = patience
    self.lock = lock
    self.gate = gate
  }

  deinit {
    if !isPublished {
      gate.pass { [path, number, descriptor] unfinished in
        removeName(path, of: descriptor)
        unfinished.drop(number)
      }
    }
    close(descriptor)
  }

  /// Makes sure that what SQLite has opened by its name, as often as `connections` says, is the file of a
  /// descriptor and no other, into which somebody who may write to the folder has led that name.
  static func checkIsOpened(
    _ descriptor: Int32, by connections: Int = 1
  ) throws(SQLiteError) {
    // The lowest free number is taken for each file, and no more are open than a few.
    let descriptors: Int
    do throws(FileError) {
      descriptors = try (0..<1024).count { (other) throws(FileError) in
        try isSameFile(other, descriptor)
      }
    } catch {
      throw SQLiteError(.inputOutput, "the file cannot be looked at: \(error.message)")
    }
    guard descriptors <= connections else { return }
    throw SQLiteError(
      .cannotOpen,
      "somebody has put another file there; choose a folder for --out that nobody else may write to"
    )
  }

  /// Syncs the file to the disk while `body` reads it.
  func sync<Value>(
    while body: () throws(IngestError) -> Value
  ) throws(IngestError) -> Value {
    let syncing = try startWorker("sync") { [descriptor] in syncToDisk(descriptor) ? 0 : errno }
    let checked = Result(catching: body)
    // Linux tells a descriptor of an error once, so the sync before publishing may know nothing of it.
    let code = syncing.result()
    let value = try checked.get()
    guard code == 0 else { throw cannotBeSynced(code) }
    return value
  }

  private func cannotBeSynced(_ code: Int32) -> IngestError {
    IngestError(
      .inputOutput, "\(path): cannot be synced to the disk: \(FileError(code: code).message).")
  }

  /// Gives the file the name under which it stays; when that ends the run, it is too late to shut the gate.
  private mutating func move(
    to place: String, failing failure: String, endsRun: Bool
  ) throws(IngestError) {
    try gate.pass { [path, number, descriptor] (unfinished) throws(IngestError) in
      try checkIsOwn(descriptor, at: path)
      guard unsafe rename(path, place) == 0 else {
        throw IngestError(
          .of(errno, otherwise: .output), "\(place): \(failure) \(systemError()).")
      }
      unfinished.drop(number)
      if endsRun { unfinished.end() }
    }
    isPublished = true
  }

  /// Puts the closed and verified file in the output's place: syncs it, renames it, syncs the folder.
  ///
  /// - Parameters:
  ///   - size: is given its size in bytes when it is in its place; only then is it there if this throws.
  ///   - complete: writes the last into it, given words that say what of the old file's owner, mode and
  ///     access control list it could not be given; nil if it was given all.
  /// - Throws: `IngestError` if the old file stays, or if the disk may not have the new name yet.
  package consuming func publish(
    _ size: inout Int?, completing complete: (String?) throws(IngestError) -> Void = { _ in }
  ) throws(IngestError) {
    let old = try OldCatalog(
      at: output, applicationID: applicationID, timeout: timeout, patience: patience)
    try complete(old.passAccess(to: descriptor))
    var status = stat()
    guard syncToDisk(descriptor), unsafe fstat(descriptor, &status) == 0 else {
      throw cannotBeSynced(errno)
    }
    if keepsPrevious { try keep(old) }
    try move(to: output, failing: "cannot be replaced:", endsRun: true)
    size = Int(status.st_size)
    do throws(FileError) {
      try syncFolder(parentFolder(of: output))
    } catch {
      throw IngestError(
        .inputOutput, undone: "its folder cannot be synced to the disk",
        "\(output): published, but its folder cannot be synced to the disk: \(error.message). If the "
          + "machine stops now, the old catalog may be back. Check the disk, and run again.")
    }
    // Not before the disk has the new name: until then a power failure could bring the old file back.
    old.retire()
  }

  /// Gives the previous database a second name, under which it stays; the one that had this name is removed.
  ///
  /// A run that is killed after it leaves the same file under both names.
  private func keep(_ old: borrowing OldCatalog) throws(IngestError) {
    let place = previousPath(of: output)
    let new = unfinishedPath(of: place)
    try gate.pass { [output] (_) throws(IngestError) in
      unsafe unlink(new)
      guard try old.link(from: output, to: new) else { return }
      // Renaming a file to another name of its own does nothing, and leaves both names.
      guard unsafe rename(new, place) == 0 else {
        let code = errno
        unsafe unlink(new)
        throw Self.cannotBeKept(output, place, code)
      }
      unsafe unlink(new)
    }
  }

  static func cannotBeKept(_ output: String, _ place: String, _ code: Int32) -> IngestError {
    IngestError(
      .of(code, otherwise: .output),
      "\(output): cannot be kept as \(place): \(FileError(code: code).message). Nothing was published. Check the folder, or run "
        + "without --keep-previous.")
  }

  /// Removes what an earlier run has kept beside the output, when a new catalog is in its place; throws
  /// if it is ours and stays.
  package static func removeKept(for output: String, applicationID: Int32) throws(IngestError) {
    let kept = keptPath(for: resolvedPath(output))
    // What somebody else has put there, or is writing to, is not ours to remove.
    guard (try? status(of: kept, followsLinks: false)) != nil,
      let old = try? OldCatalog(
        at: kept, applicationID: applicationID, timeout: 0, patience: Patience())
    else { return }
    let code = unsafe unlink(kept) == 0 ? 0 : errno
    _ = consume old
    guard code == 0 || code == ENOENT else {
      throw IngestError(
        .inputOutput, "\(kept): cannot be removed: \(FileError(code: code).message).")
    }
  }

  /// Keeps the closed and verified file beside the output, under a name that says that it was not
  /// published; a file that an earlier run kept there is replaced.
  package consuming func keep() -> Result<String, IngestError> {
    let kept = Self.keptPath(for: output)
    do throws(IngestError) {
      let old = try OldCatalog(
        at: kept, applicationID: applicationID, timeout: timeout, patience: patience)
      let catalog = try OldCatalog(
        at: output, applicationID: applicationID, timeout: timeout, patience: patience)
      _ = catalog.passAccess(to: descriptor)
      guard syncToDisk(descriptor) else { throw cannotBeSynced(errno) }
      try move(to: kept, failing: "cannot be created:", endsRun: false)
      _ = consume old
      do throws(FileError) {
        try syncFolder(parentFolder(of: kept))
      } catch {
        throw IngestError(
          .inputOutput, "\(kept): its folder cannot be synced to the disk: \(error.message).")
      }
      return .success(kept)
    } catch {
      return .failure(error)
    }
  }
}

/// Makes sure that a name is still that of the file that the run has made: only that one was verified.
private func checkIsOwn(_ descriptor: Int32, at path: String) throws(IngestError) {
  do throws(FileError) {
    if try isStillThere(descriptor, at: path) { return }
  } catch {
    throw IngestError(.inputOutput, "\(path): cannot be looked at: \(error.message).")
  }
  throw IngestError(
    .inputOutput,
    "\(path): is not the file any more that this run has written: somebody has removed or replaced it. "
      + "Nothing was published; run again, and leave this file and its lock alone meanwhile.")
}
