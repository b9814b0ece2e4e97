package import Facts
import Threads
import Files
import Glibc

extension RejectsFolder {
  /// Makes and locks the folder that is written, or empties what a killed run left of it.
  func makeNew() throws(IngestError) -> FolderLock {
    try gate.pass { (unfinished) throws(IngestError) in
      while true {
        guard unsafe mkdir(newPath, 0o777) == 0 || errno == EEXIST else { throw failure("created") }
        do throws(IngestError) {
          guard let lock = try lockNew() else { continue }
          try checkNames()
          try removeOurs(in: newPath)
          var mark = try FileWriter(creating: "\(newPath)/\(Self.mark)")
          try mark.flush()
          var folder = self
          // The gate would hold on to itself.
          folder.gate = Gate()
          _ = unfinished.add(folder.removeNew)
          return lock
        } catch {
          // It is empty if it was made just now; what else is in it is for the next run to find.
          if error.kind != .locked { unsafe rmdir(newPath) }
          throw error
        }
      }
    }
  }

  func makeFile(_ name: String) throws(IngestError) -> FileWriter {
    try gate.pass { (_) throws(IngestError) in
      try FileWriter(creating: "\(newPath)/\(name)")
    }
  }

  package func removeFile(_ name: String) throws(IngestError) {
    try gate.pass { (_) throws(IngestError) in
      guard unsafe unlink("\(newPath)/\(name)") == 0 else {
        throw failure("removed", "\(newPath)/\(name)")
      }
    }
  }

  /// Opens the new folder and locks it; nil if there is another one in its place by then.
  private func lockNew() throws(IngestError) -> FolderLock? {
    let descriptor = openFile(newPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("opened")
    }
    let lock = FolderLock(newPath, descriptor)
    let isThere: Bool?
    do throws(FileError) {
      isThere = try lock.take(.exclusive)
    } catch {
      throw failure("locked", newPath, error.code)
    }
    guard let isThere else {
      throw IngestError(
        .locked, "\(newPath): another run is writing its rejected records there; try again later.")
    }
    return isThere ? lock : nil
  }

  /// Cleans up after a run that was killed; what belongs to a run that goes on stays.
  func recover() throws(IngestError) {
    try gate.pass { (_) throws(IngestError) in
      guard try exists(newPath) else {
        unsafe unlink("\(path)/\(Self.mark)")
        return
      }
      try checkNames()
      do throws(IngestError) {
        guard let lock = try lockNew() else { return }
        defer { withExtendedLifetime(lock) {} }
        if try !isIncomplete { try putBack() }
        removeNew()
      } catch {
        guard error.kind == .locked else { throw error }
      }
    }
  }

  /// Puts back an older folder that a killed run was about to move away.
  private func putBack() throws(IngestError) {
    if try !exists(path) {
      try rename(newPath, to: path)
    } else if try exists("\(path)/\(Self.mark)") {
      guard exchangeNames(newPath, path) else { throw failure("renamed") }
    } else {
      try moveToPrevious(newPath)
    }
  }

  /// Whether the new folder is one that a run has not completed.
  private var isIncomplete: Bool {
    get throws(IngestError) {
      let entries = try entries(of: newPath)
      return entries.isEmpty || entries.contains(Self.mark)
    }
  }

  /// Removes the new folder, unless it is an older one that has changed places with it.
  func removeNew() {
    guard (try? isIncomplete) == true else { return }
    try? removeOurs(in: newPath)
    unsafe rmdir(newPath)
  }

  /// Gives the new folder, complete and synced, its name.
  ///
  /// What is there from an earlier run changes places with it, so that there is one or the other at any
  /// moment, and is then moved away. If it is the same, byte for byte, it stays: a run that is repeated
  /// must not push out what somebody has repaired before.
  ///
  /// - Returns: Where an earlier folder is now in which somebody has repaired what was not replayed.
  package func publish() throws(IngestError) -> String? {
    try checkIsOurs()
    // While it is at the new folder's name, another run would take it for what a killed one has left.
    let older = try FolderLock.lock(path, .exclusive)
    defer { withExtendedLifetime(older) {} }
    let hasOlder = try exists(path) ? !entries(of: path).isEmpty : false
    if hasOlder, try isSameAsNew() {
      gate.pass { _ in removeNew() }
      return nil
    }
    let hasRepairs = hasOlder ? try hasUnloadedRepairs(path) : false
    let isReplayed = isReplayed(path)
    let edited = try gate.pass { (_) throws(IngestError) in
      var previous: String?
      if hasOlder { previous = try exchange() } else { try rename(newPath, to: path) }
      // After the renaming: without it the next run would take the folder for an older one.
      guard unsafe unlink("\(path)/\(Self.mark)") == 0 || errno == ENOENT else {
        let failure = failure("finished", path)
        takeBack(previous)
        throw failure
      }
      if isReplayed, let previous { markAsReplayed(previous) }
      return hasRepairs ? previous : nil
    }
    try syncParent()
    return edited
  }

