/// The reason why a compressed file could not be read to its verified end.
///
/// Offsets are bytes of the compressed file, from 0.
public enum GzipError: Error, Equatable, Sendable {
  /// The file does not begin with the two magic bytes of RFC 1952, section 2.3.1.
  case notGzip
  /// The file ends inside a member, or contains none.
  case truncated(offset: Int)
  /// The bytes are not valid deflate data, or a member's checksum or length is wrong.
  ///
  /// `reason` is zlib's message, such as `incorrect data check`.
  case corrupt(offset: Int, reason: String)
  /// Bytes other than zero padding follow the last member.
  case trailingData(offset: Int)
  /// The operating system could not read the file, or memory ran out; `code` is `errno`.
  case readFailed(code: Int32)
}
