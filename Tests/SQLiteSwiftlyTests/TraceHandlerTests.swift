import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// A use of a connection that its own trace handler might try.
struct HandlersUse: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The SQL that cannot be compiled.
  let sql: String?
  let use: @Sendable (HandlerSubject) throws -> Void

  init(
    _ name: String, sql: String? = nil,
    _ use: @escaping @Sendable (HandlerSubject) throws -> Void
  ) {
    (testDescription, self.sql, self.use) = (name, sql, use)
  }
}

/// A traced connection, with the objects created before.
final class HandlerSubject {
  let connection: Connection
  let store: DataStore
  let helper: WordHelper
  var insert: InsertStatement
  var select: PreparedStatement

  init() throws {
    connection = try .inMemory()
    try connection.createTable(describedBy: words)
    store = DataStore(connection)
    helper = WordHelper(store: store)
    insert = try connection.prepareInsertIntoTable(describedBy: words)
    select = try connection.prepare("SELECT word FROM words")
  }
}

struct WordHelper: DataHelper {
  static let table = words
  let store: DataStore

  static func values(of word: String) -> [(any SQLiteValueConvertible)?] { [nil as Int?, word] }

  static func model(from row: TableRow) throws(SQLiteError) -> String { try row.value("word") }
}

struct TraceHandlerTests {
  static let uses: [HandlersUse] = [
    HandlersUse("execute", sql: "DELETE FROM words") {
      try $0.connection.execute("DELETE FROM words")
    },
    HandlersUse("query", sql: "SELECT 1") { _ = try $0.connection.query("SELECT 1") },
    HandlersUse("value", sql: "SELECT 1") { _ = try $0.connection.value(of: "SELECT 1") },
    HandlersUse("forEachRow", sql: "SELECT 1") {
      try $0.connection.forEachRow(of: "SELECT 1") { _ in }
    },
    HandlersUse("prepare", sql: "SELECT 1") { _ = try $0.connection.prepare("SELECT 1") },
    HandlersUse("SQL that is wrong", sql: "no SQL") { try $0.connection.execute("no SQL") },
    HandlersUse("a prepared insert") { try $0.insert.insert([1, "one"]) },
    HandlersUse("a prepared query") { _ = try $0.select.query() },
    HandlersUse("a described query") { _ = try $0.select.query(describedBy: words) },
    HandlersUse("transaction") { try $0.connection.transaction {} },
    HandlersUse("migrate", sql: "PRAGMA user_version") { try $0.connection.migrate([]) },
    HandlersUse("a pragma", sql: "PRAGMA user_version") {
      _ = try $0.connection.value(of: .userVersion)
    },
    HandlersUse("setting a pragma", sql: "PRAGMA user_version = 3") {
      try $0.connection.set(.userVersion, to: 3)
    },
    HandlersUse("changes") { _ = try $0.connection.changes },
    HandlersUse("lastInsertedRowID") { _ = try $0.connection.lastInsertedRowID },
    HandlersUse("isInTransaction") { _ = try $0.connection.isInTransaction },
    HandlersUse("createTable") { try $0.connection.createTable(describedBy: words) },
    HandlersUse("backUp from it") { try $0.connection.backUp(into: .inMemory()) },
    HandlersUse("backUp into it") { try Connection.inMemory().backUp(into: $0.connection) },
    HandlersUse("interruptingOnCancellation") { try $0.connection.interruptingOnCancellation {} },
    HandlersUse("close") { try $0.connection.close() },
    HandlersUse("close the store") { try $0.store.close() },
    HandlersUse("insert by a helper") { try $0.helper.insert("two") },
    HandlersUse("find by a helper") { _ = try $0.helper.findAll() },
    HandlersUse("create by a helper") { try $0.helper.createTable() },
  ]

  static let message = "the connection cannot be used in its own trace handler"

  /// The SQLite error in the error of a connection or of a store.
  private func cause(_ error: any Error) -> SQLiteError? {
    switch error {
    case let error as SQLiteError: error
    case DataAccessError.datastoreConnection(let cause): cause
    default: nil
    }
  }

  @Test(arguments: uses)
  func `a trace handler cannot use its connection`(use: HandlersUse) throws {
    let subject = try HandlerSubject()
    var outcomes: [SQLiteError?] = []
    var events = 0
    subject.connection.traceHandler = { [unowned subject] _ in
      events += 1
      do { try use.use(subject) } catch { outcomes.append(cause(error)) }
    }
    _ = try subject.connection.query("SELECT 1")
    _ = try failure { try subject.connection.execute("no SQL") }
    // Compiled, run and failed; the handler's own actions are not traced.
    #expect(events == 3)
    #expect(
      outcomes == Array(repeating: SQLiteError(.misuse, Self.message, sql: use.sql), count: 3))
    subject.connection.traceHandler = nil
    #expect(try subject.connection.query("SELECT count(*) FROM words") == [[0]])
    try subject.insert.insert([1, "one"])
    #expect(try subject.helper.findAll() == ["one"])
  }

  @Test func `a helper's insert continues while its own is refused in the handler`() throws {
    let subject = try HandlerSubject()
    var outcomes: [SQLiteError?] = []
    subject.connection.traceHandler = { [unowned subject] _ in
      do { try subject.helper.insert("from within") } catch { outcomes.append(cause(error)) }
    }
    #expect(try subject.helper.insert("one") == 1)
    #expect(try subject.helper.insert("two") == 2)
    subject.connection.traceHandler = nil
    #expect(try subject.helper.findAll() == ["one", "two"])
    #expect(outcomes.allSatisfy { $0 == SQLiteError(.misuse, Self.message) })
    #expect(outcomes.count > 6)
  }

  @Test func `a handler may be set from within one`() throws {
    let subject = try HandlerSubject()
    var events: [String] = []
    subject.connection.traceHandler = { [unowned subject] _ in
      events.append("first")
      subject.connection.traceHandler = { [unowned subject] _ in
        events.append("second")
        subject.connection.traceHandler = nil
        // Without a handler there would be no recursion, but this one is still at work.
        do { try subject.insert.insert([9, "nine"]) } catch {
          events.append(cause(error)?.message ?? "another error")
        }
      }
    }
    try subject.insert.insert([1, "one"])
    _ = try subject.connection.query("SELECT 1")
    try subject.insert.insert([2, "two"])
    #expect(events == ["first", "second", Self.message])
    #expect(try subject.helper.findAll() == ["one", "two"])
  }

  @Test func `a handler may use another connection`() throws {
    let (connection, log) = (try Connection.inMemory(), try Connection.inMemory())
    try log.execute("CREATE TABLE log (text)")
    connection.traceHandler = { event in
      if case .prepared(let sql) = event {
        #expect(throws: Never.self) { try log.execute("INSERT INTO log VALUES (\(sql))") }
      }
    }
    try connection.execute("CREATE TABLE t (a)")
    #expect(try log.texts("SELECT text FROM log") == ["CREATE TABLE t (a)"])
  }
}
