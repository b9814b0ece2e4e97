package import Vocabulary
package import Platform
import Glibc
import SQLiteSwiftly
import Text

/// The file that a run writes, and that then replaces the output.
///
/// It is in a folder beside the output, `.NAME.ingest`, which only this user can open: otherwise others could place a
/// write-ahead log beside it, which SQLite would apply. By that name, the file of a killed run is recognized and removed.
package struct CandidateFile: ~Copyable {
  package let path: String
  private let folder: String
  /// The path to publish to: the output, with symbolic links followed.
  package let output: String
  private let applicationID: Int32
  private let keepsPrevious: Bool
  private let timeout: Double
  private let patience: Patience
  private let lock: OutputLock
  private let gate: Gate
  package let descriptor: Int32
  private let number: Int
  private var isPublished = false

  /// The suffixes of the files that SQLite keeps beside a database.
  package static let suffixes = ["-journal", "-wal", "-shm"]

  /// The path to publish to.
  static func place(of options: IngestOptions) throws(IngestError) -> String {
    try mapError(
      writablePath(options.output.name),
      as: { .failed("cannot be written:", options.output.name, $0, otherwise: .output) })
  }

  static func keptPath(for output: String) -> String { output + ".refused" }

  static func folder(for output: String) -> String { unfinishedPath(of: output) }

  /// Its name is short, since SQLite opens no path of more than 512 bytes.
  static func path(for output: String) -> String { folder(for: output) + "/database" }

  /// Locks the output and creates an empty file in the folder beside it; throws if the output was not made by ingest, or if another
  /// run holds the lock.
  package init(
    for options: IngestOptions, applicationID: Int32, gate: Gate,
    patience: Patience = Patience()
  ) throws(IngestError) {
    let output = try Self.place(of: options)
    let timeout = options.catalogTimeout
    let lock = try OutputLock(
      of: output, timeout: options.lockTimeout, gate: gate, patience: patience)
    // Checked again on publishing, but a failure now costs nothing.
    _ = try OldDatabase(
      at: output, applicationID: applicationID, timeout: timeout, patience: patience)
    if options.keepsPrevious {
      try OldDatabase.check(previousPath(of: output), applicationID: applicationID)
    }
    let (folder, path) = (Self.folder(for: output), Self.path(for: output))
    (descriptor, number) = try gate.pass { (unfinished) throws(IngestError) in
      let isOurs = try mapError(
        makePrivateFolder(folder), as: { .cannotBeCreated(output, folder, $0) })
      guard isOurs else { throw IngestError.folderTaken(output, by: folder) }
      // SQLite would roll back the journal of a crash into the new file.
      for suffix in [""] + Self.suffixes { unsafe unlink(path + suffix) }
      do throws(IngestError) {
        try FreeSpace.check(for: output)
        let descriptor = try mapError(
          openFile(path, O_RDWR | O_CREAT | O_EXCL, 0o666),
          as: { .cannotBeCreated(output, path, $0) })
        return (descriptor, unfinished.add { remove(path, of: descriptor, in: folder) })
      } catch {
        unsafe rmdir(folder)
        throw error
      }
    }
    self.path = path
    self.folder = folder
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
      gate.pass { [path, folder, number, descriptor] unfinished in
        remove(path, of: descriptor, in: folder)
        unfinished.drop(number)
      }
    }
    close(descriptor)
  }

  /// Checks that SQLite has opened, by its name and over `connections` connections, the file of a descriptor, and not
  /// another one that somebody with write access to the folder has put there.
  static func checkIsOpened(
    _ descriptor: Int32, by connections: Int = 1
  ) throws(SQLiteError) {
    // Each file gets the lowest free number, and few are open.
    let descriptors = try mapError(
      (0..<1024).count { (other) throws(FileError) in try isSameFile(other, descriptor) },
      as: { (error: FileError) in
        SQLiteError(.inputOutput, "the file cannot be checked: \(error.message)")
      })
    guard descriptors <= connections else { return }
    throw SQLiteError(
      .cannotOpen,
      "another file was put in its place; choose a folder for --out that only you can write to"
    )
  }

  func sync<Value>(
    while body: () throws(IngestError) -> Value
  ) throws(IngestError) -> Value {
    let syncing = try startWorker("sync") { [descriptor] in syncToDisk(descriptor) ? 0 : errno }
    let checked = Result(catching: body)
    // Linux reports an error once for a descriptor, so the sync before publishing may not see it.
    let code = syncing.result()
    let value = try checked.get()
    guard code == 0 else { throw cannotBeSynced(code) }
    return value
  }

  private func cannotBeSynced(_ code: Int32) -> IngestError {
    .failed("cannot be synced to disk:", path, FileError(code: code))
  }

  /// Renames the file to its final name; if that ends the run, the gate can no longer be shut.
  private mutating func move(
    to place: String, failing action: String, endsRun: Bool
  ) throws(IngestError) {
    try gate.pass { [path, folder, number, descriptor] (unfinished) throws(IngestError) in
      try checkIsOwn(descriptor, at: path)
      guard unsafe rename(path, place) == 0 else {
        throw IngestError.failed(action, place, FileError(code: errno), otherwise: .output)
      }
      // If this fails, the next run uses the folder.
      unsafe rmdir(folder)
      unfinished.drop(number)
      if endsRun { unfinished.end() }
    }
    isPublished = true
  }

  /// Replaces the output by the closed and verified file: syncs the file, renames it and syncs the folder.
  ///
  /// - Parameters:
  ///   - size: set to the size in bytes as soon as the file is published, even if this throws afterwards.
  ///   - complete: completes the file; its parameter lists what could not be copied of the previous file's owner, group,
  ///     mode and access control list, or is nil. It returns whether the previous file is of an accepted run, and so
  ///     replaces the kept one.
  /// - Throws: `IngestError` if the previous file was kept, or if the new name may not be on disk.
  package consuming func publish(
    _ size: inout Int?, completing complete: (String?) throws(IngestError) -> Bool = { _ in true }
  ) throws(IngestError) {
    let old = try OldDatabase(
      at: output, applicationID: applicationID, timeout: timeout, patience: patience)
    let isAccepted = try complete(old.copyAccess(to: descriptor))
    var status = stat()
    guard syncToDisk(descriptor), unsafe fstat(descriptor, &status) == 0 else {
      throw cannotBeSynced(errno)
    }
    if keepsPrevious { try keepPrevious(old, isAccepted: isAccepted) }
    try move(to: output, failing: "cannot be replaced:", endsRun: true)
    size = Int(status.st_size)
    try mapError(syncFolder(parentFolder(of: output)), as: { .publishedButNotSynced(output, $0) })
    // Only when the new name is on disk: before that, a power failure could restore the previous file.
    old.retire()
  }

  /// Gives the previous database a second name, under which it is kept; the one with this name is removed, but not for
  /// one that is not accepted.
  ///
  /// A run that is killed after it leaves the same file under both names.
  private func keepPrevious(
    _ old: borrowing OldDatabase, isAccepted: Bool
  ) throws(IngestError) {
    let place = previousPath(of: output)
    if !isAccepted, (try? status(of: place)) != nil { return }
    let new = unfinishedPath(of: place)
    try gate.pass { [output] (_) throws(IngestError) in
      unsafe unlink(new)
      guard try old.link(from: output, to: new) else { return }
      guard unsafe rename(new, place) == 0 else {
        let code = errno
        unsafe unlink(new)
        throw .cannotBeKept(output, as: place, FileError(code: code))
      }
      // Renaming a file to another of its own names leaves both.
      unsafe unlink(new)
    }
  }

  /// Removes the refused database of an earlier run after a new one was published; throws if ingest made it and it
  /// cannot be removed.
  package static func removeKept(for output: String, applicationID: Int32) throws(IngestError) {
    let kept = keptPath(for: resolvedPath(output))
    // A file of another program, or one that it is writing to, is not removed.
    guard (try? status(of: kept, followsLinks: false)) != nil,
      let old = try? OldDatabase(
        at: kept, applicationID: applicationID, timeout: 0, patience: Patience())
    else { return }
    let code = unsafe unlink(kept) == 0 ? 0 : errno
    _ = consume old
    guard code == 0 || code == ENOENT else {
      throw IngestError.failed("cannot be removed:", kept, FileError(code: code))
    }
  }

  /// Keeps the closed and verified file beside the output as the refused database, replacing that of an earlier run.
  package consuming func keep() -> Result<String, IngestError> {
    let kept = Self.keptPath(for: output)
    return Result { () throws(IngestError) in
      let old = try OldDatabase(
        at: kept, applicationID: applicationID, timeout: timeout, patience: patience)
      let catalog = try OldDatabase(
        at: output, applicationID: applicationID, timeout: timeout, patience: patience)
      _ = catalog.copyAccess(to: descriptor)
      guard syncToDisk(descriptor) else { throw cannotBeSynced(errno) }
      try move(to: kept, failing: "cannot be created:", endsRun: false)
      _ = consume old
      try mapError(
        syncFolder(parentFolder(of: kept)),
        as: { .failed("its folder cannot be synced to disk:", kept, $0) })
      return kept
    }
  }
}

