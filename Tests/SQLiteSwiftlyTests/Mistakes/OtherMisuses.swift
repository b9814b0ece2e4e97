import SQLiteSwiftly
import SQLiteSwiftlyData

/// Misuses of helpers, migrations, settings, backups, interrupters and trace handlers.
extension MistakeTests {
  /// A helper whose description has faults.
  private struct FaultyHelper: BoxTable {
    static let table = TableDescription(
      "boxes", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
      primaryKey: ["absent"])
    let store: DataStore
  }

  /// A helper of a table without columns, and models without values.
  private struct EmptyHelper: DataHelper {
    static let table = TableDescription("empty", columns: [], primaryKey: [])
    let store: DataStore
    static func values(of model: Int) -> [(any SQLiteValueConvertible)?] { [] }
    static func model(from row: TableRow) throws(SQLiteError) -> Int { 0 }
  }

  /// A helper whose models have values beyond 64 bits.
  private struct HugeHelper: DataHelper {
    static let table = TableDescription.boxes(isWithoutRowid: false)
    static let choosesKeys = false
    let store: DataStore
    static func values(of model: UInt64) -> [(any SQLiteValueConvertible)?] {
      [model, nil as String?]
    }
    static func model(from row: TableRow) throws(SQLiteError) -> UInt64 { try row.value("id") }
  }

  private static func boxes(_ connection: Connection) throws -> BoxHelper {
    let boxes = BoxHelper(store: DataStore(connection))
    try boxes.createTable()
    return boxes
  }

  static let helperMisuses: [Mistake] = [
    refused(.misuse, "the primary key uses column absent") {
      try FaultyHelper(store: DataStore($0)).createTable()
    },
    refused(.misuse, "the primary key uses column absent") {
      try FaultyHelper(store: DataStore($0)).insert(Box(id: 1, name: "x"))
    },
    refused(.misuse, "boxes has no primary key") {
      _ = try FaultyHelper(store: DataStore($0)).find(1)
    },
    refused(.misuse, "uses column absent") {
      let store = DataStore($0)
      try store.createTables([LabelHelper(store: store), FaultyHelper(store: store)])
    },
    refused(.misuse, "there are no columns") {
      try EmptyHelper(store: DataStore($0)).createTable()
    },
    refused(.misuse, "there are no columns") { try EmptyHelper(store: DataStore($0)).insert(1) },
    refused(.misuse, "empty has no primary key") {
      _ = try EmptyHelper(store: DataStore($0)).find()
    },
    refused(.error, "has no column named") {
      try $0.execute("CREATE TABLE labels (a)")
      let labels = LabelHelper(store: DataStore($0))
      try labels.createTable()
      try labels.insert(Label(code: "a", name: "x"))
    },
    refused(.range, "does not fit into") { try HugeHelper(store: DataStore($0)).insert(.max) },
    refused(.range, "does not fit into") {
      let boxes = try boxes($0)
      defer { try? boxes.store.close() }
      try HugeHelper(store: boxes.store).insert(all: [1, .max])
    },
    refused(.range, "does not fit into") { try HugeHelper(store: DataStore($0)).delete(.max) },
    refused(.range, "does not fit into") {
      _ = try HugeHelper(store: DataStore($0)).find(like: .max)
    },
    refused(.mismatch, "an unsigned integer of 64 bits") {
      try boxes($0).insert(Box(id: -1))
      _ = try HugeHelper(store: DataStore($0)).findAll()
    },
    refused(.full, "database or disk is full") {
      let boxes = try boxes($0)
      try boxes.insert(Box(id: .max))
      // Of the keys that are left SQLite tries some: none may be.
      try $0.execute("CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)")
      defer { try? boxes.store.close() }
      try $0.execute("INSERT INTO t VALUES (\(Int.max))")
      try $0.execute("INSERT INTO t VALUES (NULL)")
    },
    refusedInFolder(.cannotOpen, "cannot use the database") { _, folder in
      try DataStore(folder, opening: .openOrCreate).createTables([])
    },
  ]

