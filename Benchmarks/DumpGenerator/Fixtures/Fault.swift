/// A fault in a set of files, and the function that adds it to a valid set.
struct Fault: Sendable {
  enum Level: String {
    /// The file cannot be read, and nothing is loaded.
    case file
    /// One record is rejected.
    case record
    /// Everything is loaded, with a warning.
    case warning
  }

  let code: String
  let level: Level
  /// The name of the file as it is reported.
  let file: String
  /// The line, from 1, on which the fault begins.
  var line: Int?
  var column: String?
  let damage: @Sendable (inout FileSet) -> Void

  /// The exit status of a run that allows no rejects, one of sysexits.h.
  var exitStatus: Int {
    switch level {
    case .warning: 0
    // EX_NOINPUT
    case .file where code == "file-missing" || code == "file-unreadable": 66
    // EX_DATAERR
    case .file, .record: 65
    }
  }
}
