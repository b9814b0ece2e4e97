import Glibc

/// The bytes of a file.
///
/// - Parameters:
///   - path: where it is.
///   - mostBytes: the most that it may have.
/// - Returns: Its bytes.
/// - Throws: `FileError`; `EINVAL` for what is not a file, such as a pipe, which would have to be waited for,
///   and `EFBIG` for one that has more.
package func contentsOfFile(_ path: String, mostBytes: Int) throws(FileError) -> [UInt8] {
  if let status = try status(of: path), status.st_mode & S_IFMT != S_IFREG {
    throw FileError(code: EINVAL)
  }
  var file = try FileReader(path: path)
  guard file.size <= mostBytes else { throw FileError(code: EFBIG) }
  var bytes = [UInt8](repeating: 0, count: file.size)
  var room = bytes.mutableSpan
  let count = try file.read(into: &room)
  return Array(bytes.prefix(count))
}
