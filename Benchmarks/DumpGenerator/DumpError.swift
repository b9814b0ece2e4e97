import Glibc

/// Why a dump set could not be written.
public enum DumpError: Error, Equatable, Sendable {
  /// A folder or file could not be created; `code` is `errno`.
  case cannotCreate(path: String, code: Int32)
  /// A file could not be written to its end; `code` is `errno`.
  case writeFailed(path: String, code: Int32)
  /// The folder has the same table, compressed where it is to be plain or the other way round.
  ///
  /// Nobody could tell which of the two is meant, and the other one may be a real dump.
  case otherSpellingExists(path: String)

  /// The error in words, with the path.
  public var message: String {
    switch self {
    case .cannotCreate(let path, let code): "cannot create \(path): \(systemMessage(code))"
    case .writeFailed(let path, let code): "cannot write \(path): \(systemMessage(code))"
    case .otherSpellingExists(let path): "\(path) is there already; remove it first"
    }
  }

  private func systemMessage(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
