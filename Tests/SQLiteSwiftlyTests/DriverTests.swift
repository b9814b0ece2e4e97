import SQLiteSwiftly
import Testing

/// The requirements of a query builder on the layer that runs its queries.
struct DriverTests {
  /// The least that a query builder makes: text and values, and nothing that runs them.
  private struct Built: SQLQuery {
    var text: String
    var values: [SQLiteValue] = []

    /// Inserts rows, of which there may be none.
    static func insertion(of rows: [(Int64, String)]) -> Built {
      guard !rows.isEmpty else { return Built(text: "") }
      let tuples = rows.map { _ in "(?, ?)" }.joined(separator: ", ")
      return Built(
        text: "INSERT INTO words VALUES \(tuples)",
        values: rows.flatMap { [.integer($0.0), .text($0.1)] })
    }
  }

  @Test func `SQ-1 SQ-19 a builder's query is run in every form`() throws {
    let connection = try Connection.inMemory(with: words)
    try connection.execute(SQL(Built.insertion(of: [(1, "one"), (2, "two")])))
    let select = SQL(
      Built(text: "SELECT id, word FROM words WHERE id > ? ORDER BY id", values: [0]))
    #expect(try connection.query(select) == [[1, "one"], [2, "two"]])
    #expect(try connection.value(of: select) == 1)
    let pairs = try connection.query(select) { decoder throws(SQLiteError) in
      (try decoder.decode(Int.self), try decoder.decode(String.self))
    }
    #expect(pairs.map(\.0) == [1, 2] && pairs.map(\.1) == ["one", "two"])
    let tuples = try connection.query(select, as: Columns<Int, String>.self)
    #expect(tuples.map(\.values.1) == ["one", "two"])
    let rows = try connection.query(select, describedBy: words)
    #expect(rows.map { $0["word"] } == ["one", "two"])
    var seen: [Int64?] = []
    try connection.forEachRow(of: select) { row in seen.append(try row.integer(at: 0)) }
    #expect(seen == [1, 2])
  }

  @Test func `SQ-19 a closure decodes freely, and its errors end the query`() throws {
    let connection = try Connection.inMemory(with: words)
    try connection.execute(SQL(Built.insertion(of: [(1, "one"), (2, "two"), (3, "three")])))
    var count = 0
    try expectFailure("column 1 (id): expected text, found an integer") {
      _ = try connection.query("SELECT word, id FROM words ORDER BY id", decoding: .strict) {
        decoder throws(SQLiteError) in
        count += 1
        _ = try decoder.decode(String.self)
        return count < 2
          ? try decoder.decode(Int.self).map(String.init)
          : try decoder.decode(String.self)
      }
    }
    #expect(count == 2)
    try connection.execute("DROP TABLE words")
  }

  @Test func `SQ-21 an empty query runs nothing and returns no rows`() throws {
    let connection = try Connection.inMemory(with: words)
    var events: [TraceEvent] = []
    connection.traceHandler = { events.append($0) }
    let nothing = SQL(Built.insertion(of: []))
    try connection.execute(nothing)
    #expect(try connection.query(nothing) == [])
    #expect(try connection.query(nothing, as: Int.self) == [])
    #expect(try connection.query(nothing) { _ in 1 } == [])
    #expect(try connection.value(of: nothing) == nil)
    var isCalled = false
    try connection.forEachRow(of: nothing) { _ in isCalled = true }
    #expect(!isCalled && events == [])
    // A statement can be made of none, though, and values have no parameter there.
    #expect(try failure { _ = try connection.prepare(nothing).text }.code == .misuse)
    let orphan = SQL(Built(text: "", values: [1]))
    #expect(try failure { try connection.execute(orphan) }.code == .misuse)
    #expect(try failure { _ = try connection.query(nothing, [1]) }.code == .misuse)
  }

  @Test func `SQ-22 every kind of value is bound as its own class`() throws {
    let connection = try Connection.inMemory()
    let nothing: Double? = nil
    let rows = try connection.query(
      """
      SELECT typeof(\([1, 2] as [UInt8])), typeof(\(true)), typeof(\(2.0)), typeof(\(Int64.min)),
        typeof(\(nothing)), typeof(\("text")), typeof(\(UInt8.max)), \(UInt64(Int64.max)),
        \(UInt32.max), \(Int8.min), \(false), \(Float(0.5))
      """)
    let expected: [SQLiteValue] = [
      "blob", "integer", "real", "integer", "null", "text", "integer", .integer(.max),
      4_294_967_295, -128, 0, 0.5,
    ]
    #expect(rows == [expected])
  }

  /// A value that has no form in SQLite.
  private struct Invalid: SQLiteValueConvertible {
    var sqliteValue: SQLiteValue { get throws(SQLiteError) { try UInt64.max.sqliteValue } }
  }

  @Test func `SQ-22 a value without a form is an error, and nothing is run`() throws {
    let connection = try Connection.inMemory(with: words)
    let insertions: [SQL] = [
      "INSERT INTO words VALUES (\(UInt64.max), NULL)",
      "INSERT INTO words VALUES (\(UInt.max), NULL)",
      "INSERT INTO words VALUES (\(UInt64(Int64.max) + 1), NULL)",
      "INSERT INTO words VALUES (\(1), \(Invalid()))",
      "INSERT INTO words SELECT \(1), \(sql: "\(Invalid())")",
      "INSERT INTO words VALUES (\(1), \(Optional(Invalid())))",
    ]
    for insertion in insertions {
      let error = try failure { try connection.execute(insertion) }
      #expect(
        error.code == .range
          && error.message.hasSuffix("does not fit into SQLite's 64-bit integers"))
      #expect(try failure { _ = try connection.query(insertion) } == error)
      #expect(try failure { _ = try connection.prepare(insertion).text } == error)
    }
    #expect(try connection.rows(of: "words") == [])
  }
}
