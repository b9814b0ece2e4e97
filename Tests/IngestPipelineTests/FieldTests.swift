@testable import Fields
@testable import Vocabulary
import SQLiteSwiftly
import Schema
import TestSupport
import Testing
import Text

@Suite struct FieldTests {
  /// Reads a text as an integer where it stands alone, and where other bytes are around it.
  private func integer(_ text: String) -> (value: Int64, fault: RecordCode?) {
    let alone = parseInteger(Array(text.utf8), 0..<text.utf8.count)
    let amid = parseInteger(Array("12\(text)3456789".utf8), 2..<text.utf8.count + 2)
    #expect(alone == amid)
    return alone
  }

  private func parseInteger(_ bytes: [UInt8], _ place: Range<Int>) -> (Int64, RecordCode?) {
    Fields.parseInteger(place, of: bytes.span)
  }

  private func parseBoolean(_ bytes: [UInt8], _ place: Range<Int>) -> Bool? {
    Fields.parseBoolean(place, of: bytes.span)
  }

  @Test func `integers of every size are read`() {
    var generator = SeededGenerator(seed: 17)
    var limit: Int64 = 1
    for _ in 1...18 {
      limit *= 10
      for _ in 0..<200 {
        let value = Int64.random(in: 0..<limit, using: &generator)
        for number in [value, -value] {
          #expect(integer("\(number)") == (number, nil))
        }
      }
    }
  }

  /// One byte that is no digit is found wherever it stands, and whichever it is.
  @Test(arguments: 1...10)
  func `one other byte makes an integer invalid`(count: Int) {
    for place in 0..<count {
      for byte in UInt8.min...UInt8.max where !(48...57).contains(byte) {
        var bytes = [UInt8](repeating: 57, count: count)
        bytes[place] = byte
        let isNegative = place == 0 && count > 1 && byte == 45
        let fault = parseInteger(bytes, 0..<count).1
        if fault != (isNegative ? nil : .notAnInteger) {
          Issue.record("\(bytes): \(String(describing: fault))")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-1", -1), ("7", 7), ("1932", 1932), ("9223372036854775807", Int64.max),
      ("-9223372036854775808", Int64.min),
    ])
  func `an integer is read`(text: String, value: Int64) {
    let result = integer(text)
    #expect(result.value == value)
    #expect(result.fault == nil)
  }

  @Test(
    arguments: [
      ("12x", RecordCode.notAnInteger), ("x", .notAnInteger), ("-", .notAnInteger),
      ("+1", .notAnInteger), (" 1", .notAnInteger), ("1 ", .notAnInteger), ("1.0", .notAnInteger),
      ("1e3", .notAnInteger), ("0x1", .notAnInteger), ("007", .notAnInteger),
      ("-0", .notAnInteger), ("--1", .notAnInteger), ("1,000", .notAnInteger),
      ("\u{661}", .notAnInteger), ("/", .notAnInteger), (":", .notAnInteger),
      ("9223372036854775808", .integerOutOfRange),
      ("-9223372036854775809", .integerOutOfRange),
      ("99999999999999999999999999", .integerOutOfRange),
      ("99999999999999999999999999x", .notAnInteger),
    ])
  func `a spelling that cannot be restored is not an integer`(text: String, code: RecordCode) {
    #expect(integer(text).fault == code)
  }

  @Test(
    arguments: [
      ("t", true), ("f", false), ("True", true), ("False", false), ("true", nil), ("T", nil),
      ("1", nil), ("0", nil), ("Tru", nil), ("Truee", nil), ("Falsee", nil), ("\0t", nil),
      ("\0True", nil),
    ])
  func `a boolean has two spellings`(text: String, value: Bool?) {
    #expect(parseBoolean(Array(text.utf8), 0..<text.utf8.count) == value)
    #expect(parseBoolean(Array("t\(text)alse".utf8), 1..<text.utf8.count + 1) == value)
  }

  /// The validator and the CHECK in the file come from one description, and must agree.
  @Test(
    arguments: [
      (ColumnDescription("v", .integer, domain: .atLeast(0)), ["-1", "0", "5"]),
      (
        ColumnDescription("v", .integer, domain: .within(1900...2199)),
        ["1899", "1900", "2199", "2200"]
      ),
      (ColumnDescription("v", .text, domain: .oneOf(["a", "b'c"])), ["a", "b'c", "A", "ab"]),
      (
        ColumnDescription("v", .text, domain: .singleLine),
        ["x", " ", "a\nb", "\n", "a\rb", "\u{85}"]
      ),
      (
        ColumnDescription("v", .text, domain: .hexadecimalDigits(6)),
        ["05131D", "05131d", "05131", "05131DD", "0513 1", "GGGGGG", "é0131"]
      ),
      (ColumnDescription("v", .boolean), ["t", "f"]),
    ])
  func `the validator accepts what the table accepts`(
    column: ColumnDescription, values: [String]
  ) throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("id", .integer), column], primaryKey: ["id"])
    let schema = SchemaDescription(tables: [table], applicationID: 1, version: 1)
    for value in values {
      let workplace = try Workplace()
      try workplace.write("t.csv", "id,v\n1,\"\(value)\"\n")
      let isSuppressed = load(workplace, schema, limit: .records(1)).report?.inserted == 1

      let connection = try Connection.inMemory()
      try connection.createTable(describedBy: table)
      let stored: SQLiteValue =
        switch column.type {
        case .integer: .integer(Int64(value) ?? 0)
        case .boolean: .integer(value == "t" ? 1 : 0)
        default: .text(value)
        }
      var insert = try connection.prepareInsertIntoTable(describedBy: table)
      let isStored: Bool
      do throws(SQLiteError) {
        try insert.insert([.integer(1), stored])
        isStored = true
      } catch {
        #expect(error.code == .constraint)
        isStored = false
      }
      #expect(isSuppressed == isStored, "\(value)")
    }
  }
}
