import SQLiteSwiftly
import Testing

/// A record with every primitive type, optional and not.
private struct Primitives: Codable, Equatable {
  var bool = true, string = "é\u{0}x", double = -Double.greatestFiniteMagnitude
  var float = Float.greatestFiniteMagnitude
  var int = Int.min, int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.min
  var int128: Int128 = 1 << 62, uint128: UInt128 = 1 << 62
  var uint = UInt(Int64.max), uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max
  var uint64 = UInt64(Int64.max)
  var bytes: [UInt8] = [0, 255]

  static let names = [
    "bool", "string", "double", "float", "int", "int8", "int16", "int32", "int64", "int128",
    "uint128", "uint", "uint8", "uint16", "uint32", "uint64", "bytes",
  ]
}

private struct OptionalPrimitives: Codable, Equatable {
  var bool: Bool?, string: String?, double: Double?, float: Float?
  var int: Int?, int8: Int8?, int16: Int16?, int32: Int32?, int64: Int64?
  var int128: Int128?, uint128: UInt128?
  var uint: UInt?, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?
  var bytes: [UInt8]?
}

private enum Material: String, Codable { case plastic = "Plastic", rubber = "Rubber" }
private enum Size: Int, Codable { case small = 1, large = 2 }

private struct Part: Codable, Equatable {
  var number: String
  var material: Material?
  var size: Size
  var weight: Double??

  enum CodingKeys: String, CodingKey { case number = "part_num", material, size, weight }
}

private struct One<Value: Codable>: Codable { var value: Value }

/// A value of 128 bits that is coded by itself.
private struct Wide: Codable {
  var signed: Int128

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    signed = try container.decode(Int128.self) + Int128(container.decode(UInt128.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if signed < 0 { try container.encode(signed) } else { try container.encode(UInt128(signed)) }
  }
}

/// A value that refuses everything, with the value in its description.
private struct Picky: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    throw DecodingError.dataCorruptedError(in: container, debugDescription: "secret \(text)")
  }
}

/// A value that throws an error of its own.
private struct Failing: Codable {
  struct Own: Error { var text = "secret" }
  init(from decoder: any Decoder) throws { throw Own() }
}

/// A record that refuses everything, in each way.
private struct PickyRecord: Decodable {
  enum CodingKeys: String, CodingKey { case value }
  struct Own: Error { var text = "secret" }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let context = DecodingError.Context(codingPath: [CodingKeys.value], debugDescription: "secret")
    switch try container.decode(Int.self, forKey: .value) {
    case 1:
      throw DecodingError.dataCorruptedError(
        forKey: .value, in: container, debugDescription: "secret")
    case 2: throw DecodingError.typeMismatch(Bool.self, context)
    case 3: throw DecodingError.valueNotFound(Bool.self, context)
    case 4: throw DecodingError.keyNotFound(CodingKeys.value, context)
    case 5: throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "secret"))
    case 6: _ = try decoder.unkeyedContainer()
    case 7: _ = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .value)
    case 8: _ = try container.nestedUnkeyedContainer(forKey: .value)
    case 9: _ = try container.superDecoder(forKey: .value)
    case 10: _ = try container.superDecoder()
    default: throw Own()
    }
  }
}

private class Base: Decodable {
  let id: Int
}

/// A subclass that decodes its superclass from the same decoder, or from another one.
private final class Derived: Base {
  let name: String
  enum CodingKeys: String, CodingKey { case name, isNested = "is_nested" }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    let isNested = try container.decode(Bool.self, forKey: .isNested)
    try super.init(from: isNested ? container.superDecoder() : decoder)
  }
}

struct RecordDecodingTests {
  private let connection: Connection

  init() throws { connection = try Connection.inMemory() }

  private func value<Value: Codable>(
    _ sql: SQL, as type: Value.Type, _ mode: DecodingMode = .strict
  ) throws -> Value {
    try #require(try connection.first(sql, as: One<Value>.self, decoding: mode)).value
  }

  private func message<Value: Codable>(_ sql: SQL, as type: Value.Type) throws -> String {
    let error = try failure { _ = try value(sql, as: type) }
    #expect(error.code == .mismatch && error.sql == sql.text)
    return error.message
  }

