package import Vocabulary
import Platform
import Glibc

extension RejectsFolder {
  /// Creates and locks the new folder, or empties the one left by a killed run, once no other run writes to it.
  func makeNew() throws(IngestError) -> FolderLock {
    let locked = try patience.wait(
      for: timeout, { "\(newPath): waiting for another run that writes rejected records there" }
    ) { () throws(IngestError) -> FolderLock? in
      do throws(IngestError) {
        return try attemptNew()
      } catch {
        guard error.kind == .locked else { throw error }
        return nil
      }
    }
    guard let locked else { throw .rejectsLocked(newPath) }
    return locked
  }

  private func attemptNew() throws(IngestError) -> FolderLock {
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
          // Avoid a reference cycle through the gate.
          folder.gate = Gate()
          _ = unfinished.add(folder.removeNew)
          return lock
        } catch {
          // This succeeds if it was just created; the next run handles any other contents.
          if error.kind != .locked { unsafe rmdir(newPath) }
          throw error
        }
      }
    }
  }

  func makeFile(_ name: String) throws(IngestError) -> FileWriter {
    try gate.pass { (_) throws(IngestError) in try FileWriter(creating: "\(newPath)/\(name)") }
  }

  package func removeFile(_ name: String) throws(IngestError) {
    try gate.pass { (_) throws(IngestError) in
      guard unsafe unlink("\(newPath)/\(name)") == 0 else {
        throw failure("removed", "\(newPath)/\(name)")
      }
    }
  }

  /// Opens the new folder and locks it; nil if it has been replaced.
  private func lockNew() throws(IngestError) -> FolderLock? {
    let opened = try mapError(FolderLock(at: newPath), as: { failure("opened", newPath, $0) })
    guard let lock = opened else { return nil }
    guard let isCurrent = try lock.acquire() else { throw .rejectsLocked(newPath) }
    return isCurrent ? lock : nil
  }

  /// Cleans up after a killed run; files of an active run remain.
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

  /// Restores an older folder that a killed run was about to move away.
  private func putBack() throws(IngestError) {
    if try !exists(path) {
      try rename(newPath, to: path)
    } else if try exists("\(path)/\(Self.mark)") {
      guard exchangeNames(newPath, path) else { throw failure("renamed") }
    } else {
      _ = try moveToPrevious(newPath)
    }
  }

  private var isIncomplete: Bool {
    get throws(IngestError) {
      let entries = try entries(of: newPath)
      return entries.isEmpty || entries.contains(Self.mark)
    }
  }

  /// Removes the new folder, unless an older one was exchanged with it.
  func removeNew() {
    guard (try? isIncomplete) == true else { return }
    try? removeOurs(in: newPath)
    unsafe rmdir(newPath)
  }

  /// Renames the complete new folder to its final name, and moves an older folder away.
  ///
  /// The older folder is exchanged with it, so that one of them always exists, and is then moved away. If both are
  /// equal, the older one remains: a repeated run must not displace earlier edits.
  package func publish() throws(IngestError) {
    try checkIsOurs()
    // At the new folder's name, another run would mistake it for the remains of a killed one.
    let older = try FolderLock.lock(path, timeout: timeout, patience)
    defer { withExtendedLifetime(older) {} }
    let hasOlder = try exists(path) ? !entries(of: path).isEmpty : false
    if hasOlder, try isSameAsNew() { return gate.pass { _ in removeNew() } }
    try gate.pass { (_) throws(IngestError) in
      var previous: String?
      if hasOlder { previous = try exchange() } else { try rename(newPath, to: path) }
      // Only after the renaming: without the mark, the next run would mistake the folder for an older one.
      guard unsafe unlink("\(path)/\(Self.mark)") == 0 || errno == ENOENT else {
        let failure = failure("finished", path)
        restoreNames(previous)
        throw failure
      }
    }
    try syncParent()
  }

  /// The run fails in any case; if this also fails, the mark still identifies the incomplete folder.
  private func restoreNames(_ previous: String?) {
    if let previous, exchangeNames(previous, path) {
      try? rename(previous, to: newPath)
    } else if (try? rename(path, to: newPath)) != nil, let previous {
      try? rename(previous, to: path)
    }
  }

  private func exchange() throws(IngestError) -> String {
    guard exchangeNames(newPath, path) else {
      // Some file systems cannot exchange two names.
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

  package func retire() throws(IngestError) {
    guard try exists(path), try !entries(of: path).isEmpty else { return }
    try checkIsOurs()
    let lock = try FolderLock.lock(path, timeout: timeout, patience)
    defer { withExtendedLifetime(lock) {} }
    try gate.pass { (_) throws(IngestError) in _ = try moveToPrevious(path) }
    try syncParent()
  }

  /// Moves a folder to the first previous name that is free, or whose folder may be replaced; returns the name.
  private func moveToPrevious(_ folder: String) throws(IngestError) -> String {
    var number = 1
    while true {
      let previous = path + Self.previous + (number > 1 ? "-\(number)" : "")
      number += 1
      if try exists(previous), try !removeReplaceable(previous) { continue }
      try rename(folder, to: previous)
      return previous
    }
  }

  /// Removes a folder and returns true, unless it must be kept or another run uses it.
  private func removeReplaceable(_ folder: String) throws(IngestError) -> Bool {
    guard try isReplaceable(folder) else { return false }
    let lock: FolderLock?
    do throws(IngestError) {
      lock = try FolderLock.lock(folder)
    } catch {
      guard error.kind == .locked else { throw error }
      return false
    }
    defer { withExtendedLifetime(lock) {} }
    // It may have been replaced.
    guard try isReplaceable(folder) else { return false }
    try removeOurs(in: folder)
    guard unsafe rmdir(folder) == 0 else { throw failure("removed", folder) }
    return true
  }

  private func rename(_ folder: String, to other: String) throws(IngestError) {
    guard unsafe Glibc.rename(folder, other) == 0 else { throw failure("renamed", folder) }
  }

  /// Whether a folder contains only files of ingest that may be removed.
  private func isReplaceable(_ path: String) throws(IngestError) -> Bool {
    guard try isFolder(path) else { return false }
    let entries = try entries(of: path)
    guard !entries.isEmpty else { return true }
    guard entries.allSatisfy(names.contains), try hasManifest(path) else { return false }
    return try !hasUnsavedEdits(path)
  }

  private func removeOurs(in path: String) throws(IngestError) {
    // Remove the file that identifies the folder last, so that it remains recognizable if the run is killed here.
    let last = [Self.manifest, Self.mark]
    let ours = try entries(of: path).filter(names.contains)
    for name in ours.filter({ !last.contains($0) }) + last.filter(ours.contains) {
      guard unsafe unlink("\(path)/\(name)") == 0 else {
        throw failure("removed", "\(path)/\(name)")
      }
    }
  }

  private func isSameAsNew() throws(IngestError) -> Bool {
    let ours = try entries(of: newPath).filter { $0 != Self.mark }
    guard try entries(of: path).filter({ $0 != Self.mark }) == ours else { return false }
    for name in ours {
      let isSame = try mapError(
        haveSameContents("\(newPath)/\(name)", "\(path)/\(name)"),
        as: { failure("compared", "\(path)/\(name)", $0) })
      guard isSame else { return false }
    }
    return true
  }
}
