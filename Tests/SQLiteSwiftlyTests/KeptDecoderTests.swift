import SQLiteSwiftly
import Testing

/// Decoders that are copied, and kept longer than their row.
struct KeptDecoderTests {
  /// Texts that are too long to be kept in a string itself, and so are read from SQLite's memory.
  private static let sql: SQL =
    "SELECT column1, printf('%.*c', 1000, 'x') AS text, X'0102' FROM (VALUES (1), (2), (3))"

  /// How reading any of the columns fails.
  private func faults(_ decoder: SQLiteQueryDecoder) -> [SQLiteError.ResultCode?] {
    var copies = [decoder, decoder, decoder, decoder, decoder]
    func fault(_ body: () throws -> Void) -> SQLiteError.ResultCode? {
      do {
        try body()
        return nil
      } catch {
        return (error as? SQLiteError)?.code
      }
    }
    return [
      fault { _ = try copies[0].decode(String.self) },
      fault { _ = try copies[1].decode([UInt8].self) },
      fault { _ = try copies[2].decode(Int.self) }, fault { _ = try copies[3].decode(Double.self) },
      fault { _ = try copies[4].decode(Bool.self) }, fault { _ = try Int8(decoder: &copies[4]) },
    ]
  }

  private let gone = [SQLiteError.ResultCode?](repeating: .misuse, count: 6)

  @Test func `copies are read apart from each other`() throws {
    var statement = try Connection.inMemory().prepare(Self.sql)
    var rows = statement.rows()
    guard let row = try rows.next() else { return }
    var decoder = row.decoder()
    #expect(try decoder.decode(Int.self) == 1)
    var copy = decoder
    #expect(try decoder.decode(String.self)?.utf8.count == 1000)
    #expect(try copy.decode(String.self)?.utf8.count == 1000)
    #expect(try decoder.decode([UInt8].self) == [1, 2])
    #expect(try copy.decode([UInt8].self) == [1, 2])
    try expectFailure("no column 3 in the row (it has 3 columns)") { _ = try copy.decode(Int.self) }
  }

  @Test func `a decoder is invalid once the cursor has moved on`() throws {
    var statement = try Connection.inMemory().prepare(Self.sql)
    var kept: [SQLiteQueryDecoder] = []
    do {
      var rows = statement.rows()
      while let row = try rows.next() {
        for decoder in kept { #expect(faults(decoder) == gone) }
        kept.append(row.decoder())
        #expect(kept.last.map(faults) == [nil, nil, nil, nil, nil, nil])
      }
      for decoder in kept { #expect(faults(decoder) == gone) }
      #expect(try rows.next() == nil)
    }
    #expect(kept.count == 3)
    for decoder in kept { #expect(faults(decoder) == gone) }
    _ = try statement.query()
    for decoder in kept { #expect(faults(decoder) == gone) }
  }

  @Test func `a decoder is invalid once its cursor is gone`() throws {
    var statement = try Connection.inMemory().prepare(Self.sql)
    var kept: [SQLiteQueryDecoder] = []
    do {
      var rows = statement.rows()
      if let row = try rows.next() { kept.append(row.decoder()) }
    }
    #expect(kept.map(faults) == [gone])
    // The statement is at a row again, which is not that of the decoder.
    var rows = statement.rows()
    if let row = try rows.next() { kept.append(row.decoder()) }
    #expect(kept.map(faults) == [gone, [nil, nil, nil, nil, nil, nil]])
  }

  @Test func `a decoder of another schema is invalid`() throws {
    let connection = try Connection.inMemory(
      after: "CREATE TABLE t (a, b, c)", "INSERT INTO t VALUES (1, 'text', 3)")
    var statement = try connection.prepare("SELECT * FROM t")
    var kept: [SQLiteQueryDecoder] = []
    for change: SQL in [
      "ALTER TABLE t DROP COLUMN c", "ALTER TABLE t DROP COLUMN b", "ALTER TABLE t ADD COLUMN d",
    ] {
      do {
        var rows = statement.rows()
        if let row = try rows.next() { kept.append(row.decoder()) }
      }
      try connection.execute(change)
      _ = try statement.query()
      for decoder in kept { #expect(faults(decoder) == gone) }
    }
    #expect(kept.count == 3)
  }

  @Test func `a run that fails leaves no decoder at a row`() throws {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare(
      "SELECT abs(column1) FROM (VALUES (1), (-9223372036854775807 - 1))")
    var kept: SQLiteQueryDecoder?
    var rows = statement.rows()
    if let row = try rows.next() { kept = row.decoder() }
    do {
      _ = try rows.next()
      Issue.record("there is no such absolute value")
    } catch {
      #expect(error.message == "integer overflow")
    }
    #expect(kept.map(faults) == gone)
  }

  @Test func `a decoder keeps its statement, and so the connection is busy`() throws {
    let connection = try Connection.inMemory()
    var kept = try connection.query(Self.sql) { $0 }
    #expect(kept.map(faults) == [gone, gone, gone])
    #expect(try failure { try connection.close() }.code == .busy)
    for decoder in kept { #expect(faults(decoder) == gone) }
    kept = []
    try connection.close()
  }

  @Test func `a decoder may outlive its connection and statement`() throws {
    func keep() throws -> [SQLiteQueryDecoder] {
      let connection = try Connection.inMemory()
      var kept: [SQLiteQueryDecoder] = []
      try connection.forEachRow(of: Self.sql) { kept.append($0.decoder(decoding: .strict)) }
      var statement = try connection.prepare(Self.sql)
      var rows = statement.rows()
      if let row = try rows.next() { kept.append(row.decoder()) }
      return kept
    }
    let kept = try keep()
    #expect(kept.map(faults) == [gone, gone, gone, gone])
    #expect(kept[0].failure(.missingValue).code == .mismatch)
  }

  @Test func `a row stays readable whatever happens to its table`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a)")
    for letter in ["a", "b"] {
      try connection.execute("INSERT INTO t VALUES (printf('%.*c', 5000, \(letter)))")
    }
    var texts: [String] = []
    try connection.execute("BEGIN")
    try connection.forEachRow(of: "SELECT a, rowid FROM t") { row in
      var decoder = row.decoder()
      try connection.execute("UPDATE t SET a = printf('%.*c', 5000, 'z') WHERE rowid = 1")
      try connection.execute("DELETE FROM t WHERE rowid = \(try row["rowid"] as Int)")
      let text = try String(decoder: &decoder)
      #expect(try row["a"] == text)
      texts.append(text)
    }
    try connection.execute("ROLLBACK")
    #expect(texts == [String(repeating: "a", count: 5000), String(repeating: "b", count: 5000)])
    #expect(try connection.value(of: "SELECT count(*) FROM t WHERE a GLOB 'a*'") == 1)
  }
}