  /// A step that runs code.
  private static func step(
    _ code: SQLiteError.ResultCode, _ part: String, line: Int = #line,
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void
  ) -> Mistake {
    refused(code, part, line: line) {
      try $0.set(.foreignKeys, to: true)
      try $0.migrate([Migration(to: 1, "step", body)])
    }
  }

  /// Empty steps to some versions.
  private static func versions(_ versions: Int32...) -> [Migration] {
    versions.map { Migration(to: $0, "to \($0)") }
  }

  static let migrationMisuses: [Mistake] = [
    returned("[1]") { try $0.migrate(versions(1)).map(\.version) },
    returned("[2147483647]") { try $0.migrate(versions(.max)).map(\.version) },
    refused(.misuse, "after version 0: versions must") { try $0.migrate(versions(.min)) },
    returned("[1, 2]") {
      try $0.set(.userVersion, to: .min)
      return try $0.migrate(versions(1, 2)).map(\.version)
    },
    returned("[1] 2") { connection in
      var found: [Int32] = []
      try connection.migrate(versions(1, 2)) { step in
        found.append(step.version)
        _ = try? connection.migrate(versions(1, 2))
      }
      return "\(found) \(try connection.value(of: .userVersion))"
    },
    refused(.misuse, "the connection is closed") { connection in
      try connection.migrate(versions(1, 2)) { _ in try? connection.close() }
    },
    refused(.range, "migration to 1 (): ") {
      try $0.migrate([Migration(to: 1, "", "DELETE FROM words WHERE id = \(UInt64.max)")])
    },
    step(.abortRollback, "has already ended") { connection throws(SQLiteError) in
      try connection.execute("COMMIT")
    },
    step(.abortRollback, "has already ended") { connection throws(SQLiteError) in
      try connection.execute("ROLLBACK")
    },
    step(.misuse, "cannot run within a transaction") { connection throws(SQLiteError) in
      try connection.migrate([Migration(to: 2, "inner")])
    },
    step(.constraintForeignKey, "has no parent in absent") { connection throws(SQLiteError) in
      try connection.execute(
        script: "CREATE TABLE t (a REFERENCES absent (id)); INSERT INTO t VALUES (99)")
    },
    step(.error, "cannot VACUUM") { connection throws(SQLiteError) in
      try connection.execute("VACUUM")
    },
    step(.warning, "migration to 1 (step): so what") { _ throws(SQLiteError) in
      throw SQLiteError(.warning, "so what")
    },
    refusedInFolder(.readOnly, "readonly database") { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).migrate(versions(1))
    },
  ]

  /// A value that SQLite reads differently, or refuses.
  private static func setting<Value: Equatable & Sendable>(
    _ pragma: Pragma<Value>, _ value: Value, _ part: String, line: Int = #line
  ) -> Mistake {
    refused(.error, part, line: line) { try $0.set(pragma, to: value) }
  }

  static let settingMisuses: [Mistake] = [
    setting(.pageSize, 0, "page_size was set to 0, but is 4096"),
    setting(.pageSize, .min, "but is 4096"),
    setting(.maximumPageCount, .min, "max_page_count was set to"),
    setting(.mmapSize, .min, "mmap_size was set to"),
    setting(.mmapSize, .max, "mmap_size was set to"),
    setting(.workerThreads, -1, "threads was set to -1"),
    setting(.workerThreads, .max, "threads was set to"),
    setting(.analysisLimit, .min, "analysis_limit was set to"),
    setting(.cacheSize, .pages(.min), "cache_size was set to"),
    setting(.cacheSize, .pages(.max), "cache_size was set to"),
    setting(.cacheSize, .kibibytes(.max), "cache_size was set to"),
    setting(.journalSizeLimit, .min, "journal_size_limit was set to"),
    returned("\(Int.max)") {
      try $0.set(.journalSizeLimit, to: .max)
      return try $0.value(of: .journalSizeLimit)
    },
    returned("true") { connection in (try? connection.set(.walAutocheckpoint, to: .max)) == nil },
    refusedInFolder(.readOnly, "readonly database") { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).set(.userVersion, to: 1)
    },
    refused(.error, "no such table: ") { _ = try $0.faults(.structure, ofTable: "") },
    refused(.misuse, "as a number") { _ = try $0.faults(.structure, ofTable: "+-3 words") },
    refused(.misuse, "the SQL contains a NUL character") {
      _ = try $0.faults(.structure, ofTable: "words\0")
    },
    returned("[0, 1, 1]") { connection in
      try connection.execute(
        script: "CREATE TABLE t (a REFERENCES words (id)); INSERT INTO t VALUES (99)")
      return try [0, .min, .max].map { try connection.foreignKeyViolations(limit: $0).count }
    },
    returned("2147483647 0 5.0 seconds") { connection in
      var waits: [Int64] = []
      for seconds in [Int64.max, .min] {
        connection.busyTimeout = .seconds(seconds)
        waits.append(try connection.value(of: "PRAGMA busy_timeout")?.integerValue ?? -1)
      }
      try connection.close()
      connection.busyTimeout = .seconds(5)
      return "\(waits[0]) \(waits[1]) \(connection.busyTimeout)"
    },
  ]

  /// Runs a statement while a handler is set.
  private static func tracing(
    _ connection: Connection, _ handler: @escaping (TraceEvent) -> Void
  ) throws {
    connection.traceHandler = handler
    for _ in 0..<3 { try connection.execute("UPDATE words SET word = 'x'") }
  }

  private final class Count { var value = 0 }

  private static func set(_ count: Count, on connection: Connection) {
    connection.traceHandler = { [unowned connection] _ in
      count.value += 1
      set(count, on: connection)
    }
  }

  static let otherMisuses: [Mistake] = [
    refusedInFolder(.misuse, "into itself") { connection, folder in
      try connection.backUp(
        to: folder + "/../" + (folder.split(separator: "/").last ?? "") + "/a.sqlite",
        opening: .openOrCreate)
    },
    refused(.misuse, "the connection is closed") {
      let target = try Connection.inMemory()
      try target.close()
      try $0.backUp(into: target)
    },
    refused(.busy, "the connection is the target of a running backup") {
      let target = try Connection.inMemory()
      try $0.backUp(into: target, pagesPerStep: 1) { _ throws(SQLiteError) in
        try target.bulkInsert(intoTable: words) { _ in }
      }
    },
    returned("2") {
      let target = try Connection.inMemory()
      try $0.backUp(into: target, pagesPerStep: 1) { _ in
        target.interrupter.interrupt()
        target.busyTimeout = .seconds(1)
      }
      return try target.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    refused(.interrupted, "interrupted") { connection in
      try connection.forEachRow(of: "SELECT * FROM words") { _ in connection.interrupter.interrupt()
      }
    },
    refused(.misuse, "the connection is closed") { connection in
      try connection.interruptingOnCancellation { () throws(SQLiteError) in
        try connection.close()
        try connection.execute("SELECT 1")
      }
    },
    returned("1") { connection in
      var count = 0
      try tracing(connection) { [unowned connection] _ in
        count += 1
        connection.traceHandler = nil
      }
      return count
    },
    returned("6") { connection in
      let count = Count()
      set(count, on: connection)
      for _ in 0..<3 { try connection.execute("UPDATE words SET word = 'x'") }
      return count.value
    },
    returned("5.0 seconds") { connection in
      try tracing(connection) { [unowned connection] _ in
        connection.busyTimeout = .seconds(5)
        connection.interrupter.interrupt()
      }
      return connection.busyTimeout
    },
  ]
}