  /// Gives the new folder and the older one, if there is one, the names that they had.
  ///
  /// The run fails anyhow. If this fails, too, the folder that is not finished is still known by its mark.
  private func takeBack(_ previous: String?) {
    if let previous, exchangeNames(previous, path) {
      try? rename(previous, to: newPath)
    } else if (try? rename(path, to: newPath)) != nil, let previous {
      try? rename(previous, to: path)
    }
  }

  /// Puts the new folder in the place of the older one; returns where that is now.
  private func exchange() throws(IngestError) -> String {
    guard exchangeNames(newPath, path) else {
      // Not every file system can exchange two names.
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw failure("renamed") }
      let previous = try moveToPrevious(path)
      try rename(newPath, to: path)
      return previous
    }
    do throws(IngestError) {
      return try moveToPrevious(newPath)
    } catch {
      _ = exchangeNames(newPath, path)
      throw error
    }
  }

  /// Moves what is there from an earlier run away, so that what is there belongs to the last one; returns where it is
  /// now if somebody has repaired in it what was not replayed.
  package func retire() throws(IngestError) -> String? {
    guard try exists(path), try !entries(of: path).isEmpty else { return nil }
    try checkIsOurs()
    let lock = try FolderLock.lock(path, .exclusive)
    defer { withExtendedLifetime(lock) {} }
    let hasRepairs = try hasUnloadedRepairs(path)
    let isReplayed = isReplayed(path)
    let previous = try gate.pass { (_) throws(IngestError) in
      let previous = try moveToPrevious(path)
      if isReplayed { markAsReplayed(previous) }
      return previous
    }
    try syncParent()
    return hasRepairs ? previous : nil
  }

  /// Moves a folder to the first name after that of the last one that is free, or that holds no more
  /// than our files; returns the name.
  @discardableResult
  private func moveToPrevious(_ folder: String) throws(IngestError) -> String {
    var number = 1
    while true {
      let previous = path + Self.previous + (number > 1 ? "-\(number)" : "")
      number += 1
      if try exists(previous) {
        guard try isReplaceable(previous), try removeReplaceable(previous) else { continue }
      }
      try rename(folder, to: previous)
      return previous
    }
  }

  /// Removes a folder and returns true, unless another run replays it, or keeps its own rejected records there.
  private func removeReplaceable(_ folder: String) throws(IngestError) -> Bool {
    let lock: FolderLock?
    do throws(IngestError) {
      lock = try FolderLock.lock(folder, .exclusive)
    } catch {
      guard error.kind == .locked else { throw error }
      return false
    }
    defer { withExtendedLifetime(lock) {} }
    // It may be another one by now.
    guard try isReplaceable(folder) else { return false }
    try removeOurs(in: folder)
    guard unsafe rmdir(folder) == 0 else { throw failure("removed", folder) }
    return true
  }

  private func rename(_ folder: String, to other: String) throws(IngestError) {
    guard unsafe Glibc.rename(folder, other) == 0 else { throw failure("renamed", folder) }
  }

  /// Whether nothing but our files is lost with a folder.
  private func isReplaceable(_ path: String) throws(IngestError) -> Bool {
    guard try isFolder(path), !isReplayed(path) else { return false }
    let entries = try entries(of: path)
    guard !entries.isEmpty else { return true }
    guard entries.allSatisfy(names.contains), try hasManifest(path) else { return false }
    return try !hasUnloadedRepairs(path)
  }

  private func removeOurs(in path: String) throws(IngestError) {
    // The file that identifies it is removed last, so that a run killed here leaves a folder that
    // is recognized.
    let last = [Self.manifest, Self.mark]
    let ours = try entries(of: path).filter(names.contains)
    for name in ours.filter({ !last.contains($0) }) + last.filter(ours.contains) {
      guard unsafe unlink("\(path)/\(name)") == 0 else {
        throw failure("removed", "\(path)/\(name)")
      }
    }
  }

  /// Whether the new folder has the same files as the one that is there, byte for byte.
  private func isSameAsNew() throws(IngestError) -> Bool {
    let ours = try entries(of: newPath).filter { $0 != Self.mark }
    guard try entries(of: path).filter({ $0 != Self.mark }) == ours else { return false }
    for name in ours {
      do throws(FileError) {
        guard try haveSameContents("\(newPath)/\(name)", "\(path)/\(name)") else { return false }
      } catch {
        throw failure("compared with what is there", "\(path)/\(name)", error.code)
      }
    }
    return true
  }
}
