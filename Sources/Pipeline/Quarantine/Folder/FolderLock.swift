import Validation
import Facts
import Files
import Glibc

/// A lock on a folder of rejected records, by which runs that would move it or read from it wait for each
/// other; the system takes it back from a run that is killed.
final class FolderLock: Sendable {
  private let path: String
  private let descriptor: Int32

  enum Kind { case shared, exclusive }

  /// The seconds to wait for another run, which takes almost no time to move a folder.
  private static let timeout = 5.0

  /// Locks the folder at a path, unless another run has it for longer than a moment; nil if there is no folder.
  static func lock(_ path: String, _ kind: Kind) throws(IngestError) -> FolderLock? {
    var isThere = true
    let lock = try poll(for: timeout) { () throws(IngestError) -> FolderLock? in
      let descriptor = openFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else {
        isThere = false
        guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else { throw failure(path, errno) }
        return FolderLock(path, -1)
      }
      let lock = FolderLock(path, descriptor)
      do throws(FileError) {
        return try lock.take(kind) == true ? lock : nil
      } catch {
        throw failure(path, error.code)
      }
    }
    guard let lock else {
      throw IngestError(
        .locked, "\(path): another run is using these rejected records; try again when it is done.")
    }
    return isThere ? lock : nil
  }

  /// Takes over the descriptor of a folder that is not locked yet.
  init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Locks the folder, unless another run has it.
  ///
  /// - Returns: Whether it is still at its path: the run that had it may have given the name to another folder. Nil
  ///   if another run has it.
  func take(_ kind: Kind) throws(FileError) -> Bool? {
    guard try lockFile(descriptor, isShared: kind == .shared) else { return nil }
    return try isStillThere(descriptor, at: path)
  }

  /// Syncs the names in the folder to the disk; false if the system fails, which `errno` tells of.
  func sync() -> Bool { syncToDisk(descriptor) }

  /// Gives the lock up before the value goes away.
  func release() throws(IngestError) {
    guard flock(descriptor, LOCK_UN) == 0 else {
      throw IngestError(.inputOutput, "\(path): cannot be unlocked: \(systemError()).")
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> IngestError {
    IngestError(
      .of(code, otherwise: .output), "\(path): cannot be locked: \(FileError(code: code).message).")
  }
}
