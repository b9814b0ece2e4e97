import SQLiteSwiftly
import Testing

/// Models that are made of a row, tuples, and closures.
struct RowModelTests {
  private struct Theme: RowDecodable, Equatable {
    var (id, name, parent): (Int, String, Int?)

    init(_ id: Int, _ name: String, _ parent: Int?) {
      (self.id, self.name, self.parent) = (id, name, parent)
    }

    init(row: borrowing Row) throws(SQLiteError) {
      (id, name, parent) = (try row["id"], try row["name"], try row["parent_id"])
    }

    static func == (left: Theme, right: Theme) -> Bool {
      (left.id, left.name, left.parent) == (right.id, right.name, right.parent)
    }
  }

  private struct Pair: QueryDecodable, Equatable {
    var first: Int?
    var second: String

    init(_ first: Int?, _ second: String) { (self.first, self.second) = (first, second) }

    init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
      decoder: inout Decoder
    ) throws(Decoder.Failure) {
      first = try decoder.decode(Int.self)
      second = try String(decoder: &decoder)
    }
  }

  private enum Own: Error { case failure }

  private func makeThemes() throws -> Connection {
    try Connection.inMemory(
      after: "CREATE TABLE themes (id INTEGER PRIMARY KEY, name TEXT, parent_id INT)",
      "INSERT INTO themes VALUES (1, 'Technic', NULL), (2, 'Arctic', 1), (3, 'Castle', '1x')")
  }

  @Test func `models read columns by name`() throws {
    let connection = try makeThemes()
    let themes = try connection.query("SELECT * FROM themes WHERE id < 3", as: Theme.self)
    #expect(themes == [Theme(1, "Technic", nil), Theme(2, "Arctic", 1)])
    let turned = try connection.query(
      "SELECT 0, parent_id, NAME, id FROM themes WHERE id = :id", ["id": 2], as: Theme.self)
    #expect(turned == [Theme(2, "Arctic", 1)])
    var statement = try connection.prepare("SELECT * FROM themes WHERE id = ?")
    for id in 1...2 { #expect(try statement.query([id], as: Theme.self) == [themes[id - 1]]) }
    #expect(try connection.query("SELECT * FROM themes WHERE false", as: Theme.self) == [])
    #expect(try connection.query("", as: Theme.self) == [])
  }

  @Test func `the rows that a statement has written after the first are kept`() throws {
    let connection = try makeThemes()
    let first = try connection.first(
      "UPDATE themes SET name = 'x' RETURNING id, name, parent_id", as: Theme.self)
    #expect(first == Theme(1, "x", nil))
    #expect(try connection.value(of: "SELECT count(*) FROM themes WHERE name = 'x'") == 3)
    try connection.close()
  }

  @Test func `strictness reaches what a model reads by name or number`() throws {
    let connection = try makeThemes()
    let wrong: SQL = "SELECT * FROM themes WHERE id = 3"
    let themes = try connection.query(wrong, as: Theme.self, decoding: .lenient)
    #expect(themes == [Theme(3, "Castle", 1)])
    let error = try failure { _ = try connection.query(wrong, as: Theme.self) }
    #expect(error.code == .mismatch)
    #expect(error.message == "column 2 (parent_id): expected an integer, found text")
    var statement = try connection.prepare(wrong)
    #expect(try statement.query(as: Theme.self, decoding: .lenient).count == 1)
    #expect(try failure { _ = try statement.query(as: Theme.self) }.code == .mismatch)
  }

  /// A model that asks the row for a decoder.
  private struct ByDecoder: RowDecodable {
    let number: Int?
    init(row: borrowing Row) throws(SQLiteError) {
      var decoder = row.decoder()
      number = try decoder.decode(Int.self)
    }
  }

  @Test func `strictness reaches what a model reads by the row's decoder`() throws {
    let connection = try Connection.inMemory()
    let sql: SQL = "SELECT '1x'"
    #expect(try connection.first(sql, as: ByDecoder.self, decoding: .lenient)?.number == 1)
    #expect(try failure { _ = try connection.first(sql, as: ByDecoder.self) }.code == .mismatch)
  }

  @Test func `tuples read columns in order`() throws {
    let connection = try makeThemes()
    let sql: SQL = "SELECT id, name, parent_id FROM themes WHERE id <> ? ORDER BY id"
    let tuples = try connection.query(sql, [3], as: (Int, String, Int?).self)
    #expect(tuples.map(\.0) == [1, 2] && tuples.map(\.1) == ["Technic", "Arctic"])
    #expect(tuples.map(\.2) == [nil, 1])
    var one = try connection.prepare("SELECT id, name, parent_id FROM themes WHERE id = ?")
    let shorter = try one.query([1], as: (Int64, String?).self, decoding: .lenient)
    #expect(shorter.count == 1 && shorter[0] == (1, "Technic"))
    let converted = try one.query([3], as: (UInt8, String, Int).self, decoding: .lenient)
    #expect(converted.count == 1 && converted[0] == (3, "Castle", 1))
    #expect(
      try failure { _ = try one.query([3], as: (UInt8, String, Int).self) }.message
        == "column 2 (parent_id): expected an integer, found text")
    #expect(
      try failure { _ = try one.query([1], as: (Int, String, Int).self) }.message
        == "column 2 (parent_id): expected a value, found NULL; read it as an optional")
    #expect(
      try failure { _ = try one.query([1], as: (Int, String, Int?, Int?).self) }.message
        == "no column 3 in the row (it has 3 columns)")
    #expect(try connection.query("", as: (Int, Int).self).isEmpty)
  }

  @Test func `models in a tuple read the columns that they need`() throws {
    let rows = try Connection.inMemory().query(
      "SELECT 1, 2, 'b', NULL, 'd', X'05'", as: (Int, Pair, Pair, [UInt8]).self)
    #expect(rows.count == 1)
    #expect(rows[0] == (1, Pair(2, "b"), Pair(nil, "d"), [5]))
  }

  @Test func `closures need not declare their errors`() throws {
    let connection = try makeThemes()
    let sql: SQL = "SELECT name, id FROM themes WHERE id < 3 ORDER BY id"
    let tuples = try connection.query(sql) { (try $0.decode(String.self), try $0.decode(Int.self)) }
    #expect(tuples.map(\.0) == ["Technic", "Arctic"] && tuples.map(\.1) == [1, 2])
    let texts = try connection.query(sql) { row in
      let name = try String(decoder: &row)
      return "\(name) \(try Int(decoder: &row))"
    }
    #expect(texts == ["Technic 1", "Arctic 2"])
    #expect(try connection.query(sql) { _ in 7 } == [7, 7])
    var count = 0
    #expect(throws: Own.failure) {
      try connection.query(sql) { _ in
        count += 1
        throw Own.failure
      }
    }
    #expect(count == 1)
    try connection.close()
  }
}
