import Testing

@testable import SQLiteSwiftly

/// The events between two runs of a statement, on its connection or on another one.
enum Incident: CaseIterable {
  case nothing, constraintFailure, wrongValues, busy, fullRead, partialRead, failedDecoding,
    otherStatements, columnAdded, columnRenamedAndBack, tableMadeAnew, tableMissingMeanwhile,
    rolledBack, savepointUndone, rolledBackBySQLite, refusedClosing

  /// Whether the table is empty after it.
  var emptiesTable: Bool { self == .tableMadeAnew || self == .tableMissingMeanwhile }
}

/// A statement that inserts a word, and one that reads the words, each in the two forms there are.
private final class Statements {
  var insert: InsertStatement
  var change: PreparedStatement
  var query: PreparedStatement

  init(_ connection: Connection) throws(SQLiteError) {
    insert = try connection.prepareInsertIntoTable(describedBy: words)
    change = try connection.prepare("INSERT INTO words (id, word) VALUES (:id, :word)")
    query = try connection.prepare("SELECT id, word FROM words WHERE id >= ? ORDER BY id")
  }

  /// Runs both inserts, the second one with the next id.
  func insertTwo(_ id: Int64, _ word: SQLiteValue) throws(SQLiteError) {
    try insert.insert([.integer(id), word])
    try change.run(["id": .integer(id + 1), "word": word])
  }

  /// Leaves a read after its first row.
  func readOneRow() throws(SQLiteError) { _ = try firstValue(of: &query, [0]) }
}

/// The first column of the first row, without a look at further rows.
private func firstValue(
  of statement: inout PreparedStatement, _ parameters: SQLParameters = .none
) throws(SQLiteError) -> SQLiteValue? {
  var rows = statement.rows(parameters)
  guard let row = try rows.next() else { return nil }
  return try row.value(at: 0)
}

/// Statements that are run again after any result.
struct StatementStateTests {
  @Test(
    "SW-15 SW-19 SW-60 X-1 X-3 every statement runs again, whatever came between",
    arguments: Incident.allCases)
  func incidents(incident: Incident) throws {
    try withFiles { connection, other in
      let statements = try Statements(connection)
      try statements.insertTwo(1, "one")
      try happen(incident, statements, connection, other)
      #expect(try !connection.isInTransaction)
      // A value of an earlier run would show in place of NULL.
      try statements.insertTwo(11, .null)
      try statements.insertTwo(21, "three")
      let old: [[SQLiteValue]] = incident.emptiesTable ? [] : [[1, "one"], [2, "one"]]
      let new: [[SQLiteValue]] = [[11, .null], [12, .null], [21, "three"], [22, "three"]]
      #expect(try statements.query.query([0]) == old + new)
      #expect(try statements.query.query([22]) == [[22, "three"]])
      // Nothing is left open: all is committed, and others can write.
      #expect(try other.query("SELECT id, word FROM words ORDER BY id") == old + new)
      try other.execute("DELETE FROM words")
      #expect(try statements.query.query([0]) == [])
    }
  }

  private func happen(
    _ incident: Incident, _ statements: Statements, _ connection: Connection, _ other: Connection
  ) throws {
    switch incident {
    case .nothing: break
    case .constraintFailure:
      #expect(try failure { try statements.insertTwo(1, "two") }.code == .constraint)
      #expect(try failure { try statements.change.run([1, "two"]) }.code == .constraint)
    case .wrongValues:
      #expect(try failure { try statements.insert.insert([7]) }.code == .range)
      #expect(try failure { try statements.change.run(["id": 7, "w": "x"]) }.code == .range)
      #expect(try failure { _ = try statements.query.query(["id": 7]) }.code == .range)
    case .busy:
      try other.execute("BEGIN EXCLUSIVE")
      #expect(try failure { try statements.insert.insert([7, "x"]) }.code == .busy)
      #expect(try failure { try statements.change.run([7, "x"]) }.code == .busy)
      #expect(try failure { _ = try statements.query.query([0]) }.code == .busy)
      // Somebody who reads would be in the way of this commit.
      try other.execute("COMMIT")
    case .fullRead: #expect(try statements.query.query([0]).count == 2)
    case .partialRead: try statements.readOneRow()
    case .failedDecoding:
      try expectFailure(.mismatch) { _ = try statements.query.query([0], as: String.self) }
      let other = TableDescription("t", columns: [ColumnDescription("z", .text)], primaryKey: [])
      try expectFailure(.misuse) { _ = try statements.query.query([0], describedBy: other) }
    case .otherStatements:
      try connection.execute("CREATE TABLE t AS SELECT * FROM words")
      try connection.transaction { try connection.execute("UPDATE t SET word = 'other'") }
    default: try change(incident, statements, connection)
    }
  }