  @Test func `a value of one column is refused if the row has more`() throws {
    let connection = try Connection.inMemory()
    #expect(try connection.query("SELECT 'Plastic'", as: Material.self) == [.plastic])
    let query: SQL = "SELECT 'Plastic' AS a, 2 AS b"
    let error = try failure { _ = try connection.query(query, as: Material.self) }
    #expect(error.code == .range && error.message.hasPrefix("column 1 (b): the row has 2 columns"))
    let lenient = try connection.query(query, as: Material.self, decoding: .lenient)
    #expect(lenient == [.plastic])
  }

  @Test func `all primitive types at their limits`() throws {
    let columns = Primitives.names.map { ColumnDescription($0, .blob, isNullable: true) }
    let table = TableDescription("t", columns: columns, primaryKey: [], isStrict: false)
    try connection.createTable(describedBy: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    try insert.insert(record: Primitives())
    #expect(try connection.query("SELECT * FROM t", as: Primitives.self) == [Primitives()])
    let full = try connection.first("SELECT * FROM t", as: OptionalPrimitives.self)
    #expect(full?.int128 == 1 << 62 && full?.uint64 == UInt64(Int64.max) && full?.bool == true)
    try connection.execute("DELETE FROM t")
    try insert.insert(record: OptionalPrimitives())
    #expect(
      try connection.query("SELECT * FROM t", as: OptionalPrimitives.self)
        == [OptionalPrimitives()])
    #expect(
      try connection.rows(of: "t") == [Array(repeating: .null, count: Primitives.names.count)])
  }

  @Test("a missing column is an error, also for optionals", arguments: Primitives.names)
  func missingColumn(name: String) throws {
    let others = Primitives.names.filter { $0 != name }
    let list = others.map { "NULL AS \($0)" }.joined(separator: ", ")
    // A query builder's text is SQL that is known only at run time.
    struct Query: SQLQuery { var text: String, values: [SQLiteValue] = [] }
    let sql = SQL(Query(text: "SELECT \(list)"))
    let error = try failure { _ = try connection.query(sql, as: OptionalPrimitives.self) }
    #expect(error.code == .range)
    #expect(
      error.message
        == "no column `\(name)` in the result (columns: \(others.joined(separator: ", ")))")
  }

  @Test func `enumerations, nested optionals and other names`() throws {
    let parts = try connection.query(
      """
      SELECT 'x' AS other, '3001' AS PART_NUM, 'Plastic' AS material, 1 AS size, 2.5 AS weight
      UNION ALL SELECT NULL, '973', NULL, 2, NULL
      """, as: Part.self)
    #expect(parts.map(\.number) == ["3001", "973"])
    #expect(parts.map(\.material) == [.plastic, nil] && parts.map(\.size) == [.small, .large])
    #expect(parts.map { $0.weight ?? nil } == [2.5, nil])
    #expect(try value("SELECT 1 AS value", as: Int??.self) == 1)
    #expect(try value("SELECT NULL AS value", as: Material??.self).flatMap { $0 } == nil)
    #expect(try value("SELECT 'Rubber' AS value", as: Material??.self) == .rubber)
    let columns = try connection.query("SELECT 'Rubber' UNION ALL SELECT NULL", as: Material?.self)
    #expect(columns == [.rubber, nil])
    #expect(try connection.first("SELECT 2", as: Size.self) == .large)
    var wide = try value("SELECT 2 AS value", as: Wide.self)
    #expect(wide.signed == 4)
    let table = TableDescription(
      "wide", columns: [ColumnDescription("value", .integer)], primaryKey: [])
    try connection.createTable(describedBy: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    try insert.insert(record: One(value: wide))
    wide.signed = -1
    try insert.insert(record: One(value: wide))
    #expect(try connection.rows(of: "wide") == [[-1], [4]])
  }

  @Test func `values of other types`() throws {
    let prefix = "column 0 (value): "
    for (sql, type, expected) in [
      ("SELECT NULL AS value", Int.self, "expected a value, found NULL; read it as an optional"),
      ("SELECT NULL AS value", String.self, "expected a value, found NULL; read it as an optional"),
      (
        "SELECT NULL AS value", Material.self,
        "expected a value, found NULL; read it as an optional"
      ),
      ("SELECT 'a' AS value", Int.self, "expected an integer, found text"),
      ("SELECT 'a' AS value", Int8?.self, "expected an integer, found text"),
      ("SELECT 3 AS value", Double.self, "expected a real, found an integer"),
      ("SELECT 3 AS value", String?.self, "expected text, found an integer"),
      ("SELECT 3 AS value", Material.self, "expected text, found an integer"),
      ("SELECT 'Wood' AS value", Material.self, "expected a case of Material"),
      ("SELECT 'Wood' AS value", Material?.self, "expected a case of Material"),
      ("SELECT 3 AS value", Size??.self, "expected a case of Size"),
      ("SELECT 128 AS value", Int8.self, "expected an integer of 8 bits"),
      ("SELECT -1 AS value", UInt8?.self, "expected an unsigned integer of 8 bits"),
      ("SELECT 65536 AS value", UInt16.self, "expected an unsigned integer of 16 bits"),
      ("SELECT -1 AS value", UInt64.self, "expected an unsigned integer of 64 bits"),
      ("SELECT 4294967296 AS value", Int32.self, "expected an integer of 32 bits"),
      ("SELECT 1e300 AS value", Float.self, "expected a number of 32 bits"),
      ("SELECT 'secret' AS value", Picky.self, "expected a valid Picky"),
    ] as [(SQL, any Codable.Type, String)] {
      #expect(try message(sql, as: type) == prefix + expected)
    }
    #expect(try value("SELECT '3' AS value", as: Double.self, .lenient) == 3)
    let error = try failure { _ = try value("SELECT 1 AS value, 2 AS VALUE", as: Int?.self) }
    #expect(error.code == .range)
    #expect(error.message == "2 columns are named `value`; rename them with AS")
  }

  @Test func `an error of a value's own names the column`() throws {
    #expect(
      try message("SELECT 1 AS value", as: Failing.self)
        == "value: coding Failing failed with an error of type Own")
  }

  @Test func `a container is read from JSON`() throws {
    #expect(try value("SELECT '[1,2]' AS value", as: [Int].self) == [1, 2])
    #expect(try value("SELECT '{\"value\":\"x\"}' AS value", as: One<String>?.self)?.value == "x")
    #expect(try value("SELECT NULL AS value", as: [String: Int]?.self) == nil)
    for (sql, type, problem) in [
      ("SELECT 1 AS value", [Int].self, "expected text, found an integer"),
      (
        "SELECT NULL AS value", [Int].self,
        "expected a value, found NULL; read it as an optional"
      ),
      ("SELECT '[secret' AS value", [Int].self, "not a valid value for Array<Int>"),
      ("SELECT '[\"secret\"]' AS value", [Int].self, "Index 0: expected a value of type Int"),
      ("SELECT '{}' AS value", One<Int>.self, "value: expected a value"),
    ] as [(SQL, any Codable.Type, String)] {
      #expect(try message(sql, as: type) == "column 0 (value): " + problem)
    }
    #expect(
      try failure { _ = try connection.query("SELECT 1", as: [Int].self) }.message
        == "a row is not an array; decode its columns by name")
    let row = try connection.first("SELECT 1 AS a, 2 AS b", as: [String: Int].self)
    #expect(row == ["a": 1, "b": 2])
  }

  @Test(
    "errors of a type's own show no values",
    arguments: [
      (1, "value: not a valid value for PickyRecord"), (2, "value: expected a value of type Bool"),
      (3, "value: expected a value of type Bool"), (4, "value.value: expected a value"),
      (5, "not a valid value for PickyRecord"),
      (6, "a row is not an array; decode its columns by name"),
      (
        7,
        "value: a column holds one value, not a container; conform its type to QueryDecodableValue"
      ),
      (
        8,
        "value: a column holds one value, not a container; conform its type to QueryDecodableValue"
      ),
      (
        9,
        "value: a column holds one value, not a container; conform its type to QueryDecodableValue"
      ), (10, "super: a row has no part for a superclass; pass it the decoder itself"),
      (11, "coding PickyRecord failed with an error of type Own"),
    ])
  func ownErrors(number: Int, message: String) throws {
    let error = try failure {
      _ = try connection.query("SELECT \(number) AS value", as: PickyRecord.self)
    }
    #expect(error == SQLiteError(.mismatch, message, sql: "SELECT ? AS value"))
  }

  @Test func `class hierarchies share one decoder`() throws {
    let derived = try connection.first(
      "SELECT 1 AS id, 'a' AS name, 0 AS is_nested", as: Derived.self)
    #expect(derived?.id == 1 && derived?.name == "a")
    try expectFailure("super: a row has no part for a superclass; pass it the decoder itself") {
      _ = try connection.first("SELECT 1 AS id, 'a' AS name, 1 AS is_nested", as: Derived.self)
    }
  }

  @Test func `types with their own way keep it, also in generic code`() throws {
    struct Own: Decodable, RowDecodable {
      var text = ""
      init(row: borrowing Row) throws(SQLiteError) { text = try row[0] }
    }
    func first<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> Value? {
      try connection.first(sql, as: type)
    }
    #expect(try first("SELECT 1 AS x", as: Int.self) == 1)
    #expect(try first("SELECT 'a' AS x", as: Own.self)?.text == "a")
    #expect(try connection.query("SELECT 'a' AS x", as: Own.self).map(\.text) == ["a"])
  }

  @Test func `a record of an outer join is nil if all columns are`() throws {
    let rows = try connection.query(
      "SELECT 1 AS value, 2 AS b UNION ALL SELECT NULL, NULL", as: One<Int>?.self)
    #expect(rows.map { $0?.value } == [1, nil])
    try expectFailure("column 0 (value): expected a value, found NULL; read it as an optional") {
      _ = try connection.query("SELECT NULL AS value, 2 AS b", as: One<Int>?.self)
    }
  }

  @Test func `a record of a left join is read from the columns with its prefix`() throws {
    struct Color: Codable { var id: Int, name: String?, group: One<Int>? }
    struct Piece: Codable { var id: Int, color: Color? }
    func pieces(_ sql: SQL) throws -> [Piece] { try connection.query(sql, as: Piece.self) }
    let pieces = try pieces(
      """
      SELECT 1 AS id, 4 AS "Color.ID", 'Red' AS "color.name", 7 AS "color.group.value"
      UNION ALL SELECT 2, 5, NULL, NULL UNION ALL SELECT 3, NULL, NULL, NULL
      """)
    #expect(pieces.map(\.id) == [1, 2, 3])
    #expect(pieces.map { $0.color?.id } == [4, 5, nil])
    #expect(pieces.map { $0.color?.name } == ["Red", nil, nil])
    #expect(pieces.map { $0.color?.group?.value } == [7, nil, nil])
    for (columns, message) in [
      (
        "NULL AS \"color.id\", 'x' AS \"color.name\", 1 AS \"color.group.value\"",
        "column 1 (color.id): expected a value, found NULL; read it as an optional"
      ),
      ("1 AS \"color.id\"", "no column `color.name` in the result (columns: id, color.id)"),
      ("2 AS colors", "no column `color` in the result (columns: id, colors)"),
    ] as [(SQL, String)] {
      try expectFailure(message) {
        _ = try self.connection.query("SELECT 1 AS id, \(sql: columns)", as: Piece.self)
      }
    }
    #expect(try connection.first("SELECT 1 AS id, NULL AS color", as: Piece.self)?.color == nil)
    #expect(
      try connection.first(
        "SELECT 1 AS id, '{\"id\":2}' AS color, 3 AS \"color.id\"", as: Piece.self)?.color?.id == 2)
    // A value of one column has no columns of its own.
    try expectFailure("no column `value` in the result (columns: value.x)") {
      _ = try self.connection.query("SELECT 1 AS \"value.x\"", as: One<Material>.self)
    }
  }

  @Test func `a decoder that is kept reads only its own row`() throws {
    struct Keeper: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    let keepers = try connection.query("SELECT 1 AS value UNION ALL SELECT 2", as: Keeper.self)
    #expect(keepers.count == 2)
    for keeper in keepers {
      #expect(try failure { _ = try One<Int>(from: keeper.decoder) }.code == .misuse)
    }
  }

  @Test func `a prepared statement continues after an error`() throws {
    var statement = try connection.prepare("SELECT ? AS value")
    for value in [1, "secret", 2, nil] as [SQLiteValue?] {
      guard let value, value.integerValue != nil else {
        _ = try failure { _ = try statement.query([value], as: One<Int>.self) }
        continue
      }
      #expect(
        try statement.query([value], as: One<Int64>.self).map { .integer($0.value) } == [value])
      #expect(try statement.first([value], as: One<Int?>.self)?.value != nil)
    }
    #expect(try connection.query("", as: One<Int>.self).isEmpty)
  }
}
