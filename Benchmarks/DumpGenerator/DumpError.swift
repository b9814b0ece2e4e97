import Glibc

/// An error of writing a set of files.
public enum DumpError: Error, Equatable, Sendable {
  /// A folder or file could not be created; `code` is `errno`.
  case cannotCreate(path: String, code: Int32)
  /// A file could not be written completely; `code` is `errno`.
  case writeFailed(path: String, code: Int32)
  /// The folder has the same table in the other form, compressed or plain.
  ///
  /// The table would be ambiguous, and the existing file may be a real one.
  case otherSpellingExists(path: String)

  /// The message, with the path.
  public var message: String {
    switch self {
    case .cannotCreate(let path, let code): "cannot create \(path): \(systemMessage(code))"
    case .writeFailed(let path, let code): "cannot write \(path): \(systemMessage(code))"
    case .otherSpellingExists(let path): "\(path) already exists; remove it first"
    }
  }

  private func systemMessage(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
