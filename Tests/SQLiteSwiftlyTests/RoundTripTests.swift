import SQLiteSwiftly
import Testing

/// A way of binding a value.
enum ValueWriter: CaseIterable {
  case insertByPosition, insertByName, preparedByPosition, preparedByName, executed, interpolated,
    bulk, batch

  /// Inserts a value as the one with `id` into the table of `RoundTripTests`.
  func write(_ value: SQLiteValue, _ id: Int64, _ connection: Connection) throws {
    switch self {
    case .insertByPosition, .insertByName:
      let table = RoundTripTests.table(of: value)
      var insert = try connection.prepareInsertIntoTable(describedBy: table)
      // The previous run, which is refused, has bound longer values of other classes.
      try expectFailure(.constraint) {
        try insert.insert([-1, .blob([1, 2, 3, 4, 5, 6, 7, 8, 9])])
      }
      if self == .insertByName { return try insert.insert(["value": value, "id": .integer(id)]) }
      try insert.insert([.integer(id), value])
    case .preparedByPosition, .preparedByName:
      var insert = try connection.prepare("INSERT INTO t (value, id) VALUES (:value, :id)")
      #expect(try failure { try insert.run(["longer text", -1]) }.code == .constraint)
      if self == .preparedByName { return try insert.run(["id": .integer(id), "value": value]) }
      try insert.run([value, .integer(id)])
    case .executed: try connection.execute("INSERT INTO t VALUES (?, ?)", [.integer(id), value])
    case .interpolated: try connection.execute("INSERT INTO t VALUES (\(id), \(value))")
    case .bulk:
      try connection.bulkInsert(intoTable: RoundTripTests.table(of: value)) { rows in
        try rows.append([SQLiteValue.integer(id), value])
      }
    case .batch:
      var batch = RowBatch(cells: 2, textCapacity: 0)
      batch.fill([[.integer(id), value]])
      var insert = try BatchInsertStatement(into: RoundTripTests.table(of: value), on: connection)
      try insert.insert(batch)
    }
  }

  /// Whether it accepts a value; batches have no reals and no blobs.
  func takes(_ value: SQLiteValue) -> Bool {
    switch (self, value) {
    case (.batch, .real), (.batch, .blob): false
    default: true
    }
  }
}

/// A way of reading a value.
enum ValueReader: CaseIterable {
  case query, value, row, typedRow, decoder, strictDecoder, plainDecoder, description

  /// Reads the value with `id`, which has the class of `expected`.
  func read(_ id: Int64, like expected: SQLiteValue, _ connection: Connection) throws
    -> SQLiteValue?
  {
    let sql: SQL = "SELECT value FROM t WHERE id = \(id)"
    switch self {
    case .query: return try connection.query(sql).first?.first
    case .value: return try connection.value(of: sql)
    case .row:
      var found: SQLiteValue?
      try connection.forEachRow(of: sql) { row throws(SQLiteError) in found = try row.value(at: 0) }
      return found
    case .typedRow:
      var found: SQLiteValue?
      try connection.forEachRow(of: sql) { row throws(SQLiteError) in
        switch expected {
        case .null: found = try row.isNull(at: 0) ? .null : nil
        case .integer: found = try row.integer(at: 0).map(SQLiteValue.integer)
        case .real: found = try row.real(at: 0).map(SQLiteValue.real)
        case .text: found = try row.text(at: 0).map(SQLiteValue.text)
        case .blob: found = try row.bytes(at: 0).map(SQLiteValue.blob)
        }
      }
      return found
    case .decoder, .strictDecoder:
      let mode = self == .decoder ? DecodingMode.lenient : .strict
      return try connection.query(sql, decoding: mode) { decoder throws(SQLiteError) in
        try expected.decodeAlike(&decoder)
      }.first
    case .plainDecoder:
      var decoder = ValueQueryDecoder(try connection.query(sql).first ?? [], decoding: .strict)
      return try expected.decodeAlike(&decoder)
    case .description:
      let table = RoundTripTests.table(of: expected)
      return try connection.query(
        "SELECT * FROM t WHERE id = \(id)", describedBy: table
      ).first?["value"]
    }
  }
}

extension SQLiteValue {
  /// Reads a value of the same class.
  fileprivate func decodeAlike<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    _ decoder: inout Decoder
  ) throws(Decoder.Failure) -> SQLiteValue {
    switch self {
    case .null: try decoder.decode(String.self).map(SQLiteValue.text) ?? .null
    case .integer: try decoder.decode(Int64.self).map(SQLiteValue.integer) ?? .null
    case .real: try decoder.decode(Double.self).map(SQLiteValue.real) ?? .null
    case .text: try decoder.decode(String.self).map(SQLiteValue.text) ?? .null
    case .blob: try decoder.decode([UInt8].self).map(SQLiteValue.blob) ?? .null
    }
  }
}

struct RoundTripTests {
  /// The table with a column for values of the class of `value`.
  static func table(of value: SQLiteValue) -> TableDescription {
    let type: ColumnDescription.DataType =
      switch value {
      case .null, .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
    return TableDescription(
      "t",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("value", type, isNullable: true),
      ],
      primaryKey: ["id"])
  }

  @Test(
    "SW-54 SW-56 X-3 X-9 SQ-14 SQ-15 SQ-17 every value comes back, however written and read",
    arguments: ValueWriter.allCases)
  func roundTrips(writer: ValueWriter) throws {
    let connection = try Connection.inMemory()
    // A column without a type changes nothing.
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value)")
    try connection.execute("INSERT INTO t VALUES (-1, NULL)")
    var id: Int64 = 0
    for (value, expected, storage) in ValueTests.values where writer.takes(value) {
      id += 1
      try writer.write(value, id, connection)
      #expect(
        try connection.value(of: "SELECT typeof(value) FROM t WHERE id = \(id)") == .text(storage))
      for reader in ValueReader.allCases {
        let found = try reader.read(id, like: expected, connection)
        let isAsExpected = isSame(found, expected)
        #expect(isAsExpected, "\(reader) of value \(id), which is \(storage)")
      }
    }
    #expect(id >= 12)
    #expect(try connection.value(of: "SELECT count(*) FROM t") == .integer(id + 1))
  }
}
