import Glibc

/// What tells a file from another, and from itself when it was written to.
///
/// The time of the last change of its status is among it, since that of its contents can be set back.
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
