import Glibc

/// Why the command ends early, with its exit status, one of sysexits.h.
struct Failure: Error, Equatable {
  let status: Int32
  let message: String

  /// The command line is wrong, or it is a debug build's.
  static func usage(_ message: String) -> Failure { Failure(status: EX_USAGE, message: message) }

  /// A file that was given is not what it should be.
  static func data(_ message: String) -> Failure { Failure(status: EX_DATAERR, message: message) }

  /// The work went wrong, so that its time would mean nothing.
  static func fault(_ message: String) -> Failure { Failure(status: EX_SOFTWARE, message: message) }

  /// A file or a folder cannot be made, for the reason in `errno`.
  static func cannotCreate(_ path: String) -> Failure {
    Failure(status: EX_CANTCREAT, message: "\(path) cannot be made: \(systemError)")
  }

  /// A file cannot be read, for the reason in `errno`.
  static func cannotRead(_ path: String) -> Failure {
    Failure(status: EX_NOINPUT, message: "\(path) cannot be read: \(systemError)")
  }

  private static var systemError: String { unsafe String(cString: strerror(errno)) }
}