private func remove(_ path: String, of descriptor: Int32, in folder: String) {
  removeName(path, of: descriptor)
  unsafe rmdir(folder)
}

/// Checks that a path still names the file made by this run: only that one was verified.
private func checkIsOwn(_ descriptor: Int32, at path: String) throws(IngestError) {
  let isOwn = try mapError(
    isStillThere(descriptor, at: path), as: { .failed("cannot be checked:", path, $0) })
  guard isOwn else { throw .replacedDuringRun(path) }
}

extension CandidateFile {
  /// Checks that the file could be created and published, without changing anything; throws what a run would throw
  /// at its start.
  package static func check(
    for options: IngestOptions, applicationID: Int32, patience: Patience
  ) throws(IngestError) {
    let output = try place(of: options)
    let (folder, path) = (folder(for: output), path(for: output))
    guard unsafe access(parentFolder(of: output), W_OK | X_OK) == 0 else {
      throw IngestError.cannotBeCreated(output, folder)
    }
    try OutputLock.check(of: output, timeout: options.lockTimeout, patience: patience)
    _ = try OldDatabase(
      at: output, applicationID: applicationID, timeout: options.catalogTimeout, patience: patience)
    if options.keepsPrevious {
      try OldDatabase.check(previousPath(of: output), applicationID: applicationID)
    }
    let isOurs = try mapError(isPrivateFolder(folder), as: { .cannotBeCreated(output, folder, $0) })
    guard isOurs != false else { throw .folderTaken(output, by: folder) }
    for name in ([""] + suffixes).map({ path + $0 }) {
      let status = try mapError(
        status(of: name, followsLinks: false), as: { .nameTaken(output, by: name, $0) })
      // A run removes the files of a killed run, but not a folder.
      guard let status, status.st_mode & S_IFMT == S_IFDIR else { continue }
      throw .nameTaken(output, by: name, FileError(code: EISDIR))
    }
    try FreeSpace.check(for: output, besides: ([""] + suffixes).map { path + $0 })
  }
}
