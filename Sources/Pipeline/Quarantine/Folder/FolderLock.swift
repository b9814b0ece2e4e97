import Vocabulary
import Platform
import Glibc

/// A lock on a folder of rejected records, for runs that move or read it; the system releases it if a run is killed.
final class FolderLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// The seconds to wait for another run, which needs almost no time to move a folder.
  private static let timeout = 5.0

  /// Locks a folder; nil if it does not exist, and an error if another run still holds the lock after the timeout.
  ///
  /// Only the wait for a longer one, as for a repair, is reported.
  static func lock(
    _ path: String, timeout: Double = 0, _ patience: Patience = Patience()
  ) throws(IngestError) -> FolderLock? {
    var exists = true
    func attempt() throws(IngestError) -> FolderLock? {
      let descriptor: Int32
      do throws(FileError) {
        descriptor = try openFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK)
      } catch {
        exists = false
        guard [ENOENT, ENOTDIR, ELOOP].contains(error.code) else {
          throw IngestError.rejectsFailed(path, "locked", error)
        }
        return FolderLock(path, -1)
      }
      let lock = FolderLock(path, descriptor)
      let isCurrent = try mapError(
        lock.acquire(), as: { .rejectsFailed(path, "locked", $0) })
      return isCurrent == true ? lock : nil
    }
    var lock = try poll(for: Self.timeout, attempt)
    if lock == nil, timeout > Self.timeout {
      lock = try patience.wait(
        for: timeout - Self.timeout, { "\(path): waiting for another run that uses it" },
        until: attempt)
    }
    guard let lock else { throw .rejectsLocked(path) }
    return exists ? lock : nil
  }

  init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns whether the folder is still at its path, since another run may have replaced it; nil if another run holds
  /// the lock.
  func acquire() throws(FileError) -> Bool? {
    guard try lockFile(descriptor) else { return nil }
    return try isStillThere(descriptor, at: path)
  }

  func sync() -> Bool { syncToDisk(descriptor) }
}
