import SQLiteSwiftly

/// SQLite's own shell with gunzip, which load the same dumps.
struct Shell {
  /// Finds both; nil if one of them is not installed.
  init?() throws {
    let search = "command -v sqlite3 >&2 && command -v gunzip >&2 && echo found; true"
    let outcome = try ChildProcess.run("/bin/sh", ["-c", "{ \(search); } 2>/dev/null"])
    guard outcome.output.hasPrefix("found") else { return nil }
  }

  /// The command that loads a dump into a table, while gunzip decompresses it.
  static func importing(_ dump: String, into table: String) -> String {
    ".import --csv --skip 1 \"|gunzip -c \(quoted(dump))\" \(table)"
  }

  /// Runs lines of commands and SQL on a new database, and returns the seconds on the clock.
  func run(_ lines: [String], on database: String, script: String) throws -> Double {
    let output = try Output(path: script)
    defer {
      output.close()
      removeFile(script)
    }
    try output.replace(with: ([".bail on"] + lines).joined(separator: "\n") + "\n")
    let command =
      "exec sqlite3 -batch -init /dev/null \(Self.quoted(database)) < \(Self.quoted(script))"
    return try ChildProcess.run("/bin/sh", ["-c", command]).seconds
  }

  /// A path as one word of sh.
  private static func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
