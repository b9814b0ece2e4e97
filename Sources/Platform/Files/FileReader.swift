import Glibc

/// An open file, read in order; owns the descriptor, and closes it at the end of its lifetime.
package struct FileReader: ~Copyable, Sendable {
  private let descriptor: Int32
  /// The size of the file in bytes when it was opened.
  package let size: Int

  /// Opens a file for reading; the error is that of `open`, or `EISDIR` for a folder.
  package init(path: String) throws(FileError) {
    // Opening a pipe would wait for a writer.
    try self.init(openFile(path, O_RDONLY | O_NONBLOCK))
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
    (try? status(of: descriptor)).map { FileIdentity($0) }
  }

  /// Reads bytes from `offset`, fewer than `count` only at the end of the file; does not move the position of `read`.
  package func bytes(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try descriptor.bytes(count, at: offset)
  }

  package func seek(to offset: Int) throws(FileError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw FileError(code: errno) }
  }

  /// Reads into the start of `bytes` and returns the count, less than the space only at the end of the file.
  package mutating func read(into bytes: inout MutableSpan<UInt8>) throws(FileError) -> Int {
    let descriptor = descriptor
    let (count, error) = unsafe bytes.withUnsafeMutableBytes { buffer in
      inParts(buffer.count) { start in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
    }
    if let error { throw error }
    return count
  }
}

/// Reads the bytes of a file; the error is `EINVAL` if it is not a regular file, such as a pipe,
/// which could block, and `EFBIG` for more than `mostBytes`.
package func contentsOfFile(_ path: String, mostBytes: Int) throws(FileError) -> [UInt8] {
  if let status = try status(of: path), status.st_mode & S_IFMT != S_IFREG {
    throw FileError(code: EINVAL)
  }
  let file = try FileReader(path: path)
  guard file.size <= mostBytes else { throw FileError(code: EFBIG) }
  return try file.bytes(file.size, at: 0)
}

/// The error of reading a file to its end; nil if there is none.
package func readFailure(ofFileAt path: String) -> FileError? {
  do throws(FileError) {
    var file = try FileReader(path: path)
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      var space = block.mutableSpan
      guard try file.read(into: &space) > 0 else { return nil }
    }
  } catch {
    return error
  }
}

package func haveSameContents(_ first: String, _ second: String) throws(FileError) -> Bool {
  let one = try FileReader(path: first)
  let other = try FileReader(path: second)
  guard one.size == other.size else { return false }
  let block = 256 << 10
  for offset in stride(from: 0, to: one.size, by: block) {
    guard try one.bytes(block, at: offset) == other.bytes(block, at: offset) else { return false }
  }
  return true
}

/// Opens a file in a folder by an untrusted path; a link below the folder, which could lead out of
/// it, is the error `ELOOP`, and a path that does not consist of names only is `EINVAL`.
func openFile(_ path: String, beneath folder: String) throws(FileError) -> Int32 {
  guard isPathBeneath(path) else { throw FileError(code: EINVAL) }
  var descriptor = try openFile(folder, O_RDONLY | O_DIRECTORY)
  let names = path.split(separator: "/").map(String.init)
  for (index, name) in names.enumerated() {
    let parent = descriptor
    defer { close(parent) }
    var status = stat()
    if unsafe fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFLNK
    {
      throw FileError(code: ELOOP)
    }
    let kind = index + 1 < names.count ? O_DIRECTORY : O_NONBLOCK
    let next = unsafe openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind)
    guard next >= 0 else { throw FileError(code: errno) }
    descriptor = next
  }
  return descriptor
}

/// Whether a path consists only of names, so that it stays below its starting folder.
package func isPathBeneath(_ path: String) -> Bool {
  let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  return !path.utf8.contains(0)
    && names.allSatisfy { name in
      !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
    }
}

/// Distinguishes a file from others, and from itself after a change, also if the modification time was set back.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  /// Seconds and nanoseconds.
  private let written: [Int]
  private let changed: [Int]

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    written = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

/// The identity of the file at a path, following links; nil if it does not exist.
package func identity(ofFileAt path: String) throws(FileError) -> FileIdentity? {
  try status(of: path).map(FileIdentity.init)
}
