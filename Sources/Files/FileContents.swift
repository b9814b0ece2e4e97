import Glibc

/// Reads the bytes of a file.
///
/// - Throws: `FileError`; `EINVAL` if it is not a regular file, such as a pipe, which could block,
///   and `EFBIG` for more than `mostBytes`.
package func contentsOfFile(_ path: String, mostBytes: Int) throws(FileError) -> [UInt8] {
  if let status = try status(of: path), status.st_mode & S_IFMT != S_IFREG {
    throw FileError(code: EINVAL)
  }
  let file = try FileReader(path: path)
  guard file.size <= mostBytes else { throw FileError(code: EFBIG) }
  return try file.bytes(file.size, at: 0)
}

package func haveSameContents(_ first: String, _ second: String) throws(FileError) -> Bool {
  try FileReader(path: first).hasSameBytes(as: FileReader(path: second))
}

extension FileReader {
  fileprivate borrowing func hasSameBytes(as other: borrowing FileReader) throws(FileError) -> Bool
  {
    guard size == other.size else { return false }
    let block = 256 << 10
    for offset in stride(from: 0, to: size, by: block) {
      guard try bytes(block, at: offset) == other.bytes(block, at: offset) else { return false }
    }
    return true
  }
}
