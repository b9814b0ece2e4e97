import Glibc

/// An open file, read in order.
///
/// It owns the descriptor, and closes it at the end of its lifetime.
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

  /// Opens a file in a folder by an untrusted path, as `openFile(_:beneath:)` does.
  package init(path: String, beneath folder: String) throws(FileError) {
    try self.init(openFile(path, beneath: folder))
  }

  private init(_ descriptor: Int32) throws(FileError) {
    // Only opening must not block; a pipe with a writer is read to its end.
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

  /// The current identity of this file; nil if the system does not report it.
  package var identity: FileIdentity? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Reads bytes from `offset`, fewer than `count` only at the end of the file; does not move the
  /// position of `read`.
  package func bytes(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try descriptor.bytes(count, at: offset)
  }

  /// Moves the position of `read` to `offset`.
  package func seek(to offset: Int) throws(FileError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw FileError(code: errno) }
  }

  /// Reads into the start of `bytes` and returns the count, which is less than the available space
  /// only at the end of the file.
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
