import Glibc

extension Int32 {
  /// Writes bytes to the file of this descriptor, short and interrupted writes continued.
  ///
  /// - Returns: How many the system has taken; if not all, `errno` says why.
  func writeAll(_ bytes: Span<UInt8>) -> Int {
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
}
