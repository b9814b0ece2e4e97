import Glibc

/// A failure of the command, with its exit status, one of sysexits.h.
struct Failure: Error, Equatable {
  let status: Int32
  let message: String

  /// An invalid command line, or a debug build.
  static func usage(_ message: String) -> Failure { Failure(status: EX_USAGE, message: message) }

  /// An invalid input file.
  static func data(_ message: String) -> Failure { Failure(status: EX_DATAERR, message: message) }

  /// Incorrect work, whose time would be meaningless.
  static func fault(_ message: String) -> Failure { Failure(status: EX_SOFTWARE, message: message) }

  /// A file or folder cannot be created; the reason is in `errno`.
  static func cannotCreate(_ path: String) -> Failure {
    Failure(status: EX_CANTCREAT, message: "cannot create \(path): \(systemError)")
  }

  /// A file cannot be read; the reason is in `errno`.
  static func cannotRead(_ path: String) -> Failure {
    Failure(status: EX_NOINPUT, message: "cannot read \(path): \(systemError)")
  }

  private static var systemError: String { unsafe String(cString: strerror(errno)) }
}
