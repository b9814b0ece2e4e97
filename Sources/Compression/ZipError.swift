/// Why a ZIP archive, or an entry of one, could not be read; offsets count bytes of the archive's file, from 0.
package enum ZipError: Error, Equatable, Sendable {
  /// The file neither begins nor ends as a ZIP archive does.
  case notZip
  /// The file begins as a ZIP archive does, but does not end as one.
  case truncated
  /// What the archive says of itself does not fit together, or the data are not what it says.
  case corrupt(offset: Int, reason: String)
  case duplicate(name: [UInt8])
  /// The name of an entry leads out of the archive, or has a zero byte.
  case unsafeName([UInt8])
  /// The archive needs something that is not read; `reason` is what it has or is.
  case unsupported(reason: String)
  /// The operating system could not read the file, or memory ran out; `code` is `errno`.
  case readFailed(code: Int32)

  /// The error of an entry whose data are to end at `end`.
  init(_ error: GzipError, end: Int) {
    switch error {
    case .corrupt(let offset, let reason): self = .corrupt(offset: offset, reason: reason)
    case .readFailed(let code): self = .readFailed(code: code)
    case .truncated, .notGzip, .trailingData:
      self = .corrupt(offset: end, reason: "the compressed data are longer than their entry")
    }
  }
}