  /// Events that change the schema, or undo changes.
  private func change(
    _ incident: Incident, _ statements: Statements, _ connection: Connection
  ) throws {
    switch incident {
    case .columnAdded: try connection.execute("ALTER TABLE words ADD COLUMN more TEXT")
    case .columnRenamedAndBack:
      try connection.execute("ALTER TABLE words RENAME COLUMN word TO name")
      let column = try failure { try statements.insertTwo(7, "x") }
      #expect(column.message == "table words has no column named word")
      #expect(try failure { try statements.readOneRow() }.message == "no such column: word")
      try connection.execute("ALTER TABLE words RENAME COLUMN name TO word")
    case .tableMadeAnew:
      try connection.execute("DROP TABLE words")
      try connection.execute("CREATE TABLE words (more, word TEXT, id INTEGER)")
    case .tableMissingMeanwhile:
      try connection.execute("DROP TABLE words")
      try expectFailure("no such table: words") { try statements.insertTwo(7, "x") }
      #expect(try failure { try statements.readOneRow() }.message == "no such table: words")
      try connection.createTable(describedBy: words)
    case .rolledBack, .savepointUndone:
      try? connection.transaction {
        try statements.insertTwo(7, "x")
        try statements.readOneRow()
        throw CancellationError()
      }
    case .rolledBackBySQLite:
      try expectFailure(extended: .abortRollback) {
        try connection.transaction {
          try statements.insertTwo(7, "x")
          try? connection.execute("INSERT OR ROLLBACK INTO words VALUES (1, 'x')")
          try statements.insertTwo(9, "x")
        }
      }
    case .refusedClosing: #expect(try failure { try connection.close() }.code == .busy)
    default: Issue.record("\(incident) does not happen")
    }
  }

  @Test func `SW-60 a cursor of an earlier run has ended, and does not affect the later one`()
    throws
  {
    let connection = try Connection.inMemory()
    let statement = try Statement("VALUES (1), (2), (3)", on: connection)
    var later = Cursor(statement, .none)
    do {
      var earlier = Cursor(statement, .none)
      #expect(try earlier.advance())
      #expect(try later.advance())
      do {
        _ = try earlier.advance()
        Issue.record("the run is over")
      } catch {
        #expect(error.code == .misuse)
        #expect(error.message == "another run of the statement has begun")
      }
    }
    #expect(try later.advance())
    #expect(try later.row.integer(at: 0) == 2)
    #expect(try later.advance())
    #expect(try !later.advance())
    // A further step would begin again.
    #expect(try !later.advance())
  }

  @Test func `SW-60 X-1 X-2 X-11 an error between the rows is thrown and ends them`() throws {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare(
      "SELECT abs(column1) FROM (VALUES (1), (-2), (\(Int64.min)), (4))")
    for _ in 0..<2 {
      var found: [Int64?] = []
      var rows = statement.rows()
      do {
        while let row = try rows.next() { found.append(try row.integer(at: 0)) }
        Issue.record("the third row is an error")
      } catch {
        #expect(error.code == .error && error.message == "integer overflow")
      }
      #expect(found == [1, 2])
      var isOver = false
      if try rows.next() == nil { isOver = true }
      #expect(isOver)
    }
  }

  @Test func `SW-62 a failed commit is reported although a row was returned`() throws {
    try withFiles { connection, reader in
      var failures: [SQLiteError] = []
      connection.traceHandler = { if case .failed(let error) = $0 { failures.append(error) } }
      try reader.execute("BEGIN")
      #expect(try reader.rows(of: "words") == [])
      let error = try failure {
        _ = try connection.value(of: "INSERT INTO words VALUES (1, 'one') RETURNING id")
      }
      #expect(error.code == .busy)
      #expect(failures == [error])
      var insert = try connection.prepare("INSERT INTO words VALUES (2, 'two') RETURNING id")
      #expect(try firstValue(of: &insert) == 2)
      #expect(failures.map(\.code) == [.busy, .busy])
      #expect(try connection.rows(of: "words") == [])
      try reader.execute("COMMIT")
      #expect(try firstValue(of: &insert) == 2)
      #expect(try connection.value(of: "INSERT INTO words VALUES (3, '') RETURNING id") == 3)
      #expect(try reader.rows(of: "words") == [[2, "two"], [3, ""]])
      #expect(failures.count == 2)
    }
  }

  /// Gives `body` two connections to a file with an empty table of words.
  private func withFiles(_ body: (Connection, Connection) throws -> Void) throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      try body(connection, try Connection(path, opening: .openExisting))
    }
  }
}
