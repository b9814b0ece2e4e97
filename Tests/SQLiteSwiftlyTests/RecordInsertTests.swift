import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

private struct Word: Codable, Equatable {
  var id: Int?
  var word: String?
}

private enum Kind: String, Codable { case noun }
private struct One<Value: Encodable>: Encodable { var word: Value }
private struct Address: Encodable { var street = "secret" }
private struct Empty: Encodable {}

/// A record that encodes itself in an unusual way.
private struct Odd: Encodable {
  enum CodingKeys: String, CodingKey { case id, word, other }
  struct Own: Error {}
  var way: Int

  func encode(to encoder: any Encoder) throws {
    if way == 1 { _ = encoder.unkeyedContainer() }
    if way == 2 { _ = encoder.singleValueContainer() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    if way != 3 { try container.encode(way, forKey: .id) }
    switch way {
    case 4: try container.encode(4, forKey: .id)
    case 5: try container.encode("x", forKey: .other)
    case 6: _ = container.superEncoder()
    case 7: _ = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .word)
    case 8: _ = container.nestedUnkeyedContainer(forKey: .word)
    case 9: _ = container.superEncoder(forKey: .word)
    case 10:
      throw EncodingError.invalidValue(
        "secret", .init(codingPath: [CodingKeys.word], debugDescription: "secret"))
    case 11: throw Own()
    case 12:
      var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .word)
      try nested.encode(1, forKey: .other)
    default: break
    }
  }
}

private struct Failing: Encodable {
  struct Own: Error { var text = "secret" }
  func encode(to encoder: any Encoder) throws { throw Own() }
}

private struct Twice: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(1)
    try container.encode(2)
  }
}

struct RecordInsertTests {
  private let connection: Connection

  init() throws {
    connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
  }

  @Test func `records in a transaction, with conflicts`() throws {
    try connection.transaction {
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      try insert.insert(record: Word(id: 1, word: "one"))
      try insert.insert(record: Word(id: 2, word: nil))
      try insert.insert(record: Word(id: nil, word: "three"))
      try insert.insert(record: ["word": 4, "id": 4] as [String: Int?])
    }
    try expectFailure(extended: .constraintPrimaryKey) {
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      try insert.insert(record: Word(id: 1, word: "again"))
    }
    var upsert = try connection.prepareInsertIntoTable(describedBy: words, onConflict: .update)
    try upsert.insert(record: Word(id: 1, word: "uno"))
    var keep = try connection.prepareInsertIntoTable(describedBy: words, onConflict: .keep)
    try keep.insert(record: Word(id: 2, word: "two"))
    #expect(
      try connection.rows(of: "words") == [[1, "uno"], [2, .null], [3, "three"], [4, "4"]])
    #expect(
      try connection.first("SELECT * FROM words WHERE id = 3", as: Word.self)
        == Word(id: 3, word: "three"))
  }

  @Test(
    "records that encode themselves",
    arguments: [
      (0, nil), (1, "a row is not an array; encode its columns by name"),
      (2, "a row is not one value; encode its columns by name"),
      (3, "column id of words has no value; to leave it out, list it in leavingOut"),
      (4, "column id of words has two values"),
      (5, "words has no column other (columns: id, word)"),
      (6, "super: a row has no part for a superclass; pass it the encoder itself"),
      (7, "word: \(container)"), (8, "word: \(container)"), (9, "word: \(container)"),
      (10, "word: not a valid value for Odd"),
      (11, "coding Odd failed with an error of type Own"), (12, "word: \(container)"),
    ] as [(Int, String?)])
  func ownEncoding(way: Int, message: String?) throws {
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    var found: String?
    do throws(SQLiteError) { try insert.insert(record: Odd(way: way)) } catch {
      found = error.message
      #expect(error.sql?.hasPrefix("INSERT") == true)
    }
    #expect(found == message)
    // The statement continues.
    try insert.insert(record: Word(id: 100, word: "next"))
    #expect(try connection.rows(of: "words").last == [100, "next"])
    #expect(try connection.rows(of: "words").count == (message == nil ? 2 : 1))
  }

  private static let container =
    "a column holds one value, not a container; conform its type to SQLiteValueConvertible"

  @Test func `values of columns`() throws {
    let table = TableDescription(
      "v", columns: [ColumnDescription("word", .text, isNullable: true)], primaryKey: [],
      isStrict: false)
    try connection.createTable(describedBy: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for (record, message) in [
      (One(word: Kind.noun), nil), (One(word: Kind?.none), nil), (One(word: Int??.some(nil)), nil),
      (One(word: Kind??.some(.noun)), nil),
      (One(word: Address()), nil), (One(word: ["key": 1]), nil), (One(word: [1, 2]), nil),
      (One(word: [Int]()), nil), (One(word: Empty()), nil),
      (One(word: [Double.infinity]), "word: Index 0: not a valid value for Array<Double>"),
      (One(word: [Failing()]), "word: coding Array<Failing> failed with an error of type Own"),
      (One(word: Failing()), "word: coding Failing failed with an error of type Own"),
      (One(word: Twice()), "word: expected one value, found two"),
      (
        One(word: UInt64.max),
        "word: a value of type UInt64 does not fit into SQLite's 64-bit integers"
      ),
    ] as [(any Encodable, String?)] {
      var found: String?
      do throws(SQLiteError) { try insert.insert(record: record) } catch { found = error.message }
      #expect(found == message, "\(record)")
    }
    #expect(
      try connection.query("SELECT * FROM v") == [
        ["noun"], [.null], [.null], ["noun"], ["{\"street\":\"secret\"}"], ["{\"key\":1}"],
        ["[1,2]"], ["[]"],
        ["{}"],
      ])
    #expect(
      try failure { try insert.insert(record: 1) }.message
        == "a row is not one value; encode its columns by name")
  }

  @Test func `a model of a helper`() throws {
    struct Helper: DataHelper {
      typealias Model = Word
      static let table = words
      let store: DataStore
    }
    let helper = Helper(store: DataStore(connection))
    let id = try helper.insert(Word(id: nil, word: "one"))
    try helper.upsert(Word(id: Int(id), word: "uno"))
    #expect(try helper.find(like: Word(id: nil, word: "uno")) == [Word(id: 1, word: "uno")])
    #expect(try helper.find(like: Word(id: 0, word: "uno")) == [Word(id: 1, word: "uno")])
    #expect(try helper.insert(all: [Word(id: 5, word: nil), Word(id: 6, word: "six")]) == 2)
    try helper.delete(Word(id: 5, word: nil))
    #expect(try connection.rows(of: "words") == [[1, "uno"], [6, "six"]])

    struct OddHelper: DataHelper {
      static let table = words
      let store: DataStore
      static func model(from row: TableRow) throws(SQLiteError) -> Odd { Odd(way: 0) }
    }
    let odd = OddHelper(store: DataStore(connection))
    #expect(
      throws: DataAccessError.insert(
        SQLiteError(.range, "words has no column other (columns: id, word)"))
    ) { try odd.insert(Odd(way: 5)) }
    #expect(throws: DataAccessError.nilInData(column: "id")) {
      struct Keyed: DataHelper {
        static let table = words
        static let choosesKeys = false
        let store: DataStore
        static func model(from row: TableRow) throws(SQLiteError) -> Odd { Odd(way: 0) }
      }
      try Keyed(store: DataStore(connection)).insert(Odd(way: 3))
    }
  }
}
