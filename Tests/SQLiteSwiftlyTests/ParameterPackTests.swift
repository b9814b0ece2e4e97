import SQLiteSwiftly
import Testing

/// Values as the arguments of a call.
struct ParameterPackTests {
  private let name = "Tyre"
  private let none = String?.none
  private let bytes: [UInt8] = [1, 2]

  /// The rows of a cursor.
  private func all(_ rows: consuming Cursor) throws -> [[SQLiteValue]] {
    var values: [[SQLiteValue]] = []
    while let row = try rows.next() { values.append(try row.values) }
    return values
  }

  @Test func `the arguments of a run are its values`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a, b)")
    var insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
    try insert.run(1, name)
    try insert.run(none, bytes)
    try insert.run(.null, true)
    try insert.run(.text("x"), 1.5)
    try insert.run([1, 2])
    try insert.run([name, nil])
    #expect(
      try connection.query("SELECT a, b FROM t") == [
        [1, "Tyre"], [.null, .blob([1, 2])], [.null, 1], ["x", 1.5], [1, 2], ["Tyre", .null],
      ])
  }

  @Test func `a literal in brackets is a list of values, and bytes are one blob`() throws {
    var types = try Connection.inMemory().prepare("SELECT typeof(?1), ?1")
    let bytes = bytes
    #expect(try all(types.rows([1])) == [["integer", 1]])
    #expect(try all(types.rows(bytes)) == [["blob", .blob([1, 2])]])
    #expect(try all(types.rows([1, 2] as [UInt8])) == [["blob", .blob([1, 2])]])
    #expect(try all(types.rows([bytes])) == [["blob", .blob([1, 2])]])
    #expect(try all(types.rows(Optional(bytes))) == [["blob", .blob([1, 2])]])
    #expect(try all(types.rows([nil])) == [["null", .null]])
    #expect(try all(types.rows(none)) == [["null", .null]])
    #expect(try all(types.rows(.null)) == [["null", .null]])
    #expect(try all(types.rows([name])) == [["text", "Tyre"]])
    #expect(try failure { _ = try all(types.rows([1, 2])) }.message.hasSuffix(": 1 extra value"))
    #expect(
      try failure { _ = try all(types.rows()) }.message.hasSuffix("parameter 1 (?1) has no value"))
    #expect(
      try failure { _ = try all(types.rows([])) }.message.hasSuffix("parameter 1 (?1) has no value")
    )
  }

  @Test func `arguments in addition to interpolated values are an error`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a, b)")
    var insert = try connection.prepare("INSERT INTO t VALUES (\(1), \(2))")
    #expect(try failure { try insert.run(1, 2) }.code == .misuse)
    try insert.run()
    try insert.run([])
    try insert.run([:])
    #expect(try connection.query("SELECT * FROM t") == [[1, 2], [1, 2], [1, 2]])
  }

  @Test func `the arguments of an insert are the columns in their order`() throws {
    let connection = try Connection.inMemory(with: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    try insert.insert(1, "one")
    try insert.insert(2, none)
    try insert.insert(.null, .null)
    try insert.insert([4, "four"])
    try insert.insert([5, none])
    try insert.insert([6, nil])
    #expect(
      try connection.rows(of: "words") == [
        [1, "one"], [2, .null], [3, .null], [4, "four"], [5, .null], [6, .null],
      ])
    #expect(try failure { try insert.insert(UInt64.max, "x") }.code == .range)
    #expect(try failure { try insert.insert([UInt64.max, name]) }.code == .range)
    #expect(
      try failure { try insert.insert(7) }.message
        == "expected 2 values for words (columns: id, word), found 1")
    #expect(
      try failure { try insert.insert() }.message
        == "expected 2 values for words (columns: id, word), found 0")
    #expect(
      try failure { try insert.insert(bytes) }.message
        == "expected 2 values for words (columns: id, word), found 1")
    #expect(try connection.value(of: "SELECT count(*) FROM words") == 6)
  }
}
