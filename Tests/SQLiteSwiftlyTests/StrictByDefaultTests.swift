import SQLiteSwiftly
import Testing

/// A column that is read by its position, as any decoder reads it.
private struct Positional<Value: QueryDecodableValue & Equatable>: QueryDecodable {
  let value: Value

  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    value = try Value(decoder: &decoder)
  }
}

/// The column `v`, read by its name.
private struct Named<Value: QueryDecodableValue & Equatable>: RowDecodable {
  let value: Value
  init(row: borrowing Row) throws(SQLiteError) { value = try row["v"] }
}

/// The first column, read by its number.
private struct Numbered<Value: QueryDecodableValue & Equatable>: RowDecodable {
  let value: Value
  init(row: borrowing Row) throws(SQLiteError) { value = try row[0] }
}

/// The first column, read by a decoder that the row is asked for.
private struct ByDecoder<Value: QueryDecodableValue & Equatable>: RowDecodable {
  let value: Value
  init(row: borrowing Row) throws(SQLiteError) {
    var decoder = row.decoder()
    value = try Value(decoder: &decoder)
  }
}

/// A way to read the first column of the first row as a type; no mode is the default one.
enum TypedReading: CaseIterable {
  case query, first, queryTuple, firstTuple, queryModel, firstModel
  case queryNamed, firstNamed, queryNumbered, firstNumbered, queryDecoder, firstDecoder
  case preparedQuery, preparedFirst, preparedQueryTuple, preparedFirstTuple, preparedQueryModel
  case preparedFirstModel, preparedQueryNamed, preparedFirstNamed
  case rowName, rowNumber, cursorName, cursorNumber

  /// Whether columns that are not read are an error.
  var readsAllColumns: Bool {
    switch self {
    case .query, .first, .queryTuple, .firstTuple, .queryModel, .firstModel, .preparedQuery,
      .preparedFirst, .preparedQueryTuple, .preparedFirstTuple, .preparedQueryModel,
      .preparedFirstModel:
      true
    default: false
    }
  }

  func read<Value: QueryDecodableValue & Equatable>(
    _ sql: SQL, as type: Value.Type, _ mode: DecodingMode?
  ) throws -> Value? {
    let connection = try Connection.inMemory()
    switch self {
    case .query: return try rows(connection, sql, type, mode).first
    case .first: return try row(connection, sql, type, mode)
    case .queryTuple:
      let rows =
        if let mode {
          try connection.query(sql, as: (Value, Value?).self, decoding: mode)
        } else { try connection.query(sql, as: (Value, Value?).self) }
      return rows.first?.0
    case .firstTuple:
      let row =
        if let mode {
          try connection.first(sql, as: (Value, Value?).self, decoding: mode)
        } else { try connection.first(sql, as: (Value, Value?).self) }
      return row?.0
    case .queryModel: return try rows(connection, sql, Positional<Value>.self, mode).first?.value
    case .firstModel: return try row(connection, sql, Positional<Value>.self, mode)?.value
    case .queryNamed: return try rows(connection, sql, Named<Value>.self, mode).first?.value
    case .firstNamed: return try row(connection, sql, Named<Value>.self, mode)?.value
    case .queryNumbered: return try rows(connection, sql, Numbered<Value>.self, mode).first?.value
    case .firstNumbered: return try row(connection, sql, Numbered<Value>.self, mode)?.value
    case .queryDecoder: return try rows(connection, sql, ByDecoder<Value>.self, mode).first?.value
    case .firstDecoder: return try row(connection, sql, ByDecoder<Value>.self, mode)?.value
    case .rowName, .rowNumber:
      var value: Value?
      try connection.forEachRow(of: sql, decoding: mode) { row throws(SQLiteError) in
        value = try self == .rowName ? row["v"] : row[0]
      }
      return value
    default:
      var statement = try connection.prepare(sql)
      return try readPrepared(&statement, as: type, mode)
    }
  }

