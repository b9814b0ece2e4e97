@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import Testing
import Text

/// What the dumps have that the schema does not describe.
@Suite struct DriftTests {
  private static let words = TableDescription(
    "words",
    columns: [
      ColumnDescription("id", .integer),
      ColumnDescription("is_old", .boolean, isNullable: true),
      ColumnDescription("word", .text, isNullable: true, knownValues: ["a", "b c"]),
      ColumnDescription("is_new", .boolean, isNullable: true),
    ],
    primaryKey: ["id"])

  /// The warnings of loading one dump of `words`, beside other files.
  private func warnings(
    _ dump: String, _ others: [String: String] = [:], rejected: Int = 0
  ) throws -> [Warning] {
    let workplace = try Workplace()
    try workplace.write("words.csv", dump)
    for (name, text) in others { try workplace.write(name, text) }
    let schema = SchemaDescription(tables: [Self.words], applicationID: 1, version: 1)
    let outcome = loaded(workplace, schema)
    #expect(outcome.report?.rejected == rejected)
    return outcome.warnings
  }

  @Test func `a missing value is not a new one`() throws {
    let workplace = try Workplace()
    try workplace.write("words.csv", "id,is_old,word,is_new\n1,,-,\n2,,a,\n3,,c,\n4,,NULL,\n")
    let schema = SchemaDescription(tables: [Self.words], applicationID: 1, version: 1)
      .withSources { $0.formats[2].missingValues = ["", "-", "NULL"] }
    let warnings = loaded(workplace, schema).warnings
    #expect(
      warnings.map(\.message) == [
        #"word has new values, which are loaded: "c" (1 record, first in line 4)"#
      ])
  }

  static let cases:
    [(
      dump: String, code: WarningCode, column: String?, message: String, suppression: String,
      change: DescriptionChange?
    )] =
      [
        (
          "id,is_old,word,is_new,size\n1,,,,7\n2,,,,\n3,,,,-12\n", .columnUnknown, "size",
          #"unknown column "size", not loaded"#,
          "column-unknown words.size",
          .column(ColumnDescription("size", .integer, isNullable: true), ofTable: "words")
        ),
        (
          "id,is_old,word,is_new,size\n1,,,,7\n2,,,,007\n", .columnUnknown, "size",
          #"unknown column "size", not loaded"#,
          "column-unknown words.size",
          .column(ColumnDescription("size", .text, isNullable: true), ofTable: "words")
        ),
        (
          "id,is_old,word,is_new,is_x\n1,,,,t\n2,,,,False\n", .columnUnknown, "is_x",
          #"unknown column "is_x", not loaded"#,
          "column-unknown words.is_x",
          .column(ColumnDescription("is_x", .boolean, isNullable: true), ofTable: "words")
        ),
        (
          "id,is_old,word,is_new,\"\u{1b}\"\"\n\\\"\n", .columnUnknown, #"\x1b\"\n\\"#,
          #"unknown column "\x1b\"\n\\", not loaded"#,
          #"column-unknown words.\x1b\"\n\\"#,
          .column(ColumnDescription("\u{1b}\"\n\\", .text, isNullable: true), ofTable: "words")
        ),
        (
          "id,is_old,is_new\n1,,\n", .columnAbsent, "word",
          "column word is missing from the source file; it is NULL in every row of words",
          "column-absent words.word", nil
        ),
        (
          "is_new,word,id,is_old\n,,1,\n", .columnOrder, nil,
          "column order is is_new,word,id,is_old, but the database has id,is_old,word,is_new; columns are "
            + "matched by name",
          "column-order words: is_new,word,id,is_old", nil
        ),
        (
          "id,is_old,word,is_new\n1,t,,\n2,f,,True\n3,,,\n", .booleanSpellings, "is_new",
          "two spellings of booleans: t or f in 2 fields, True or False in 1; the first of the rarer is in line 3",
          "boolean-spellings words.is_new", nil
        ),
        (
          "id,is_old,word,is_new\n1,False,,t\n\n2,f,,True\n3,True,,\n", .booleanSpellings, "is_new",
          "two spellings of booleans: t or f in 2 fields, True or False in 3; the first of the rarer is in line 2",
          "boolean-spellings words.is_new", nil
        ),
        (
          "id,is_old,word,is_new\n1,,a,\n2,,b,\n3,,b c,\n4,,\"\"\"\n\",\n5,,b,\n6,,A,\n7,,,\n",
          .valueUnknown, "word",
          #"word has new values, which are loaded: "b" (2 records, first in line "#
            + #"3), "\"\n" (1 record, first in line 5), "A" (1 record, first in line 8)"#,
          #"value-unknown words.word: "\"\n", "A", "b""#, nil
        ),
      ]

  @Test(arguments: cases.indices) func `drift is reported with its suppression`(index: Int) throws {
    let expected = Self.cases[index]
    let blank = expected.dump.contains("\n\n") ? 1 : 0
    let warnings = try warnings(expected.dump).filter { $0.code != .tableEmpty }
    #expect(warnings.count == 1 + blank)
    let warning = try #require(warnings.first)
    #expect(warning.code == expected.code)
    #expect(warning.code.isSchemaDrift)
    #expect((warning.file, warning.table) == ("words.csv", "words"))
    #expect(warning.column == expected.column)
    #expect(warning.message == expected.message)
    #expect(warning.suppression == expected.suppression)
    #expect(warning.change == expected.change)
  }

  @Test(
    arguments: [
      "id,is_old,word,is_new\n1,t,a,f\n2,f,b c,t\n", "id,is_old,word,is_new\n1,True,,False\n",
    ])
  func `a source file that matches the schema produces no warning`(dump: String) throws {
    #expect(try warnings(dump) == [])
  }

  @Test func `a source file without records produces a warning`() throws {
    let warnings = try warnings("id,is_old,word,is_new\n")
    #expect(warnings.map(\.code) == [.tableEmpty])
    #expect(warnings.first?.suppression == "table-empty words: as of run 1")
  }

  @Test func `many new values are counted, and some are listed`() throws {
    let lines = (0..<60).map { "\($0),,w\($0 % 30),\n" }.joined()
    let warning = try #require(try warnings("id,is_old,word,is_new\n" + lines).first)
    #expect(warning.message.contains(#": "w0" (2 records, first in line 2), "#))
    #expect(
      warning.message.hasSuffix(
        #""w19" (2 records, first in line 21), and others in 20 records"#))
    #expect(warning.suppression?.hasSuffix(#""w8", "w9", others"#) == true)
  }

  @Test func `unreadable values are not drift`() throws {
    let dump = "id,is_old,word,is_new\n1,t,a,\n2,TRUE,x,\n3,f,\"b c\",\n"
    let warnings = try warnings(dump, rejected: 1)
    // The word before the boolean that rejects the record was looked at.
    #expect(warnings == [])
  }

  @Test(
    arguments: [
      (
        "x_1,is_old,n\na,t,1\nb,f,2\n",
        [
          ColumnDescription("x_1", .text), ColumnDescription("is_old", .boolean),
          ColumnDescription("n", .integer),
        ], 1
      ),
      (
        "x,n\na,1\na,2\na,\nb,1\n",
        [ColumnDescription("x", .text), ColumnDescription("n", .integer)], 2
      ),
      (
        "x,n\na,1\na,1\n,\n",
        [
          ColumnDescription("x", .text, isNullable: true),
          ColumnDescription("n", .integer, isNullable: true),
        ], 0
      ),
      // The schema has a column of that name.
      ("word\n1\n", [ColumnDescription("word", .text)], 1),
      ("x\n", [ColumnDescription("x", .text)], 1),
      ("", nil, 0), ("\n\n", nil, 0), ("\"x", nil, 0), ("a\"b,c\n", nil, 0),
      (String(repeating: ",", count: 200), nil, 0),
      (String(repeating: "x", count: 100_000), nil, 0),
    ] as [(String, [ColumnDescription]?, Int)])
  func `a table for an unknown file is proposed if possible`(
    text: String, columns: [ColumnDescription]?, keyCount: Int
  ) throws {
    let warning = try #require(try warnings("id,is_old,word,is_new\n", ["new.csv": text]).first)
    #expect(warning.code == .fileUnknown)
    #expect(warning.file == "new.csv")
    let expected = columns.map { columns in
      let table = TableDescription(
        "new", columns: columns, primaryKey: columns.prefix(keyCount).map(\.name))
      var source = SourceDescription(of: table)
      source.place = .files(["new.csv"])
      source.fieldsMatch = .exact
      return DescriptionChange.table(table, source)
    }
    #expect(warning.change == expected)
  }

  @Test func `an unreadable unknown file is harmless`() throws {
    let workplace = try Family.workplace(["bad.csv.gz": "this is not gzip"])
    try makeFolder(workplace.path + "/dumps/folder.csv")
    let outcome = loaded(workplace, Family.schema)
    #expect(outcome.warnings.map(\.file) == ["bad.csv.gz", "folder.csv"])
    #expect(outcome.warnings.allSatisfy { $0.code == .fileUnknown && $0.change == nil })
  }

  @Test func `only the first of many unknown columns are reported separately`() throws {
    let names = (0..<1000).map { "c\($0)" }.joined(separator: ",")
    let row = "1,,,\(String(repeating: ",", count: 1000))"
    let found = try warnings("id,is_old,word,is_new,\(names)\n\(row)\n")
    #expect(found.map(\.code) == Array(repeating: .columnUnknown, count: 21))
    #expect(found.last?.message == #"unknown column "c20" and 979 more, not loaded"#)
  }

  @Test(arguments: ["\u{2028}", "\u{2029}", "\u{202e}", "\u{9b}"])
  func `no name controls a terminal`(character: String) throws {
    let found = try warnings("id,is_old,word,is_new,a\(character)b\n1,,,,\n")
    let message = try #require(found.first?.message)
    let printed = "a\(character)b".printable(keepingLineFeeds: true)
    let isPlain = (message + printed).utf8.allSatisfy { $0 < 0x80 }
    #expect(isPlain, "\(message) \(printed)")
  }

  @Test func `a column with another type than in the last run is reported`() throws {
    func schema(_ type: ColumnDescription.DataType) -> SchemaDescription {
      let table = TableDescription(
        "places", columns: [ColumnDescription("id", .integer), ColumnDescription("size", type)],
        primaryKey: ["id"])
      return SchemaDescription(tables: [table], applicationID: 78, version: 1)
    }
    let workplace = try Places.workplace(["places.csv": "id,size\n1,2\n"])
    #expect(load(workplace, schema(.integer)).warnings.isEmpty)
    let changed = load(workplace, schema(.text)).warnings
    #expect(changed.map(\.code) == [.typeChanged])
    #expect(
      changed.first?.message == "size of places was integer in run 1, and is now text")
    #expect(changed.first?.difference?.valueBefore == "integer")
    #expect(changed.first?.suppression == "type-changed places.size: as of run 1")
    // It is back.
    #expect(load(workplace, schema(.integer)).warnings.isEmpty)
    try workplace.write("places.csv", "id,size\n1,3\n")
    for _ in 0..<2 {
      let lasting = load(workplace, schema(.text)).warnings
      #expect(lasting.map(\.suppression) == ["type-changed places.size: as of run 2"])
    }
  }
}
