import Glibc

/// Creates a file in a folder and takes its name away, so that nothing is left of it when its descriptor
/// is closed, or the process ends.
///
/// - Returns: The descriptor, for reading and writing, which is the caller's.
/// - Throws: `FileError` if the folder lets nobody create a file.
package func unnamedFile(in folder: String) throws(FileError) -> Int32 {
  let name = "\(folder)/ingest_" + String(UInt64.random(in: 0 ... .max), radix: 16)
  let descriptor = openFile(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  guard descriptor >= 0 else { throw FileError(code: errno) }
  unsafe unlink(name)
  return descriptor
}

extension Int32 {
  /// Reads bytes of the file of this descriptor, from `offset` on, until `bytes` are full; short and
  /// interrupted reads are continued.
  ///
  /// - Returns: How many there were; fewer than asked for only if the file ends before.
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

  /// Writes bytes to the file of this descriptor, from `offset` on; short and interrupted writes are
  /// continued.
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
