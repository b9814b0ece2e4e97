/// The reason why a ZIP archive, or an entry of one, could not be read; offsets are bytes of the
/// archive's file, from 0.
package enum ZipError: Error, Equatable, Sendable {
  /// The file neither begins nor ends like a ZIP archive.
  case notZip
  /// The file begins like a ZIP archive, but does not end like one.
  case truncated
  /// The archive contradicts itself, or the data do not match it.
  case corrupt(offset: Int, reason: String)
  case duplicate(name: [UInt8])
  /// The name of an entry leads out of the archive, or contains a zero byte.
  case unsafeName([UInt8])
  /// The archive needs an unsupported feature; `reason` describes it as a predicate.
  case unsupported(reason: String)
  /// The operating system could not read the file, or memory ran out; `code` is `errno`.
  case readFailed(code: Int32)

  /// Converts the error of an entry whose data should end at `end`.
  init(_ error: GzipError, end: Int) {
    switch error {
    case .corrupt(let offset, let reason): self = .corrupt(offset: offset, reason: reason)
    case .readFailed(let code): self = .readFailed(code: code)
    case .truncated, .notGzip, .trailingData:
      self = .corrupt(offset: end, reason: "the compressed data are longer than their entry")
    }
  }
}
