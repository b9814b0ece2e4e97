import SQLiteSwiftly
import Testing

struct PragmaTests {
  /// Sets each value in turn, and looks at it through the setting and through SQL.
  private func expect<Value>(
    _ pragma: Pragma<Value>, takes values: [(Value, SQLiteValue)], on connection: Connection,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (value, stored) in values {
      try connection.set(pragma, to: value)
      #expect(try connection.value(of: pragma) == value, sourceLocation: sourceLocation)
      let sql: SQL = "PRAGMA \(identifier: pragma.name)"
      #expect(
        try connection.query(sql) == [[stored]], "\(pragma.name)", sourceLocation: sourceLocation)
    }
  }

  @Test func `settings accept their values`() throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/a.sqlite", opening: .createNew)
      let flags: [Pragma<Bool>] = [
        .foreignKeys, .deferForeignKeys, .ignoreCheckConstraints, .recursiveTriggers, .queryOnly,
        .trustedSchema,
      ]
      for flag in flags {
        try expect(flag, takes: [(true, .integer(1)), (false, .integer(0))], on: connection)
      }
      let numbers: [Pragma<Int32>] = [.userVersion, .applicationID]
      for number in numbers {
        let values = [Int32.min, -1, 0, 7, .max].map { ($0, SQLiteValue.integer(Int64($0))) }
        try expect(number, takes: values, on: connection)
      }
      let sizes: [(Pragma<Int>, [Int])] = [
        (.maximumPageCount, [1000, 5_000_000]), (.mmapSize, [1 << 20, 0]),
        (.walAutocheckpoint, [0, 1, 1000]), (.journalSizeLimit, [-1, 0, 1 << 40]),
        (.analysisLimit, [1000, 0]), (.workerThreads, [2, 0]),
      ]
      for (size, values) in sizes {
        try expect(size, takes: values.map { ($0, .integer(Int64($0))) }, on: connection)
      }
      try expect(
        .cacheSize,
        takes: [
          (.pages(0), .integer(0)), (.pages(300), .integer(300)),
          (.kibibytes(4096), .integer(-4096)),
        ], on: connection)
    }
  }

  @Test func `modes accept their values`() throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/a.sqlite", opening: .createNew)
      func stored<Value: RawRepresentable<Int64> & CaseIterable>(
        _: Value.Type
      ) -> [(Value, SQLiteValue)] {
        Value.allCases.map { ($0, .integer($0.rawValue)) }
      }
      try expect(.synchronous, takes: stored(Connection.SynchronousMode.self), on: connection)
      try expect(.temporaryStore, takes: stored(Connection.TemporaryStore.self), on: connection)
      try expect(.secureDelete, takes: stored(Connection.SecureDelete.self), on: connection)
      try expect(.autoVacuum, takes: stored(Connection.AutoVacuum.self), on: connection)
      let modes = Connection.JournalMode.allCases.map { ($0, SQLiteValue.text($0.rawValue)) }
      try expect(.journalMode, takes: modes, on: connection)
      let lockings = Connection.LockingMode.allCases.map { ($0, SQLiteValue.text($0.rawValue)) }
      try expect(.lockingMode, takes: lockings, on: connection)
    }
  }

  @Test func `a page size is accepted only while the file is empty`() throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/a.sqlite", opening: .createNew)
      try connection.set(.pageSize, to: 65536)
      try connection.set(.autoVacuum, to: .none)
      try connection.execute("CREATE TABLE t (a)")
      #expect(try connection.value(of: .pageSize) == 65536)
      let size = try failure { try connection.set(.pageSize, to: 512) }
      #expect(size.code == .error && size.sql == "PRAGMA page_size = 512")
      #expect(size.message == "pragma page_size was set to 512, but is 65536")
      let vacuum = try failure { try connection.set(.autoVacuum, to: .full) }
      #expect(vacuum.message == "pragma auto_vacuum was set to 1, but is 0")
    }
  }

  /// Changes that SQLite passes over without a word.
  static let ignored: [(@Sendable (Connection) throws -> Void, String)] = [
    ({ try $0.set(.journalMode, to: .wal) }, "journal_mode was set to wal, but is memory"),
    ({ try $0.set(.mmapSize, to: 4096) }, "mmap_size was set to 4096, but is none"),
    ({ try $0.set(.pageSize, to: 1000) }, "page_size was set to 1000, but is 4096"),
    ({ try $0.set(.pageSize, to: .max) }, "page_size was set to \(Int.max), but is 4096"),
    (
      { try $0.set(.cacheSize, to: .kibibytes(.min)) },
      "cache_size was set to \(Int.min), but is 0"
    ),
    ({ try $0.set(.cacheSize, to: .pages(-3)) }, "cache_size was set to -3, but is -3"),
    (
      {
        try $0.execute("BEGIN")
        try $0.set(.foreignKeys, to: true)
      }, "foreign_keys was set to 1, but is 0"
    ),
    (
      {
        try $0.execute("CREATE TABLE t AS SELECT zeroblob(9000) AS a")
        try $0.set(.maximumPageCount, to: 2)
      }, "max_page_count was set to 2, but is 4"
    ),
  ]

  @Test("SW-62 a setting that SQLite ignores is an error", arguments: ignored.indices)
  func passesOver(index: Int) throws {
    let (set, message) = Self.ignored[index]
    let connection = try Connection.inMemory(after: "PRAGMA foreign_keys = OFF")
    try expectFailure(.error, "pragma " + message) { try set(connection) }
  }

  @Test("SW-62 SQLite's error for a setting is thrown") func refused() throws {
    let connection = try Connection.inMemory(after: "BEGIN")
    let error = try failure { try connection.set(.synchronous, to: .off) }
    #expect(error.message == "Safety level may not be changed inside a transaction")
    try connection.execute("ROLLBACK")
    try connection.set(.queryOnly, to: true)
    #expect(try failure { try connection.set(.userVersion, to: 1) }.code == .readOnly)
    #expect(try connection.value(of: .userVersion) == 0)
  }

  @Test func `a setting without a value is an error`() throws {
    let error = try failure { _ = try Connection.inMemory().value(of: .mmapSize) }
    #expect(error.code == .error && error.sql == "PRAGMA mmap_size")
    #expect(error.message == "pragma mmap_size has an unknown value: none")
  }

  @Test func `numbers are those of the database`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.set(.secureDelete, to: .off)
      #expect(try connection.value(of: .pageCount) == 0)
      let schema = try connection.value(of: .schemaVersion)
      try connection.execute("CREATE TABLE t AS SELECT zeroblob(9000) AS a")
      #expect(try connection.value(of: .pageCount) == 4)
      #expect(try connection.value(of: .freePageCount) == 0)
      #expect(try connection.value(of: .schemaVersion) == schema + 1)
      let version = try connection.value(of: .dataVersion)
      try Connection(path, opening: .openExisting).execute("DELETE FROM t")
      #expect(try connection.value(of: .dataVersion) != version)
      #expect(try connection.value(of: .freePageCount) == 2)
      #expect(try connection.value(of: .pageCount) == 4)
    }
  }

  @Test func `the numbers in the header stay with the file`() throws {
    try withFile { path in
      do {
        let connection = try Connection(path, opening: .createNew)
        try connection.set(.userVersion, to: 7)
        try connection.set(.applicationID, to: -2)
      }
      let connection = try Connection(path, opening: .readOnly)
      #expect(try connection.value(of: .userVersion) == 7)
      #expect(try connection.value(of: .applicationID) == -2)
    }
  }
}
