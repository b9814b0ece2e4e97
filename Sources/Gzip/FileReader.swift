import Glibc

/// An open file, read from its beginning to its end.
///
/// The descriptor is owned, and closed when the value goes away.
public struct FileReader: ~Copyable, Sendable {
  private let descriptor: Int32
  /// The size of the file in bytes when it was opened.
  public let size: Int

  /// Opens the file at `path` for reading.
  ///
  /// - Throws: `FileError` with the `errno` of `open`, or `EISDIR` for a folder.
  public init(path: String) throws(FileError) {
    var descriptor: Int32
    repeat {
      // Of a pipe the opening would wait for whoever writes to it.
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw FileError(code: errno) }
    // Only the opening is not to wait; a pipe that somebody writes to is read to its end.
    _ = fcntl(descriptor, F_SETFL, 0)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : errno
      close(descriptor)
      throw FileError(code: code)
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// What tells this file, as it is at this moment, from others; nil if the system does not say.
  public var identity: FileIdentity? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Reads into the start of `bytes` until it is full or the file ends, and returns the count.
  ///
  /// Short reads and interrupted calls are continued, so only the end of the file gives less than
  /// `bytes.count`.
  ///
  /// - Throws: `FileError` when the operating system reports an error; that is never an end of file.
  public mutating func read(into bytes: inout MutableSpan<UInt8>) throws(FileError) -> Int {
    let descriptor = descriptor
    var failure: Int32?
    let total = unsafe bytes.withUnsafeMutableBytes { buffer in
      var filled = 0
      while filled < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          filled += count
        } else if count == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
      return filled
    }
    if let failure { throw FileError(code: failure) }
    return total
  }
}

/// What tells a file from another, and from itself when it was written to.
///
/// The time of the last change of its status is among it, since that of its contents can be set back.
public struct FileIdentity: Equatable, Sendable {
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

  fileprivate init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    written = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }
}

/// An error of the operating system about a file.
public struct FileError: Error, Equatable, Sendable {
  /// The value of `errno`.
  public let code: Int32

  /// Makes the error of an `errno` value.
  public init(code: Int32) { self.code = code }

  /// The system's words for the code, such as `No such file or directory`.
  public var message: String { unsafe String(cString: strerror(code)) }
}
