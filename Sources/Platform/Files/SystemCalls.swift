import CLinux
package import Glibc

// Interrupted calls are retried. After an error, which is in `errno`, the result is negative or false.

func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Syncs a file or a folder.
package func syncToDisk(_ descriptor: Int32) -> Bool { retrying { fsync(descriptor) } == 0 }

package func endFile(_ descriptor: Int32, after bytes: Int) -> Bool {
  retrying { ftruncate(descriptor, off_t(bytes)) } == 0
}

/// Creates a file in a folder for reading and writing and removes its name, so that it disappears
/// when its descriptor is closed, or the process ends.
package func unnamedFile(in folder: String) throws(FileError) -> Int32 {
  let name = "\(folder)/ingest_" + String(UInt64.random(in: 0 ... .max), radix: 16)
  let descriptor = try openFile(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
  unsafe unlink(name)
  return descriptor
}

package func syncFolder(_ path: String) throws(FileError) {
  let descriptor = try openFile(path, O_RDONLY | O_DIRECTORY)
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

/// The status of a path; nil if it does not exist, and an error if that is unknown.
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

/// Exchanges two names in one step (rename(2), `RENAME_EXCHANGE`).
package func exchangeNames(_ first: String, _ second: String) -> Bool {
  unsafe clinux_exchange(first, second) == 0
}

extension Int32 {
  /// Writes bytes; if it returns fewer, `errno` has the reason.
  package func writeAll(_ bytes: Span<UInt8>) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      inParts(bytes.count) { start in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        return unsafe write(self, rest.baseAddress, rest.count)
      }.count
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
    let (count, error) = inParts(bytes.count) { start in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return unsafe pread(self, rest.baseAddress, rest.count, off_t(offset + start))
    }
    if let error { throw error }
    return count
  }

  package func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    let (count, error) = unsafe bytes.withUnsafeBytes { bytes in
      inParts(bytes.count) { start in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        return unsafe pwrite(self, rest.baseAddress, rest.count, off_t(offset + start))
      }
    }
    if let error { throw error }
    guard count == bytes.count else { throw FileError(code: EIO) }
  }
}

/// Reads or writes in parts, since a call may handle fewer bytes than the rest, or be interrupted;
/// it returns the number of bytes handled from a position, 0 at the end of a file.
func inParts(_ total: Int, _ call: (_ start: Int) -> Int) -> (count: Int, error: FileError?) {
  var done = 0
  while done < total {
    let count = call(done)
    if count == 0 { break }
    if count > 0 {
      done += count
    } else if errno != EINTR {
      return (done, FileError(code: errno))
    }
  }
  return (done, nil)
}

package struct FileError: Error, Equatable, Sendable {
  /// The value of `errno`.
  package let code: Int32
  /// The link that was not followed; nil for an error of the system.
  package let link: ForeignLink?

  package init(code: Int32) { (self.code, link) = (code, nil) }

  /// The error of the last call.
  package static var last: FileError { FileError(code: errno) }

  init(_ link: ForeignLink) { (code, self.link) = (EPERM, link) }

  /// The system's message for the code, such as `No such file or directory`.
  package var message: String {
    if let link { return link.words }
    return unsafe String(cString: strerror(code))
  }
}

/// The system's message for the error of its last call.
package func systemError() -> String { FileError(code: errno).message }

/// The name of this machine; nil if it is unknown.
package func hostName() -> String? {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
  return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Returns freed blocks of at least `bytes` bytes to the system at once, and not with the end of the heap
/// (mallopt(3), `M_MMAP_THRESHOLD`).
package func returnFreedBlocks(ofAtLeast bytes: Int) {
  _ = mallopt(clinux_returned_block_bytes, Int32(bytes))
}
