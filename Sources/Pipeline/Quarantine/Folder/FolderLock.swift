import Validation
import Facts
import Files
import Glibc

/// A lock on a folder of rejected records, by which runs that would move it or read from it wait for each
/// other; the system takes it back from a run that is killed.
final class FolderLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Whether others may have the lock, too.
  enum Kind { case shared, exclusive }

  /// The seconds to wait for another run, which takes almost no time to move a folder.
  private static let timeout = 5.0

  /// Locks the folder at a path.
  ///
  /// - Returns: Nil if there is none, or no folder.
  /// - Throws: `IngestError` if another run has it for longer than a moment.
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
        // The run that held the lock may have given the name to another folder.
        guard try lockFile(descriptor, isShared: kind == .shared) else { return nil }
        return try isStillThere(descriptor, at: path) ? lock : nil
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

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Gives the lock up before the value goes away.
  ///
  /// - Throws: `IngestError` if the system does not take it back.
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
