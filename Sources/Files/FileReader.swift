import Glibc

/// An open file, read in order.
///
/// The descriptor is owned, and closed when the value goes away.
package struct FileReader: ~Copyable, Sendable {
  private let descriptor: Int32
  /// The size of the file in bytes when it was opened.
  package let size: Int

  /// Opens the file at `path` for reading.
  ///
  /// - Throws: `FileError` with the `errno` of `open`, or `EISDIR` for a folder.
  package init(path: String) throws(FileError) {
    // Opening a pipe would wait for a writer.
    let descriptor = openFile(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    try self.init(descriptor)
  }

  /// Opens a file in a folder by a path that somebody else has written, as `openFile(_:beneath:)` does.
  package init(path: String, beneath folder: String) throws(FileError) {
    try self.init(openFile(path, beneath: folder))
  }

  private init(_ descriptor: Int32) throws(FileError) {
    // Only the opening must not wait; a pipe with a writer is read to its end.
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

  /// The identity of this file at this moment; nil if the system does not say.
  package var identity: FileIdentity? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
  }

  /// The bytes from `offset` on, fewer than `count` only if the file ends before; where `read` goes on is
  /// not changed by that.
  package func bytes(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try descriptor.bytes(count, at: offset)
  }

  /// Lets `read` go on at `offset`.
  package func seek(to offset: Int) throws(FileError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw FileError(code: errno) }
  }

  /// Reads into the start of `bytes` and returns the count, which is less than there is room for only at the end of the
  /// file.
  package mutating func read(into bytes: inout MutableSpan<UInt8>) throws(FileError) -> Int {
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
