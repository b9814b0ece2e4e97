import SQLiteSwiftly
import Testing

struct BoundTextTests {
  /// Lengths around those at which a string, or the memory for texts, is kept in another way.
  private static let lengths = [0, 1, 15, 16, 2048, 4095, 4096, 4097, 1_000_000]

  private func text(_ length: Int, _ seed: Int) -> String {
    String(repeating: ["a", "b", "c", "d", "e", "f", "g"][seed % 7], count: length)
  }

  @Test("X-3 X-9 texts of all lengths are stored unchanged, row after row")
  func lengthsOfTexts() throws {
    let connection = try Connection.inMemory()
    let names = ["a", "b", "c"]
    let table = TableDescription(
      "texts", columns: names.map { ColumnDescription($0, .text) }, primaryKey: names)
    try connection.createTable(describedBy: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    var expected: [[SQLiteValue]] = []
    for first in Self.lengths {
      for second in Self.lengths where first < 1_000_000 || second < 1_000_000 {
        let row = expected.count
        let texts = [text(first, row), text(second, row + 1), "row \(row)"]
        try insert.insert(texts.map { .text($0) })
        expected.append(texts.map { .text($0) })
      }
    }
    #expect(expected.count == 80)
    let rows = try connection.query(
      "SELECT a, b, c FROM texts ORDER BY CAST(substr(c, 5) AS INTEGER)")
    // The rows themselves would be pages of letters.
    let wrong = zip(rows, expected).filter { $0 != $1 }.map { $1[2].textValue }
    #expect(rows.count == 80 && wrong == [])
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `values are read alike in every encoding of a file`(encoding: String) throws {
    let connection = try Connection.inMemory()
    switch encoding {
    case "UTF-16le": _ = try connection.query("PRAGMA encoding = 'UTF-16le'")
    case "UTF-16be": _ = try connection.query("PRAGMA encoding = 'UTF-16be'")
    default: break
    }
    try connection.execute("CREATE TABLE t (a, b, c, d, e, f, g)")
    try connection.execute("INSERT INTO t VALUES ('Gräne 🧱', '', X'00FF41', X'', 12, 1.5, NULL)")
    #expect(try connection.value(of: "PRAGMA encoding") == .text(encoding))
    var statement = try connection.prepare("SELECT * FROM t")
    var rows = statement.rows()
    guard let row = try rows.next() else { return }
    let expected: [[UInt8]?] = [
      Array("Gräne 🧱".utf8), [], [0, 0xff, 0x41], [], Array("12".utf8), Array("1.5".utf8), nil,
    ]
    for column in 0..<7 {
      #expect(try row.bytes(at: column) == expected[column])
      #expect(try row.withBytes(at: column) { $0.count } == expected[column]?.count)
      // The text that was read is unchanged.
      #expect(try row.isNull(at: column) == (expected[column] == nil))
    }
    #expect(try row.integer(at: 4) == 12 && row.real(at: 5) == 1.5)
    #expect(try row.text(at: 0) == "Gräne 🧱" && row.text(at: 1) == "" && row.text(at: 6) == nil)
    let values = try row.values
    #expect(values == ["Gräne 🧱", "", .blob([0, 0xff, 0x41]), .blob([]), 12, .real(1.5), .null])
  }
}
