import CLinux
package import Glibc

/// Opens a file, retrying interrupted calls; the descriptor is negative after an error, which is in
/// `errno`.
package func openFile(_ path: String, _ flags: Int32, _ mode: UInt32 = 0) -> Int32 {
  while true {
    let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}

/// Syncs a file or a folder to the disk, retrying interrupted calls; false after an error, which is
/// in `errno`.
package func syncToDisk(_ descriptor: Int32) -> Bool {
  while true {
    if fsync(descriptor) == 0 { return true }
    if errno != EINTR { return false }
  }
}

/// Truncates a file, retrying interrupted calls; false after an error, which is in `errno`.
package func endFile(_ descriptor: Int32, after bytes: Int) -> Bool {
  while true {
    if ftruncate(descriptor, off_t(bytes)) == 0 { return true }
    if errno != EINTR { return false }
  }
}

package func syncFolder(_ path: String) throws(FileError) {
  let descriptor = openFile(path, O_RDONLY | O_DIRECTORY)
  guard descriptor >= 0 else { throw FileError(code: errno) }
  defer { close(descriptor) }
  guard syncToDisk(descriptor) else { throw FileError(code: errno) }
}

/// Locks a file exclusively, or shared; false if another process holds a conflicting lock.
package func lockFile(_ descriptor: Int32, isShared: Bool = false) throws(FileError) -> Bool {
  while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
    if errno == EWOULDBLOCK { return false }
    guard errno == EINTR else { throw FileError(code: errno) }
  }
  return true
}

/// The status of a path; nil if it does not exist.
///
/// - Throws: `FileError` if the status is unknown, in which case the path may exist.
package func status(of path: String, followsLinks: Bool = true) throws(FileError) -> stat? {
  var status = stat()
  let code = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
  if code == 0 { return status }
  if errno == ENOENT || errno == ENOTDIR { return nil }
  throw FileError(code: errno)
}

package func fileSize(of descriptor: Int32) throws(FileError) -> Int {
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(code: errno) }
  return Int(status.st_size)
}

/// Whether a path still leads to the open and locked file.
package func isStillThere(_ descriptor: Int32, at path: String) throws(FileError) -> Bool {
  var own = stat()
  guard unsafe fstat(descriptor, &own) == 0 else { throw FileError(code: errno) }
  guard let there = try status(of: path, followsLinks: false) else { return false }
  return areOfSameFile(own, there)
}

/// Whether two descriptors refer to the same file; false if one of them is not open.
package func isSameFile(_ first: Int32, _ second: Int32) throws(FileError) -> Bool {
  guard let one = try status(of: first), let other = try status(of: second) else { return false }
  return areOfSameFile(one, other)
}

private func status(of descriptor: Int32) throws(FileError) -> stat? {
  var status = stat()
  if unsafe fstat(descriptor, &status) == 0 { return status }
  if errno == EBADF { return nil }
  throw FileError(code: errno)
}

private func areOfSameFile(_ one: stat, _ other: stat) -> Bool {
  one.st_ino == other.st_ino && one.st_dev == other.st_dev
}

/// Removes the name of an open file, unless it now belongs to another file.
package func removeName(_ path: String, of descriptor: Int32) {
  guard (try? isStillThere(descriptor, at: path)) == true else { return }
  unsafe unlink(path)
}

/// Exchanges two names in one step (rename(2), `RENAME_EXCHANGE`); false after an error, which is
/// in `errno`.
package func exchangeNames(_ first: String, _ second: String) -> Bool {
  unsafe clinux_exchange(first, second) == 0
}

extension Int32 {
  /// Writes bytes, continuing after short and interrupted writes; if it returns fewer, `errno` has
  /// the reason.
  package func writeAll(_ bytes: Span<UInt8>) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe write(self, rest.baseAddress, rest.count)
        if count > 0 {
          written += count
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      return written
    }
  }

  /// Reads bytes from `offset`, fewer than `count` only at the end of the file.
  package func bytes(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = try unsafe bytes.withUnsafeMutableBytes { bytes in
      Result { () throws(FileError) in try unsafe readAll(into: bytes, at: offset) }
    }.get()
    return Array(bytes.prefix(filled))
  }

  /// Reads from `offset` until `bytes` is full or the file ends, and returns the count.
  package func readAll(
    into bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileError) -> Int {
    var filled = 0
    while filled < bytes.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
      let count = unsafe pread(self, rest.baseAddress, rest.count, off_t(offset + filled))
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw FileError(code: errno)
      }
    }
    return filled
  }

  /// Writes bytes at `offset`, continuing after short and interrupted writes.
  package func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        return unsafe pwrite(self, rest.baseAddress, rest.count, off_t(offset + written))
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw FileError(code: count == 0 ? EIO : errno)
      }
    }
  }
}
