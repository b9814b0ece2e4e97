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

  /// Every way of reading a column by its number.
  private static let accessors: [@Sendable (Row, Int) throws -> Void] = [
    { row, column in _ = try row.name(at: column) },
    { row, column in _ = try row.isNull(at: column) },
    { row, column in _ = try row.integer(at: column) },
    { row, column in _ = try row.real(at: column) },
    { row, column in _ = try row.text(at: column) },
    { row, column in _ = try row.bytes(at: column) },
    { row, column in _ = try row.withBytes(at: column) { $0.count } },
    { row, column in _ = try row.value(at: column) },
    { row, column in let _: Int? = try row[column] },
  ]

  @Test(arguments: [-1, 2, Int(Int32.max), Int(Int32.max) + 1, 1 << 32, .max, .min])
  func `a missing column is an error`(column: Int) throws {
    for read in Self.accessors {
      try expectFailure(.range, "no column \(column) in the row (it has 2 columns)") {
        var statement = try makeNumbers()
        var rows = statement.rows()
        if let row = try rows.next() { try read(row, column) }
      }
    }
  }
}
