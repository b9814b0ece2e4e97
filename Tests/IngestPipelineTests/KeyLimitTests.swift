import Vocabulary
@testable import Validation
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// Keys that are too long, and too many of them.
@Suite struct KeyLimitTests {
  private static func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

  /// A column for each way of being part of a key, and one that is part of none.
  private static let keyed = TableDescription(
    "keyed",
    columns: [
      ColumnDescription("key", .text), ColumnDescription("unique", .text, isNullable: true),
      ColumnDescription("label", .text, isNullable: true),
      ColumnDescription("sorted", .text, isNullable: true),
      ColumnDescription("free", .text, isNullable: true),
    ],
    primaryKey: ["key"], uniqueKeys: [["unique"]],
    foreignKeys: [ForeignKeyDescription("label", references: "labels", "label")],
    indexes: [["sorted"]])

  private static func schema(_ tables: TableDescription...) -> SchemaDescription {
    SchemaDescription(tables: [Family.labels] + tables, applicationID: 1, version: 1)
  }

  @Test func `a text in a key or an index has at most 1024 bytes`() throws {
    let (long, longest) = (Self.text(1025), Self.text(1024))
    // Bytes count, and not letters.
    let letters = String(repeating: "é", count: 513)
    let workplace = try Workplace()
    try workplace.write("labels.csv", "label\n\(longest)\n\(long)\n")
    try workplace.write(
      "keyed.csv",
      """
      key,unique,label,sorted,free
      \(longest),\(longest),\(longest),\(longest),\(long)\(long)
      \(long),,,,
      a,\(long),,,
      b,,\(long),,
      c,,,\(letters),
      d,,,,\(letters)

      """)
    let outcome = loaded(workplace, Self.schema(Self.keyed))
    #expect(
      outcome.rejected == [
        "labels.csv:3 key-too-long label", "keyed.csv:3 key-too-long key",
        "keyed.csv:4 key-too-long unique", "keyed.csv:5 key-too-long label",
        "keyed.csv:6 key-too-long sorted",
      ])
    // A text of that length is not looked for among the parents.
    #expect(outcome.rejects.allSatisfy { $0.reasons.count == 1 })
    let message = outcome.rejects[0].reasons[0].message
    #expect(message.hasPrefix("\"xxx"))
    #expect(message.hasSuffix(" is too long: keys and indexed values are limited to 1,024 bytes"))
    #expect(try workplace.rows("SELECT length(free) FROM keyed ORDER BY key") == ["513", "2050"])
  }

  @Test func `a description may allow more`() throws {
    let labels = TableDescription(
      "labels", columns: [ColumnDescription("label", .text)], primaryKey: ["label"])
    let schema = SchemaDescription(tables: [labels], applicationID: 1, version: 1)
    let workplace = try Workplace()
    try workplace.write("labels.csv", "label\n\(Self.text(2000))\n\(Self.text(2001))\n")
    let outcome = load(workplace, schema.withSources { $0.formats[0].longestKey = 2000 })
    #expect(outcome.rejected == ["labels.csv:3 key-too-long label"])
  }

  /// A table for each form of a key, and what one of its records is.
  static let forms: [(TableDescription, String, @Sendable (Int) -> String)] = [
    (
      TableDescription("t", columns: [ColumnDescription("a", .integer)], primaryKey: ["a"]), "a",
      { "\($0 * 7_777_777)" }
    ),
    (
      TableDescription("t", columns: [ColumnDescription("a", .text)], primaryKey: ["a"]), "a",
      { "number \($0)" }
    ),
    (
      TableDescription(
        "t", columns: [ColumnDescription("a", .text), ColumnDescription("b", .integer)],
        primaryKey: ["a", "b"]), "a,b", { "\($0),\(-$0)" }
    ),
    // The first column says the group.
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .text), ColumnDescription("b", .text),
          ColumnDescription("c", .boolean),
        ], primaryKey: ["a", "b", "c"],
        foreignKeys: ["a", "b"].map { ForeignKeyDescription($0, references: "labels", "label") }),
      "a,b,c", { "\($0 / 200 % 200),\($0 % 200),\($0 < 40_000 ? "t" : "f")" }
    ),
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .integer), ColumnDescription("p", .integer, isNullable: true),
        ], primaryKey: ["a"], foreignKeys: [ForeignKeyDescription("p", references: "t", "a")]),
      "a,p", { $0 == 0 ? "0," : "\($0),\($0 - 1)" }
    ),
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .integer), ColumnDescription("b", .text),
          ColumnDescription("p", .text, isNullable: true),
        ], primaryKey: ["a"], uniqueKeys: [["b", "a"]],
        foreignKeys: [ForeignKeyDescription(["a", "p"], references: "t", ["a", "b"])]),
      "a,b,p", { "\($0),\($0 % 7),\($0 % 7)" }
    ),
  ]

  @Test(
    arguments: forms.indices.map { ($0, 1 << 20) }
      + forms.indices.filter { LongTests.areOn || $0 % 3 == 0 }.map { ($0, 64 << 20) })
  func `keys stay within the memory limit`(form: Int, limit: Int) throws {
    let (table, header, record) = Self.forms[form]
    let workplace = try Workplace()
    try workplace.write("labels.csv", "label\n" + (0..<200).map { "\($0)\n" }.joined())
    try workplace.write("t.csv", header + "\n" + (0..<80_000).map { record($0) + "\n" }.joined())
    let outcome = load(workplace, Self.schema(table), limit: .records(0)) { $0.keyMemory = limit }
    guard limit == 1 << 20 else {
      #expect(outcome.error == nil)
      #expect(try workplace.rows("SELECT count(*) FROM t") == ["80000"])
      return
    }
    let error = try #require(outcome.error)
    #expect(error.code == .run(.keyMemoryExceeded) && error.kind == .data, "\(error)")
    #expect(error.message.hasPrefix("t.csv: line "))
    #expect(
      error.message.hasSuffix(
        ": keys exceed the memory limit of 1M at this record. Nothing was published. Check whether this "
          + "is the right file; if so, raise the limit: --max-key-memory 2M"))
    // No key was called a duplicate since there was no room for it.
    #expect(outcome.rejected == [])
    #expect(try workplace.names == ["dumps"])
  }

  @Test func `memory includes both tables during growth`() {
    let memory = KeyMemory(limit: 1 << 20)
    #expect(memory.grow(from: 0, to: 512 << 10))
    #expect(memory.grow(from: 256 << 10, to: 512 << 10))
    #expect(memory.used == 768 << 10 && !memory.isExceeded)
    #expect(!memory.grow(from: 256 << 10, to: 512 << 10))
    #expect(memory.isExceeded)
    // What is small grows on, until somebody looks.
    #expect(memory.grow(from: 0, to: 64 << 10))
    memory.restart(with: 0)
    #expect(memory.used == 0 && memory.isExceeded)
  }
}
