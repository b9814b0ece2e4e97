import CLinux
package import Glibc

// Interrupted calls are retried. After an error, which is in `errno`, the result is negative or false.

func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

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
  Int(try status(of: descriptor).st_size)
}

/// Whether a path still leads to the open and locked file.
package func isStillThere(_ descriptor: Int32, at path: String) throws(FileError) -> Bool {
  let own = try status(of: descriptor)
  guard let there = try status(of: path, followsLinks: false) else { return false }
  return areOfSameFile(own, there)
}

/// Whether two descriptors refer to the same file; false if one of them is not open.
package func isSameFile(_ first: Int32, _ second: Int32) throws(FileError) -> Bool {
  do throws(FileError) {
    return areOfSameFile(try status(of: first), try status(of: second))
  } catch {
    guard error.code == EBADF else { throw error }
    return false
  }
}

func status(of descriptor: Int32) throws(FileError) -> stat {
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
  return status
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

/// Returns freed blocks of at least `bytes` to the system at once, not with the end of the heap (`M_MMAP_THRESHOLD`).
package func returnFreedBlocks(ofAtLeast bytes: Int) {
  _ = mallopt(clinux_returned_block_bytes, Int32(bytes))
}

/// The attribute in which Linux stores a file's access control list: acl(5).
private let accessList = "system.posix_acl_access"

/// Copies the access control list of one file to another, or removes it there if the first has
/// none; false after an error, which is in `errno`.
package func copyAccessList(from old: Int32, to new: Int32) -> Bool {
  var bytes = [UInt8](repeating: 0, count: 64 << 10)
  let count = unsafe bytes.withUnsafeMutableBytes { bytes in
    unsafe fgetxattr(old, accessList, bytes.baseAddress, bytes.count)
  }
  if count > 0 {
    let code = unsafe bytes.withUnsafeBytes {
      unsafe fsetxattr(new, accessList, $0.baseAddress, count, 0)
    }
    return code == 0
  }
  // The new file may have inherited a list from its folder.
  return unsafe fremovexattr(new, accessList) == 0 || [ENODATA, EOPNOTSUPP].contains(errno)
}

/// Prevents other processes from locking a byte of a file for writing while the file stays open here.
///
/// The lock belongs to the open file, not to the process (`F_OFD_SETLK`). False after an error, which is in `errno`.
package func lockByte(_ offset: Int, of descriptor: Int32) -> Bool {
  var lock = byteLock(F_RDLCK, at: offset)
  return unsafe fcntl(descriptor, clinux_lock_opened_file, &lock) == 0
}

/// The process that has locked a byte of a file; nil if there is none, or if the system does not report it.
package func ownerOfByte(_ offset: Int, of descriptor: Int32) -> Int32? {
  var lock = byteLock(F_WRLCK, at: offset)
  guard unsafe fcntl(descriptor, clinux_get_lock_of_opened_file, &lock) == 0, lock.l_pid > 0 else {
    return nil
  }
  return lock.l_pid
}

private func byteLock(_ kind: Int32, at offset: Int) -> flock {
  flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: off_t(offset), l_len: 1, l_pid: 0)
}

/// Creates a folder that only this user can open, or uses the one that a killed process of this user has left; false if
/// something else has its name.
///
/// Even in a folder that everybody can write to, no other user can then place a file beside those in it, which SQLite might
/// take for theirs.
package func makePrivateFolder(_ path: String) throws(FileError) -> Bool {
  guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
  return try isPrivateFolder(path) ?? false
}

/// Whether only this user can open a folder, and rename it if the sticky bit protects the one above; nil if nothing has
/// its name.
package func isPrivateFolder(_ path: String) throws(FileError) -> Bool? {
  guard let status = try status(of: path, followsLinks: false) else { return nil }
  return status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o077 == 0
    && status.st_uid == geteuid()
}
