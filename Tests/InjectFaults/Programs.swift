import TestSupport

/// A program that must end within a minute; nothing of this process's environment decides where its temporary files go.
///
/// - Parameters:
///   - executable: the program, looked for in the path.
///   - arguments: what it is given.
///   - temporary: a folder for the temporary files of SQLite.
/// - Returns: The program, which is not started.
func bounded(
  _ executable: String, _ arguments: [String], temporary: String? = nil
) -> ChildProcess {
  var program = ChildProcess(executable, arguments)
  for name in ["TMPDIR", "LD_PRELOAD"] { program.environment[name] = nil }
  program.environment["SQLITE_TMPDIR"] = temporary
  program.secondsAllowed = 3600
  return program
}

/// What cannot be gone on from.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
