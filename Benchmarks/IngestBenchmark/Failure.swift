import Glibc

/// Why the command ends early, with its exit status, one of sysexits.h.
struct Failure: Error, Equatable {
  let status: Int32
  let message: String

  /// The command line is wrong, or it is a debug build's.
  static func usage(_ message: String) -> Failure { Failure(status: EX_USAGE, message: message) }

  /// The work went wrong, so that its time would mean nothing.
  static func fault(_ message: String) -> Failure { Failure(status: EX_SOFTWARE, message: message) }

  /// A file or a folder cannot be made, for the reason in `errno`.
  static func cannotCreate(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(status: EX_CANTCREAT, message: "\(path) cannot be made: \(reason)")
  }
}
