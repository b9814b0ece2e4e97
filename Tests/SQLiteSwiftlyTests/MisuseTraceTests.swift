import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// Trace handlers that misuse the connection.
struct MisuseTraceTests {
  private static let refused = "the connection cannot be used in its own trace handler"

  /// The action of a handler while a statement runs, and its result.
  private static func handler(
    _ name: String, _ code: SQLiteError.ResultCode = .misuse, _ part: String = refused,
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      var first: (any Error)?
      connection.traceHandler = { _ in
        do { try body(connection) } catch { first = first ?? error }
      }
      try connection.execute("UPDATE words SET word = 'x'")
      connection.traceHandler = nil
      if let first { throw first }
    }
  }

  static let cases: [Misuse] = [
    handler("execute") { try $0.execute("SELECT 1") },
    handler("a script") { try $0.execute(script: "DELETE FROM words") },
    handler("query") { _ = try $0.query("SELECT 1") },
    handler("prepare") { _ = try $0.prepare("SELECT 1") },
    handler("close") { try $0.close() },
    handler("changes") { _ = try $0.changes },
    handler("isInTransaction") { _ = try $0.isInTransaction },
    handler("lastInsertedRowID") { _ = try $0.lastInsertedRowID },
    handler("a transaction") { try $0.transaction {} },
    handler("a bulk insert") { try $0.bulkInsert(intoTable: words) { _ in } },
    handler("a helper's insert") {
      try BoxHelper(store: DataStore($0)).insert(Box(id: 1))
    },
    handler("a helper's reading") { try BoxHelper(store: DataStore($0)).forEach { _ in } },
    handler("closing a store") { try DataStore($0).close() },
    handler("a backup") { try $0.backUp(into: .inMemory()) },
    handler("a backup into it") { try Connection.inMemory().backUp(into: $0) },
    handler("a migration") { try $0.migrate([Migration(to: 1, "step")]) },
    handler("a setting") { try $0.set(.foreignKeys, to: true) },
    handler("a schema") { _ = try $0.schema(ofTable: "words") },
    handler("a search for faults") { _ = try $0.faults(.full) },
    handler("work that stops on cancellation") {
      try $0.interruptingOnCancellation { () throws(SQLiteError) in }
    },
    Misuse("a handler that removes itself", gives: "1") { connection, _ in
      var count = 0
      connection.traceHandler = { [unowned connection] _ in
        count += 1
        connection.traceHandler = nil
      }
      for _ in 0..<3 { try connection.execute("UPDATE words SET word = 'x'") }
      return count
    },
    Misuse("a handler that sets itself anew", gives: "true") { connection, _ in
      let count = Count()
      set(count, on: connection)
      for _ in 0..<3 { try connection.execute("UPDATE words SET word = 'x'") }
      return count.value == 6
    },
    Misuse("a handler that sets a time to wait and interrupts", gives: "5.0 seconds") {
      connection, _ in
      connection.traceHandler = { [unowned connection] _ in
        connection.busyTimeout = .seconds(5)
        connection.interrupter.interrupt()
      }
      try connection.execute("UPDATE words SET word = 'x'")
      return connection.busyTimeout
    },
    Misuse("a handler in its own prepared insert", .misuse, refused) { connection, _ in
      let boxes = BoxHelper(store: DataStore(connection))
      try boxes.createTable()
      try boxes.insert(Box(id: 1))
      var first: (any Error)?
      connection.traceHandler = { _ in
        do { try boxes.insert(Box(id: 7)) } catch { first = first ?? error }
        do { try boxes.store.close() } catch {}
      }
      defer { try? boxes.store.close() }
      try boxes.insert(Box(id: 2))
      connection.traceHandler = nil
      if let first { throw first }
    },
    Misuse("a statement of before in the handler", .misuse, refused) { connection, _ in
      let kept = Kept(try connection.prepare("SELECT 1"))
      var first: (any Error)?
      connection.traceHandler = { _ in
        do { _ = try kept.statement.query() } catch { first = first ?? error }
      }
      try connection.execute("UPDATE words SET word = 'x'")
      connection.traceHandler = nil
      if let first { throw first }
    },
  ]

  private final class Count { var value = 0 }

  private final class Kept {
    var statement: PreparedStatement
    init(_ statement: consuming PreparedStatement) { self.statement = statement }
  }

  private static func set(_ count: Count, on connection: Connection) {
    connection.traceHandler = { [unowned connection] _ in
      count.value += 1
      set(count, on: connection)
    }
  }

  @Test(arguments: cases) func `a handler that uses its connection is reported`(misuse: Misuse)
    throws
  {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
