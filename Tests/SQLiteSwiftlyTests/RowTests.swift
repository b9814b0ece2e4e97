import SQLiteSwiftly
import Testing

struct RowTests {
  private func makeNumbers() throws -> PreparedStatement {
    let connection = try Connection.inMemory()
    return try connection.prepare("SELECT column1, column2 FROM (VALUES (1, 'one'), (2, 'two'))")
  }

  @Test func `a row kept beyond its step is an error`() throws {
    var statement = try makeNumbers()
    var rows = statement.rows()
    var last: Row?
    var count = 0
    while let row = try rows.next() {
      #expect(try row.integer(at: 0) == Int64(count + 1))
      last = row
      count += 1
    }
    #expect(count == 2)
    guard let last else { return }
    do {
      _ = try last.text(at: 1)
      Issue.record("the row is gone")
    } catch {
      #expect(error.code == .misuse)
      #expect(error.message == "the row is no longer valid: its cursor has moved on")
    }
  }

  @Test func `a decoder kept beyond its row is an error`() throws {
    var statement = try makeNumbers()
    var rows = statement.rows()
    var kept: SQLiteQueryDecoder?
    while let row = try rows.next() { kept = row.decoder() }
    do {
      _ = try kept?.decode(String.self)
      Issue.record("the row is gone")
    } catch {
      #expect(error.code == .misuse)
    }
  }

  @Test func `bytes are read in place`() throws {
    let connection = try Connection.inMemory()
    try connection.forEachRow(of: "SELECT 'a' || char(0) || 'b', X'00FF', '', X'', NULL, 12") {
      row in
      let bytes = try (0..<6).map { column in
        try row.withBytes(at: column) { span in span.indices.map { span[$0] } }
      }
      #expect(bytes == [[0x61, 0, 0x62], [0, 0xff], [], [], nil, [0x31, 0x32]])
      let copies = try (0..<6).map { try row.bytes(at: $0) }
      #expect(copies == bytes)
    }
  }

  @Test(arguments: [-1, 2, .max, .min])
  func `a missing column is an error`(column: Int) throws {
    var statement = try makeNumbers()
    var rows = statement.rows()
    guard let row = try rows.next() else { return }
    do {
      _ = try row.value(at: column)
      Issue.record("no such column")
    } catch {
      #expect(error.code == .range)
      #expect(error.message == "no column \(column) in the row (it has 2 columns)")
    }
  }
}
