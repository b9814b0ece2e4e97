import CSQLite

/// The SQLite library that the program runs with, which need not be the one it was built with.
///
/// ```swift
/// let knowsStrictTables = SQLiteLibrary.versionNumber >= 3_037_000
/// let hasSearch = SQLiteLibrary.compileOptions.contains("ENABLE_FTS5")
/// ```
public enum SQLiteLibrary {
  /// Its version, such as `3.40.1`.
  ///
  /// ```swift
  /// let banner = "with SQLite \(SQLiteLibrary.version)"
  /// ```
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// Its version as a number that can be compared: 3040001 is 3.40.1.
  public static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// The check-in that it was built from: a date, a time and a hash.
  public static var sourceID: String { unsafe String(cString: sqlite3_sourceid()) }

  /// The options that it was built with, without their `SQLITE_`, such as `ENABLE_FTS5`
  /// (<https://www.sqlite.org/compile.html>).
  public static var compileOptions: [String] {
    var options: [String] = []
    while let option = unsafe sqlite3_compileoption_get(Int32(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return options
  }

  /// Whether several threads may use it, each with connections of its own.
  public static var isThreadSafe: Bool { sqlite3_threadsafe() != 0 }

  /// Stops the counting of allocations, which costs a process-wide lock for each of them.
  ///
  /// Only a process without any connection yet may call this; later it has no effect.
  package static func disableMemoryStatistics() {
    // It can fail only when the library is in use already, which loses speed and nothing else.
    _ = csqlite_disable_memory_statistics()
  }
}
