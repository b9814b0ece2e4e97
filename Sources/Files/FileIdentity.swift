import Glibc

/// Distinguishes a file from others, and from itself after a change.
///
/// It includes the time of the last status change, since the modification time can be set back.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let written: Time
  private let changed: Time

  private struct Time: Equatable, Sendable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) {
      seconds = time.tv_sec
      nanoseconds = time.tv_nsec
    }
  }

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    written = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }
}

/// The identity of the file at a path, following links; nil if it does not exist.
package func identity(ofFileAt path: String) throws(FileError) -> FileIdentity? {
  try status(of: path).map(FileIdentity.init)
}
