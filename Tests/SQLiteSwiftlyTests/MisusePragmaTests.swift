import SQLiteSwiftly
import Testing

/// Invalid settings, and checks of missing objects.
struct MisusePragmaTests {
  /// A value that SQLite reads differently, or refuses.
  private static func setting<Value: Equatable & Sendable>(
    _ name: String, _ pragma: Pragma<Value>, _ value: Value,
    _ part: String
  ) -> Misuse {
    Misuse(name, .error, part) { connection, _ in try connection.set(pragma, to: value) }
  }

  /// A value at the bounds, which is kept.
  private static func bound<Value: Equatable & Sendable>(
    _ name: String, _ pragma: Pragma<Value>, _ value: Value
  ) -> Misuse {
    Misuse(name, gives: "\(value)") { connection, _ in
      try connection.set(pragma, to: value)
      return try connection.value(of: pragma)
    }
  }

  static let cases: [Misuse] = [
    bound("the greatest version", .userVersion, .max),
    bound("the least version", .userVersion, .min),
    bound("the least application", .applicationID, .min),
    setting("a page of no size", .pageSize, 0, "page_size was set to 0, but is 4096"),
    setting("a page of an odd size", .pageSize, 1000, "but is 4096"),
    setting("a page of the greatest size", .pageSize, .max, "but is 4096"),
    setting("a page of the least size", .pageSize, .min, "but is 4096"),
    setting("pages below 0", .maximumPageCount, .min, "max_page_count was set to"),
    setting("memory below 0", .mmapSize, .min, "mmap_size was set to"),
    setting("all memory", .mmapSize, .max, "mmap_size was set to"),
    setting("threads below 0", .workerThreads, -1, "threads was set to -1"),
    setting("all threads", .workerThreads, .max, "threads was set to"),
    setting("an analysis below 0", .analysisLimit, .min, "analysis_limit was set to"),
    setting("a cache of pages below 0", .cacheSize, .pages(-5), "cache_size was set to -5"),
    setting("a cache of the least pages", .cacheSize, .pages(.min), "cache_size was set to"),
    setting("a cache of the most pages", .cacheSize, .pages(.max), "cache_size was set to"),
    setting("a cache of the least bytes", .cacheSize, .kibibytes(.min), "cache_size was set to"),
    setting("a cache of the most bytes", .cacheSize, .kibibytes(.max), "cache_size was set to"),
    setting("a log's limit below 0", .journalSizeLimit, .min, "journal_size_limit was set to"),
    bound("a log's greatest limit", .journalSizeLimit, .max),
    setting("pages given back too late", .autoVacuum, .full, "auto_vacuum was set to 1, but is 0"),
    Misuse("a log's limit beyond 32 bits", gives: "true") { connection, _ in
      (try? connection.set(.walAutocheckpoint, to: .max)) == nil
    },
    Misuse("fewer pages than there are", .error, "max_page_count was set to 1, but is") {
      connection, _ in
      defer { try? connection.set(.maximumPageCount, to: 1 << 20) }
      try connection.set(.maximumPageCount, to: 1)
    },
    Misuse("foreign keys in a transaction", .error, "foreign_keys was set to 1, but is 0") {
      connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.set(.foreignKeys, to: true)
      }
    },
    Misuse("a log for a database in memory", .error, "journal_mode was set to wal") { _, _ in
      try Connection.inMemory().set(.journalMode, to: .wal)
    },
    Misuse("mapped memory of a database in memory", .error, "mmap_size has an unknown value") {
      _, _ in
      _ = try Connection.inMemory().value(of: .mmapSize)
    },
    Misuse("a version for reading only", .readOnly, "readonly database") { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).set(.userVersion, to: 1)
    },
    Misuse("a change after query_only", .readOnly, "readonly database") { connection, _ in
      try connection.set(.queryOnly, to: true)
      defer { try? connection.set(.queryOnly, to: false) }
      try connection.execute("DELETE FROM words")
    },
    Misuse("a synchronous mode in a transaction", .error, "Safety level may not be changed") {
      connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.set(.synchronous, to: .off)
      }
    },
    Misuse("numbers that are only read", gives: "true") { connection, _ in
      try connection.value(of: .pageCount) > 0 && connection.value(of: .freePageCount) == 0
        && connection.value(of: .dataVersion) > 0 && connection.value(of: .schemaVersion) > 0
    },
    Misuse("faults of no table", .error, "no such table: nothing") { connection, _ in
      _ = try connection.faults(.full, ofTable: "nothing")
    },
    Misuse("faults of a table that begins like a number", .misuse, "as a number") {
      connection, _ in
      _ = try connection.faults(.structure, ofTable: "+-3 words")
    },
    Misuse("faults of a name of nothing", .error, "no such table: ") { connection, _ in
      _ = try connection.faults(.structure, ofTable: "")
    },
    Misuse("faults of a name with a NUL", .misuse, "the SQL contains a NUL character") {
      connection, _ in
      _ = try connection.faults(.structure, ofTable: "words\0")
    },
    Misuse("foreign keys, none of them looked at", gives: "0") { connection, _ in
      try connection.execute(
        script: "CREATE TABLE t (a REFERENCES words (id)); INSERT INTO t VALUES (99)")
      return try connection.foreignKeyViolations(limit: 0).count
    },
    Misuse("foreign keys up to the least and greatest number", gives: "[1, 1]") { connection, _ in
      try connection.execute(
        script: "CREATE TABLE t (a REFERENCES words (id)); INSERT INTO t VALUES (99)")
      return try [Int.min, .max].map { try connection.foreignKeyViolations(limit: $0).count }
    },
    Misuse("a foreign key to what is no key", .error, "foreign key mismatch") { connection, _ in
      try connection.execute("CREATE TABLE t (a REFERENCES words (word))")
      _ = try connection.foreignKeyViolations()
    },
  ]

  @Test(arguments: cases) func `an invalid setting is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
