@testable import SQLiteDestination
@testable import Validation
@testable import Vocabulary
import SQLiteSwiftly
import Schema
import TestSupport
import Testing
import Text

/// What the reader accepts, the CHECK in the finished file accepts, too.
@Suite struct ValueCheckTests {
  typealias Domain = ColumnDescription.Domain

  /// Domains, the characters of random texts, texts to change a little, and whether both agree on all.
  private static let cases: [(Domain, String, [String], Bool)] = [
    (.matching("[A-Z]{2}-\\d{1,3}"), "AZ-09a", ["DE-1", "DE-123"], true),
    (.matching("a[*]?\\?|x\\[y"), "a*?x[y", ["a*?", "x[y"], true),
    (.time(.date), "0123456789-", ["2024-02-29", "1999-12-31"], false),
    (.time(.time), "0123456789:.", ["23:59:59", "12:00:00.5"], false),
    (
      .time(.dateTime), "0123456789:.-TZ+", ["2024-02-29T23:59:59", "2024-01-01T00:00:00.5+01:00"],
      false
    ),
    (
      .all([
        .time(.dateTime), .sorted(.init("2024-01-01T00:00:00Z"), .init("2024-06-01T00:00:00.5Z")),
      ]),
      "0123456789.Z", ["2024-01-01T00:00:00.5Z", "2024-06-01T00:00:00Z", "2024-03-01T00:00:00"],
      false
    ),
    (.time(.year), "0123456789-", ["2024", "-0044", "12345"], false),
    (
      .all([.time(.year), .sorted(.init("-0100"), .init("12000"))]), "0129-",
      ["2024", "-0099", "12345"], false
    ),
    (.time(.yearMonth), "0123456789-", ["2024-12", "0000-01"], true),
    (.form(.uuid), "0123456789abcdefABCDEF-g", ["123e4567-e89b-12d3-a456-426614174000"], true),
    (.length(2...4), "aé\u{1f9f1}\u{301}", ["ab"], true),
    (.hexadecimalDigits(4), "09afAFg", ["09af"], true),
    (
      .json(.value), "{}[]\",:0-1.eE+ \\u\ntruefalsn",
      [#"{"a": [1, -0.5e+3, "\u00e9\n", null]}"#, "[[], {}, true]"], true
    ),
    (.json(.object), "{}[]\",:1", [#"{"a": {}}"#, "[]"], true),
    (.json(.array), "{}[]\",:1", [#"[{"a": 1}]"#, "{}"], true),
  ]

  @Test(arguments: cases.indices)
  func `the check accepts NULL where there is no value`(index: Int) throws {
    let column = FieldReaderTests.column(.text, .exact, Self.cases[index].0)
    let condition = try #require(column.description.checkExpression)
    let connection = try Connection.inMemory()
    try connection.execute(SQL(generated: "CREATE TABLE t (v TEXT, CHECK (\(condition))) STRICT"))
    try connection.execute("INSERT INTO t VALUES (NULL)")
    #expect(try connection.query("PRAGMA quick_check", as: String.self) == ["ok"])
  }

  @Test(arguments: cases.indices)
  func `the check accepts what the reader accepts`(index: Int) throws {
    let (domain, alphabet, seeds, agrees) = Self.cases[index]
    let column = FieldReaderTests.column(.text, .exact, domain, missing: [])
    let condition = try #require(column.description.checkExpression)
    let connection = try Connection.inMemory()
    try connection.execute(SQL(generated: "CREATE TABLE t (v TEXT, CHECK (\(condition))) STRICT"))
    var insert = try connection.prepare("INSERT INTO t VALUES (?)")
    var generator = SeededGenerator(seed: UInt64(index))
    var accepted = 0
    for round in 0..<600 {
      var text = seeds[round % seeds.count]
      for _ in 0..<(round < seeds.count ? 0 : Int.random(in: 1...3, using: &generator)) {
        Self.change(&text, alphabet, &generator)
      }
      let read = try FieldReaderTests.read(text, as: column)
      let isRead = !RecordCode.allCases.contains { $0.rawValue == read }
      accepted += isRead ? 1 : 0
      let stored = isRead ? read : text
      var isStored = true
      do throws(SQLiteError) { try insert.run(stored) } catch { isStored = false }
      if isRead && !isStored { Issue.record("\(stored.debugDescription) is read, but not stored") }
      if agrees, isRead != isStored {
        Issue.record("\(text.debugDescription): \(read), \(isStored)")
      }
    }
    #expect(accepted > 10)
  }

  private static func change(
    _ text: inout String, _ alphabet: String, _ generator: inout SeededGenerator
  ) {
    var scalars = Array(text.unicodeScalars)
    let letter = Array(alphabet.unicodeScalars).randomElement(using: &generator) ?? "x"
    let place = Int.random(in: 0...scalars.count, using: &generator)
    switch Int.random(in: 0...2, using: &generator) {
    case 0 where place < scalars.count: scalars[place] = letter
    case 1 where place < scalars.count: scalars.remove(at: place)
    default: scalars.insert(letter, at: place)
    }
    text = String(String.UnicodeScalarView(scalars))
  }

  @Test(arguments: [(999, true), (1000, true), (1001, false)])
  func `JSON is no deeper than SQLite reads it`(depth: Int, isValid: Bool) throws {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let column = FieldReaderTests.column(.text, .exact, .json(.value))
    #expect(try FieldReaderTests.read(text, as: column) == (isValid ? text : "not-json"))
    let connection = try Connection.inMemory()
    let known = try connection.query("SELECT json_valid(\(text))", as: Int.self)
    if isValid { #expect(known == [1]) }
  }

  /// An expression of SQLite is at most 1000 deep.
  @Test func `a table may have a domain in each of very many columns`() throws {
    let names = (0..<1020).map { "c\($0)" }
    let schema = SchemaDescription(
      tables: [
        TableDescription(
          "flags", columns: names.map { ColumnDescription($0, .boolean) }, primaryKey: [])
      ], applicationID: 1, version: 1)
    let workplace = try Workplace()
    let record = Array(repeating: "t", count: names.count).joined(separator: ",")
    try workplace.write("flags.csv", "\(names.joined(separator: ","))\n\(record)\n")
    #expect(load(workplace, schema).error == nil)
    let check = {
      try DatabaseCheck(workplace.output, schema: schema).run().findings.flatMap(\.faults)
    }
    #expect(try check() == [])

    try changeDatabase(
      workplace.output,
      ["PRAGMA ignore_check_constraints = ON", "UPDATE flags SET c0 = 2, c1019 = 3"])
    #expect(
      try check() == [
        "flags (1), column c0: expected \"c0\" IN (0, 1), found 2",
        "flags (1), column c1019: expected \"c1019\" IN (0, 1), found 3",
      ])
  }
}
