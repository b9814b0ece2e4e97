import SQLiteSwiftly
import Testing

/// A column that is read by its position, as any decoder reads it.
private struct Positional<Value: QueryDecodableValue>: QueryDecodable {
  let value: Value

  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    value = try Value(decoder: &decoder)
  }
}

/// The column `v`, read by its name.
private struct Named: RowDecodable {
  let value: Int
  init(row: borrowing Row) throws(SQLiteError) { value = try row["v"] }
}

/// The first column, read by its number.
private struct Numbered: RowDecodable {
  let value: Int
  init(row: borrowing Row) throws(SQLiteError) { value = try row[0] }
}

/// The first column, read by a decoder that the row is asked for.
private struct ByDecoder: RowDecodable {
  let value: Int
  init(row: borrowing Row) throws(SQLiteError) {
    var decoder = row.decoder()
    value = try Int(decoder: &decoder)
  }
}

/// A way to read the first column of the first row; no mode is the default one.
struct TypedReading: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Whether columns that are not read are an error.
  var readsAllColumns = true
  var isTuple = false
  let read: @Sendable (Connection, SQL, DecodingMode?) throws -> Int?

  static let all: [TypedReading] = [
    readings(as: Int.self) { $0 }, readings(as: Positional<Int>.self, value: \.value),
    readings(as: Named.self, readsAllColumns: false, value: \.value),
    readings(as: Numbered.self, readsAllColumns: false, value: \.value),
    readings(as: ByDecoder.self, readsAllColumns: false, value: \.value), tuples, rows,
  ].flatMap(\.self)

  private static func readings<Model: RowDecodable & SendableMetatype>(
    as type: Model.Type, readsAllColumns: Bool = true, value: @escaping @Sendable (Model) -> Int
  ) -> [TypedReading] {
    [
      TypedReading(
        testDescription: "query as \(type)", readsAllColumns: readsAllColumns
      ) { connection, sql, mode in
        guard let mode else { return try connection.query(sql, as: Model.self).first.map(value) }
        return try connection.query(sql, as: Model.self, decoding: mode).first.map(value)
      },
      TypedReading(
        testDescription: "first as \(type)", readsAllColumns: readsAllColumns
      ) { connection, sql, mode in
        guard let mode else { return try connection.first(sql, as: Model.self).map(value) }
        return try connection.first(sql, as: Model.self, decoding: mode).map(value)
      },
      TypedReading(
        testDescription: "prepared query as \(type)", readsAllColumns: readsAllColumns
      ) { connection, sql, mode in
        var statement = try connection.prepare(sql)
        guard let mode else { return try statement.query(as: Model.self).first.map(value) }
        return try statement.query(as: Model.self, decoding: mode).first.map(value)
      },
      TypedReading(
        testDescription: "prepared first as \(type)", readsAllColumns: readsAllColumns
      ) { connection, sql, mode in
        var statement = try connection.prepare(sql)
        guard let mode else { return try statement.first(as: Model.self).map(value) }
        return try statement.first(as: Model.self, decoding: mode).map(value)
      },
    ]
  }

  private static var tuples: [TypedReading] {
    [
      TypedReading(testDescription: "query as a tuple", isTuple: true) { connection, sql, mode in
        guard let mode else { return try connection.query(sql, as: (Int, Int?).self).first?.0 }
        return try connection.query(sql, as: (Int, Int?).self, decoding: mode).first?.0
      },
      TypedReading(testDescription: "first as a tuple", isTuple: true) { connection, sql, mode in
        let pair =
          if let mode { try connection.first(sql, as: (Int, Int?).self, decoding: mode) } else {
            try connection.first(sql, as: (Int, Int?).self)
          }
        return pair?.0
      },
      TypedReading(testDescription: "prepared tuples", isTuple: true) { connection, sql, mode in
        var statement = try connection.prepare(sql)
        guard let mode else { return try statement.query(as: (Int, Int?).self).first?.0 }
        return try statement.query(as: (Int, Int?).self, decoding: mode).first?.0
      },
      TypedReading(testDescription: "a prepared tuple", isTuple: true) { connection, sql, mode in
        var statement = try connection.prepare(sql)
        let pair =
          if let mode { try statement.first(as: (Int, Int?).self, decoding: mode) } else {
            try statement.first(as: (Int, Int?).self)
          }
        return pair?.0
      },
    ]
  }

  private static var rows: [TypedReading] {
    [
      TypedReading(
        testDescription: "the row of a closure", readsAllColumns: false
      ) { connection, sql, mode in
        var value: Int?
        try connection.forEachRow(of: sql, decoding: mode) { row in
          value = try row["v"]
          #expect(try row[0] == value)
        }
        return value
      },
      TypedReading(
        testDescription: "the row of a cursor", readsAllColumns: false
      ) { connection, sql, mode in
        var statement = try connection.prepare(sql)
        var cursor = statement.rows(decoding: mode)
        guard let row = try cursor.next() else { return nil }
        return try row["v"]
      },
    ]
  }

  /// A row of the expression as `v`, with the columns that this way reads.
  func row(of expression: String) -> SQL {
    SQL(generated: "SELECT \(expression) AS v" + (isTuple ? ", NULL" : ""))
  }
}

/// Typed reads refuse what SQLite would convert or a type would not read.
struct StrictByDefaultTests {
  /// An expression, its class, and its conversion in lenient mode.
  static let conversions: [(expression: String, found: String, value: Int)] = [
    ("'2024-01-01'", "text", 2024), ("9.3e18", "a real", .max),
  ]