  private func readPrepared<Value: QueryDecodableValue & Equatable>(
    _ statement: inout PreparedStatement, as type: Value.Type, _ mode: DecodingMode?
  ) throws -> Value? {
    switch self {
    case .preparedQuery:
      return if let mode {
        try statement.query(as: type, decoding: mode).first
      } else { try statement.query(as: type).first }
    case .preparedFirst:
      return if let mode {
        try statement.first(as: type, decoding: mode)
      } else { try statement.first(as: type) }
    case .preparedQueryTuple:
      let rows =
        if let mode {
          try statement.query(as: (Value, Value?).self, decoding: mode)
        } else { try statement.query(as: (Value, Value?).self) }
      return rows.first?.0
    case .preparedFirstTuple:
      let row =
        if let mode {
          try statement.first(as: (Value, Value?).self, decoding: mode)
        } else { try statement.first(as: (Value, Value?).self) }
      return row?.0
    case .preparedQueryModel:
      return if let mode {
        try statement.query(as: Positional<Value>.self, decoding: mode).first?.value
      } else { try statement.query(as: Positional<Value>.self).first?.value }
    case .preparedFirstModel:
      return if let mode {
        try statement.first(as: Positional<Value>.self, decoding: mode)?.value
      } else { try statement.first(as: Positional<Value>.self)?.value }
    case .preparedQueryNamed:
      return if let mode {
        try statement.query(as: Named<Value>.self, decoding: mode).first?.value
      } else { try statement.query(as: Named<Value>.self).first?.value }
    case .preparedFirstNamed:
      return if let mode {
        try statement.first(as: Named<Value>.self, decoding: mode)?.value
      } else { try statement.first(as: Named<Value>.self)?.value }
    default:
      var cursor = statement.rows(decoding: mode)
      guard let row = try cursor.next() else { return nil }
      return try self == .cursorName ? row["v"] : row[0]
    }
  }

  private func rows<Model: RowDecodable>(
    _ connection: Connection, _ sql: SQL, _ type: Model.Type, _ mode: DecodingMode?
  ) throws -> [Model] {
    if let mode { return try connection.query(sql, as: type, decoding: mode) }
    return try connection.query(sql, as: type)
  }

  private func row<Model: RowDecodable>(
    _ connection: Connection, _ sql: SQL, _ type: Model.Type, _ mode: DecodingMode?
  ) throws -> Model? {
    if let mode { return try connection.first(sql, as: type, decoding: mode) }
    return try connection.first(sql, as: type)
  }

  /// A row of the expression as `v`, with the columns that this way reads.
  func row(of expression: String) -> SQL {
    let isTuple =
      [.queryTuple, .firstTuple, .preparedQueryTuple, .preparedFirstTuple].contains(self)
    return SQL(generated: "SELECT \(expression) AS v" + (isTuple ? ", NULL" : ""))
  }
}

/// Typed reads refuse what SQLite would convert or a type would not read.
struct StrictByDefaultTests {
  /// That a value is an error by default and in strict mode, and its conversion in lenient mode.
  private func check<Value: QueryDecodableValue & Equatable>(
    _ reading: TypedReading, _ expression: String, as type: Value.Type, _ message: String,
    isLenientlyReadAs value: Value
  ) throws {
    let sql = reading.row(of: expression)
    for mode in [nil, DecodingMode.strict] {
      let error = try failure { _ = try reading.read(sql, as: type, mode) }
      #expect(error.code == .mismatch)
      #expect(error.message == "column 0 (v): " + message)
      #expect(error.sql == sql.text)
    }
    #expect(try reading.read(sql, as: type, .lenient) == value)
  }

  @Test(arguments: TypedReading.allCases)
  func `SQ-23 text is no number`(reading: TypedReading) throws {
    let message = "expected an integer, found text"
    try check(reading, "'2024-01-01'", as: Int.self, message, isLenientlyReadAs: 2024)
  }

  @Test(arguments: TypedReading.allCases)
  func `SQ-23 text is no truth value`(reading: TypedReading) throws {
    let message = "expected an integer, found text"
    try check(reading, "'true'", as: Bool.self, message, isLenientlyReadAs: false)
  }

  @Test(arguments: TypedReading.allCases)
  func `SQ-23 a real is no integer`(reading: TypedReading) throws {
    let message = "expected an integer, found a real"
    try check(reading, "9.3e18", as: Int.self, message, isLenientlyReadAs: .max)
  }

  @Test(arguments: TypedReading.allCases)
  func `an unread column is an error, unless a model reads by name or number`(
    reading: TypedReading
  ) throws {
    let isTuple = reading.row(of: "1") == "SELECT 1 AS v, NULL"
    let sql: SQL = isTuple ? "SELECT 1 AS v, 2, 3 AS more" : "SELECT 1 AS v, 2 AS more"
    for mode in [nil, DecodingMode.strict] where reading.readsAllColumns {
      let error = try failure { _ = try reading.read(sql, as: Int.self, mode) }
      #expect(error.code == .range)
      #expect(error.sql == sql.text)
      #expect(
        error.message.hasPrefix(
          isTuple
            ? "column 2 (more): the row has 3 columns, and (Int, Optional<Int>) reads 2"
            : "column 1 (more): the row has 2 columns, and "))
      #expect(isTuple || error.message.hasSuffix(" reads 1"))
    }
    if !reading.readsAllColumns { #expect(try reading.read(sql, as: Int.self, nil) == 1) }
    #expect(try reading.read(sql, as: Int.self, .lenient) == 1)
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
