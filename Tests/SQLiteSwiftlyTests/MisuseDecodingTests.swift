import SQLiteSwiftly
import Testing

/// Values that are read as types they are not of.
struct MisuseDecodingTests {
  enum Size: Int8, QueryDecodableValue { case small = 1, large = 2 }
  enum Word: String, QueryDecodableValue { case one }

  /// A value that is read as a type, by SQLite's row and from plain values.
  private static func reading<Value: QueryDecodable & SendableMetatype>(
    _ name: String, _ value: SQLiteValue, as type: Value.Type, _ part: String,
    _ mode: DecodingMode = .lenient
  ) -> [Misuse] {
    [
      Misuse("\(name), of a row", .mismatch, part) { connection, _ in
        _ = try connection.query("SELECT \(value)", as: type, decoding: mode)
      },
      Misuse("\(name), of values", .mismatch, part) { _, _ in
        var decoder = ValueQueryDecoder([value], decoding: mode)
        _ = try Value(decoder: &decoder)
      },
    ]
  }

  /// A value that can still be read, and the result.
  private static func conversion<Value: QueryDecodable & SendableMetatype>(
    _ name: String, _ value: SQLiteValue, as type: Value.Type, gives text: String
  ) -> [Misuse] {
    [
      Misuse("\(name), of a row", gives: text) { connection, _ in
        try connection.query("SELECT \(value)", as: type, decoding: .lenient)[0]
      },
      Misuse("\(name), of values", gives: text) { _, _ in
        var decoder = ValueQueryDecoder([value])
        return try Value(decoder: &decoder)
      },
    ]
  }

  private static let refused: [[Misuse]] = [
    reading(
      "NULL as an integer", .null, as: Int.self,
      "expected a value, found NULL; read it as an optional"),
    reading("NULL as a text", .null, as: String.self, "found NULL"),
    reading("NULL as a case", .null, as: Size.self, "found NULL"),
    reading("NaN as an integer", .real(.nan), as: Int64.self, "found NULL"),
    reading("NaN as a real", .real(.nan), as: Double.self, "found NULL"),
    reading(
      "an integer beyond 8 bits", 128, as: Int8.self, "expected an integer of 8 bits"),
    reading(
      "an integer below 8 bits", -129, as: Int8.self, "expected an integer of 8 bits"),
    reading("an integer beyond 32 bits", .integer(.max), as: Int32.self, "an integer of 32 bits"),
    reading("an integer below 0", -1, as: UInt64.self, "expected an unsigned integer of 64 bits"),
    reading(
      "the least integer", .integer(.min), as: UInt128.self, "an unsigned integer of 128 bits"),
    reading(
      "infinity as 16 bits", .real(.infinity), as: Int16.self, "expected an integer of 16 bits"),
    reading("a real beyond 32 bits", 1e300, as: Float.self, "expected a number of 32 bits"),
    reading(
      "a raw value of no case", 3, as: Size.self, "expected a case of Size"),
    reading("a raw value beyond its type", 300, as: Size.self, "an integer of 8 bits"),
    reading("a raw value beyond its type, if any", 300, as: Size?.self, "an integer of 8 bits"),
    reading(
      "a raw value of no case, if any", "two", as: Word?.self, "expected a case of Word", .strict),
    reading("a text as an integer", "1", as: Int.self, "expected an integer, found text", .strict),
    reading(
      "a real as an integer", 1.0, as: Int.self, "expected an integer, found a real", .strict),
    reading(
      "an integer as a real", 1, as: Double.self, "expected a real, found an integer", .strict),
    reading(
      "a blob as a text", .blob([1]), as: String.self, "expected text, found a blob", .strict),
    reading("a text as bytes", "1", as: [UInt8].self, "expected a blob, found text", .strict),
    reading(
      "a text as a truth value", "x", as: Bool.self, "expected an integer, found text", .strict),
  ]

  private static let converted: [[Misuse]] = [
    conversion("infinity", .real(.infinity), as: Int.self, gives: "9223372036854775807"),
    conversion("infinity below 0", .real(-.infinity), as: Int.self, gives: "-9223372036854775808"),
    conversion("a huge real", 1e300, as: Int64.self, gives: "9223372036854775807"),
    conversion("NaN, if any", .real(.nan), as: Int?.self, gives: "nil"),
    conversion(
      "a text of many digits", .text(String(repeating: "9", count: 999)), as: Int.self,
      gives: "9223372036854775807"),
    conversion(
      "such a text below 0", .text("-" + String(repeating: "9", count: 99)), as: Int.self,
      gives: "-9223372036854775808"),
    conversion("a sign", "-", as: Int.self, gives: "0"),
    conversion("a sign as a real", "+", as: Double.self, gives: "0.0"),
    conversion("half an exponent", "1e+", as: Double.self, gives: "1.0"),
    conversion("a huge exponent", "1e99999999999", as: Double.self, gives: "inf"),
    conversion(
      "bytes that are no text", .blob([0xC3, 0x28, 0]), as: String.self, gives: "\u{FFFD}(\0"),
    conversion("no bytes as an integer", .blob([]), as: Int.self, gives: "0"),
    conversion("no bytes as a truth value", .blob([]), as: Bool.self, gives: "false"),
    conversion("the least integer as a truth value", .integer(.min), as: Bool.self, gives: "true"),
    conversion("a raw value of no case, if any, leniently", "two", as: Word?.self, gives: "nil"),
  ]

  private static let others: [Misuse] = [
    Misuse("a decoder of no values", .range, "no column 0 in the row (it has 0 columns)") { _, _ in
      var decoder = ValueQueryDecoder([])
      _ = try decoder.decode(Int.self)
    },
    Misuse("a decoder of no values, again and again", .range, "no column 1") { _, _ in
      var decoder = ValueQueryDecoder([1])
      for _ in 0..<9 { _ = try? decoder.decode(String.self) }
      _ = try decoder.decode(Double.self)
    },
    Misuse("an error before the first column", gives: "column -1: expected y") {
      _, _ in
      ValueQueryDecoder([]).failure(.invalidValue(expected: "y")).message
    },
    Misuse("values as keys, of which none is equal to itself", gives: "4") { _, _ in
      Set<SQLiteValue>([.real(.nan), .real(.nan), 0, 0.0, .real(-0.0)]).count
    },
    Misuse("a column that a described row does not have", .range, "no column x in the description")
    {
      connection, _ in
      let _: Int = try connection.readAllRows(fromTable: words)[0].value("x")
    },
    Misuse(
      "a value of a described row as another", .mismatch,
      "column word: expected an integer, found text"
    ) {
      connection, _ in
      let _: Int = try connection.readAllRows(fromTable: words)[0].value("word")
    },
    Misuse(
      "a value of a described row that is NULL", .mismatch,
      "column word: expected a value, found NULL; read it as an optional"
    ) {
      connection, _ in
      let _: String = try connection.readAllRows(fromTable: words)[1].value("word")
    },
    Misuse("a described row by a name that is none", gives: "true") { connection, _ in
      let row = try connection.readAllRows(fromTable: words)[0]
      return row[""] == nil && row["x\0"] == nil && row["WORD"] == "one"
    },
  ]

  static let cases: [Misuse] = refused.flatMap(\.self) + converted.flatMap(\.self) + others

  @Test(arguments: cases) func `a value of another type is reported or converted`(
    misuse: Misuse
  ) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
