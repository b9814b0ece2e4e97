import CSQLite

/// The SQLite library in use at run time, which may differ from the one at build time.
public enum SQLiteLibrary {
  /// The version, such as `3.40.1`.
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// The version as a comparable number: 3040001 is 3.40.1.
  public static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// The check-in of its source: a date, a time and a hash.
  public static var sourceID: String { unsafe String(cString: sqlite3_sourceid()) }

  /// The options that it was built with, without the prefix `SQLITE_`, such as `ENABLE_FTS5`
  /// (<https://www.sqlite.org/compile.html>).
  public static var compileOptions: [String] {
    var options: [String] = []
    while let option = unsafe sqlite3_compileoption_get(Int32(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return options
  }

  /// Whether several threads may use it, each with its own connections.
  public static var isThreadSafe: Bool { sqlite3_threadsafe() != 0 }

  /// Stops counting allocations, which costs a process-wide lock for each of them.
  ///
  /// Call it before the process has any connection; later it has no effect.
  package static func disableMemoryStatistics() {
    // It fails only if the library is in use already, which only costs speed.
    _ = csqlite_disable_memory_statistics()
  }
}