  @Test(arguments: TypedReading.all, conversions)
  func `SQ-23 a text or a real is no integer`(
    reading: TypedReading, conversion: (expression: String, found: String, value: Int)
  ) throws {
    let connection = try Connection.inMemory()
    let sql = reading.row(of: conversion.expression)
    for mode in [nil, DecodingMode.strict] {
      let error = try failure { _ = try reading.read(connection, sql, mode) }
      #expect(error.code == .mismatch)
      #expect(error.message == "column 0 (v): expected an integer, found \(conversion.found)")
      #expect(error.sql == sql.text)
    }
    #expect(try reading.read(connection, sql, .lenient) == conversion.value)
  }

  @Test(arguments: TypedReading.all)
  func `an unread column is an error, unless a model reads by name or number`(
    reading: TypedReading
  ) throws {
    let connection = try Connection.inMemory()
    let sql: SQL = reading.isTuple ? "SELECT 1 AS v, 2, 3 AS more" : "SELECT 1 AS v, 2 AS more"
    for mode in [nil, DecodingMode.strict] where reading.readsAllColumns {
      let error = try failure { _ = try reading.read(connection, sql, mode) }
      #expect(error.code == .range)
      #expect(error.sql == sql.text)
      #expect(
        error.message.hasPrefix(
          reading.isTuple
            ? "column 2 (more): the row has 3 columns, and (Int, Optional<Int>) reads 2"
            : "column 1 (more): the row has 2 columns, and "))
      #expect(reading.isTuple || error.message.hasSuffix(" reads 1"))
    }
    if !reading.readsAllColumns { #expect(try reading.read(connection, sql, nil) == 1) }
    #expect(try reading.read(connection, sql, .lenient) == 1)
  }

  @Test func `the error of an unread column names the type`() throws {
    let connection = try Connection.inMemory()
    func message(_ body: () throws -> Void) throws -> String { try failure(body).message }
    #expect(
      try message { _ = try connection.query("SELECT 1, 'a', 2 AS price", as: (Int, String).self) }
        == "column 2 (price): the row has 3 columns, and (Int, String) reads 2")
    #expect(
      try message { _ = try connection.first("SELECT 1, 'a'", as: Int.self) }
        == "column 1 ('a'): the row has 2 columns, and Int reads 1")
    #expect(
      try message { _ = try connection.first("SELECT 1, 2", as: Positional<Int>.self) }
        == "column 1 (2): the row has 2 columns, and Positional<Int> reads 1")
    // Columns that are read are refused first.
    #expect(
      try message { _ = try connection.first("SELECT 'a' AS a, 2", as: Int.self) }
        == "column 0 (a): expected an integer, found text")
  }

  @Test func `an unread column is an error for a prepared statement, which can run again`() throws {
    var statement = try Connection.inMemory().prepare("VALUES (1, 2), (3, 4)")
    #expect(try failure { _ = try statement.query(as: Int.self) }.code == .range)
    #expect(try failure { _ = try statement.first(as: Int.self) }.code == .range)
    #expect(try statement.query(as: Int.self, decoding: .lenient) == [1, 3])
    let pair = try statement.first(as: (Int, Int).self)
    #expect(pair?.0 == 1 && pair?.1 == 2)
  }

  @Test func `a model inside a tuple or after a decoder leaves columns to others`() throws {
    let connection = try Connection.inMemory()
    let pair = try connection.first("SELECT 1, 2", as: (Positional<Int>, Positional<Int>).self)
    #expect(pair?.0.value == 1 && pair?.1.value == 2)
    var codes: [SQLiteError.ResultCode] = []
    try connection.forEachRow(of: "SELECT 1 AS v, 2") { row in
      var decoder = row.decoder()
      let first = try Positional<Int>(decoder: &decoder)
      let named: Positional<Int> = try row["v"]
      #expect(first.value == 1 && named.value == 1)
      do throws(SQLiteError) {
        _ = try Positional<Int>(row: row)
      } catch {
        codes.append(error.code)
      }
    }
    #expect(codes == [.range])
  }

  @Test func `closures and the decoders of rows convert unless strict is requested`() throws {
    let connection = try Connection.inMemory()
    let sql: SQL = "SELECT '12x', 2"
    #expect(try connection.query(sql) { try Int(decoder: &$0) } == [12])
    #expect(try connection.query("SELECT 'true'") { try Bool(decoder: &$0) } == [false])
    #expect(
      try failure {
        _ = try connection.query(sql, decoding: .strict) { try Int(decoder: &$0) }
      }.code == .mismatch)
    func decode(_ decoder: SQLiteQueryDecoder) throws -> Int? {
      var decoder = decoder
      return try decoder.decode(Int.self)
    }
    try connection.forEachRow(of: sql) { row in
      let (strict, number) = (row.decoder(decoding: .strict), try row.integer(at: 0))
      #expect(try decode(row.decoder()) == 12)
      #expect(throws: SQLiteError.self) { try decode(strict) }
      #expect(number == 12)
    }
    try connection.forEachRow(of: sql, decoding: .strict) { row in
      let (strict, number) = (row.decoder(), try row.integer(at: 0))
      #expect(throws: SQLiteError.self) { try decode(strict) }
      #expect(try decode(row.decoder(decoding: .lenient)) == 12)
      #expect(number == 12)
    }
  }

  @Test func `the accessors of a row convert as SQLite does`() throws {
    try Connection.inMemory().forEachRow(of: "SELECT '2024-01-01', 7", decoding: .strict) {
      row throws in
      #expect(try row.integer(at: 0) == 2024)
      #expect(try row.real(at: 1) == 7.0)
      #expect(try row.text(at: 1) == "7")
      #expect(try row.bytes(at: 1) == [0x37])
    }
  }
}
