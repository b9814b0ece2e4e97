import SQLiteSwiftly
import Testing

/// Columns that a row does not have, and decoders that are kept too long.
struct MisuseRowTests {
  private static let places = [-1, 2, Int(Int32.max), Int(Int32.max) + 1, 1 << 32, .max, .min]

  /// A look at the first row of words, which has two columns.
  private static func row(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    _ look: @escaping @Sendable (borrowing Row) throws(SQLiteError) -> Void
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      try connection.forEachRow(of: "SELECT id, word FROM words ORDER BY id", .none, look)
    }
  }

  /// Each way of reading a column by its number, with each number that there is none of.
  private static let numbers = places.flatMap { place in
    let part = "no column \(place) in the row (it has 2 columns)"
    return [
      row("name \(place)", .range, part) { row throws(SQLiteError) in _ = try row.name(at: place) },
      row("isNull \(place)", .range, part) { row throws(SQLiteError) in
        _ = try row.isNull(at: place)
      },
      row("integer \(place)", .range, part) { row throws(SQLiteError) in
        _ = try row.integer(at: place)
      },
      row("real \(place)", .range, part) { row throws(SQLiteError) in _ = try row.real(at: place) },
      row("text \(place)", .range, part) { row throws(SQLiteError) in _ = try row.text(at: place) },
      row("bytes \(place)", .range, part) { row throws(SQLiteError) in
        _ = try row.bytes(at: place)
      },
      row("withBytes \(place)", .range, part) { row throws(SQLiteError) in
        _ = try row.withBytes(at: place) { $0.count }
      },
      row("value \(place)", .range, part) { row throws(SQLiteError) in
        _ = try row.value(at: place)
      },
      row("subscript \(place)", .range, part) { row throws(SQLiteError) in
        let _: Int? = try row[place]
      },
    ]
  }

  private static let names = [
    row("a name of no column", .range, "no column `w` in the result (columns: id, word)") {
      row throws(SQLiteError) in let _: String = try row["w"]
    },
    row("no name", .range, "no column `` in the result (columns: id, word)") {
      row throws(SQLiteError) in
      let _: String = try row[""]
    },
    row("a name with a NUL", .range, "no column `id\0` in the result") { row throws(SQLiteError) in
      let _: Int = try row["id\0"]
    },
    row("two columns of a type of one", .range, "no column 2 in the row (it has 2 columns)") {
      row throws(SQLiteError) in let _: Pair = try row["word"]
    },
    row("two columns from the last number on", .range, "no column") {
      row throws(SQLiteError) in let _: Pair = try row[Int.max]
    },
    row("a word that is read as an integer of 8 bits", .mismatch, "column 0 (id)") {
      row throws(SQLiteError) in
      var decoder = row.decoder(decoding: .strict)
      _ = try decoder.decode(String.self)
    },
    row("a decoder beyond the end", .range, "no column 2") { row throws(SQLiteError) in
      var decoder = row.decoder()
      for _ in 0..<3 { _ = try decoder.decode(String.self) }
    },
    Misuse("a name of two columns", .range, "2 columns are named `A`") { connection, _ in
      try connection.forEachRow(of: "SELECT 1 AS a, 2 AS \"A\"") { row in
        let _: Int = try row["A"]
      }
    },
    Misuse("a decoder of a row that is gone", .misuse, "the row is no longer valid") {
      connection, _ in
      var kept = try connection.query("SELECT id FROM words") { $0 }
      _ = try kept[0].decode(Int.self)
    },
    Misuse("a decoder of a row before", .misuse, "the row is no longer valid") { connection, _ in
      var statement = try connection.prepare("SELECT id FROM words")
      var rows = statement.rows()
      guard var first = try rows.next()?.decoder() else { return }
      _ = try rows.next()
      _ = try first.decode(Int.self)
    },
    Misuse("a decoder that outlives all else", .misuse, "the row is no longer valid") { _, folder in
      var kept: SQLiteQueryDecoder?
      do {
        let connection = try Connection(folder + "/a.sqlite", opening: .readOnly)
        try connection.forEachRow(of: "SELECT id FROM words") {
          kept = $0.decoder(decoding: .strict)
        }
      }
      _ = try kept?.decode([UInt8].self)
    },
    Misuse(
      "an error of a decoder that is not at a column",
      gives: "column -1 (): expected a value, found NULL; read it as an optional"
    ) {
      connection, _ in
      try connection.query("SELECT id FROM words LIMIT 1") { $0.failure(.missingValue).message }[0]
    },
    Misuse("a connection that is closed with a decoder that is kept", .busy, "unable to close") {
      connection, _ in
      let kept = try connection.query("SELECT id FROM words") { $0 }
      try connection.close()
      _ = kept.count
    },
    Misuse("bytes that are looked at while the column is read otherwise", gives: "9") {
      connection, _ in
      var count = 0
      try connection.forEachRow(of: "SELECT 123456789, x'00ff' FROM words LIMIT 1") { row in
        count =
          try row.withBytes(at: 0) { bytes throws(SQLiteError) in
            _ = try row.integer(at: 0)
            _ = try row.text(at: 0)
            _ = try row.values
            return bytes.count
          } ?? 0
      }
      return count
    },
    Misuse("columns without names, and with odd ones", gives: #"["1", "", "a\"b"]"#) {
      connection, _ in
      try connection.prepare(#"SELECT 1, 2 AS "", 3 AS "a""b""#).columnNames
    },
  ]

  static let cases = numbers + names

  private struct Pair: QueryDecodable {
    init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
      decoder: inout Decoder
    ) throws(Decoder.Failure) {
      _ = try decoder.decode(String.self)
      _ = try decoder.decode(String.self)
    }
  }

  @Test(arguments: cases) func `a missing column is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
