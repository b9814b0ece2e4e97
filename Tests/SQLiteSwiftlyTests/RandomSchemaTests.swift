import SQLiteSwiftly
import Testing

/// Any description is created exactly.
struct RandomSchemaTests {
  /// Names that SQL text could be misread at.
  private static let names = [
    "a", "b", "c_d", "order", "check", "in", "null", "end", "key", "e\u{301}", "\u{E9}", "a b",
    "say \"x\"", "it's", "[x]", "`", "x)", "(y", "a, b", "-- no", "/*", "*/", "1st", "\u{1F9F1}",
    "CHECK (a > 0)", "Mixed", "rowid", "default", "a.b", "collate", "as (1)", "\n", "?1", ":x",
  ]

  private static let texts = [
    "", "x", "it's", "a\0b", "CHECK (", "--", "\u{E9}", "e\u{301}", "\"", "NULL", "), STRICT",
  ]

  private static func column(
    _ name: String, _ random: inout SeededGenerator
  ) -> ColumnDescription {
    let types: [ColumnDescription.DataType] = [.integer, .real, .text, .blob, .boolean]
    let type = types.randomElement(using: &random) ?? .text
    let number = Int64.random(in: .min ... .max, using: &random)
    let text = texts.randomElement(using: &random) ?? ""
    let domains: [ColumnDescription.Domain?] =
      switch type {
      case .integer: [nil, .atLeast(number), .within(min(number, 5)...max(number, 5))]
      case .text:
        [nil, .singleLine, .hexadecimalDigits(3), .oneOf([text, "y"])]
      default: [nil]
      }
    let value: SQLiteValue =
      switch type {
      case .integer: .integer(number)
      case .boolean: .integer(number & 1)
      case .real: .real(number & 1 == 0 ? Double(number % 1000) / 8 : 1 / Double(number))
      case .text: .text(text)
      case .blob: .blob(Array(text.utf8))
      }
    return ColumnDescription(
      name, type, isNullable: Bool.random(using: &random),
      domain: domains.randomElement(using: &random) ?? nil,
      defaultValue: Bool.random(using: &random) ? value : nil)
  }

  private static func table(_ random: inout SeededGenerator) -> TableDescription {
    let names = Array(names.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random)))
    func some(_ random: inout SeededGenerator) -> [String] {
      Array(names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    }
    let hasKey = Int.random(in: 0..<5, using: &random) > 0
    let foreignKeys = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      let columns = some(&random)
      return ForeignKeyDescription(
        columns, references: Self.names.randomElement(using: &random) ?? "", columns)
    }
    return TableDescription(
      Self.names.randomElement(using: &random) ?? "t",
      columns: names.map { column($0, &random) },
      primaryKey: hasKey ? some(&random) : [],
      uniqueKeys: (0..<Int.random(in: 0...2, using: &random)).map { _ in some(&random) },
      foreignKeys: foreignKeys,
      indexes: (0..<Int.random(in: 0...2, using: &random)).map { _ in some(&random) },
      isStrict: Bool.random(using: &random),
      isWithoutRowid: hasKey ? [nil, true, false].randomElement(using: &random) ?? nil : nil)
  }

  @Test(arguments: 1...8)
  func `SW-39 any described table is created as described`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var created = 0
    for _ in 0..<100 {
      let table = Self.table(&random)
      // Two random indexes can be alike.
      guard table.faults.isEmpty else { continue }
      let connection = try Connection.inMemory(with: table)
      let differences = try connection.differences(fromTable: table)
      let text = try table.creation.text
      #expect(differences == [], "\(text)")
      created += 1
    }
    #expect(created > 60)
  }

  @Test(arguments: 1...4)
  func `SW-51 tables differ when their descriptions do`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let (first, second) = (Self.table(&random), Self.table(&random))
      guard first.faults.isEmpty, second.faults.isEmpty else { continue }
      let connection = try Connection.inMemory(with: first)
      let other = TableDescription(
        first.name, columns: second.columns, primaryKey: second.primaryKey,
        uniqueKeys: second.uniqueKeys, foreignKeys: second.foreignKeys, indexes: second.indexes,
        isStrict: second.isStrict, isWithoutRowid: second.isWithoutRowid)
      #expect(try !connection.differences(fromTable: other).isEmpty)
      let permuted = TableDescription(
        first.name, columns: first.columns.shuffled(using: &random), primaryKey: first.primaryKey,
        uniqueKeys: first.uniqueKeys.shuffled(using: &random),
        foreignKeys: first.foreignKeys.shuffled(using: &random),
        indexes: first.indexes.shuffled(using: &random), isStrict: first.isStrict,
        isWithoutRowid: first.isWithoutRowid)
      #expect(try connection.differences(fromTable: permuted) == [])
    }
  }
}
