@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// Texts are read as frictionless reads them, which `Tests/System/Frictionless/values.py` has asked.
@Suite struct ReadingAgreementTests {
  private typealias Column = FieldReaderTests

  /// The columns, by the names that the script has for them.
  private static var columns: [String: FieldReaderTests.Column] {
    var (comma, around) = (FieldFormat.NumberSpelling(), FieldFormat.NumberSpelling())
    (comma.decimalSeparator, comma.groupSeparator) = (",", ".")
    around.isBare = false
    let plain = FieldFormat.NumberSpelling()
    let dates = ColumnDescription.Domain.all([
      .time(.date), .sorted(.init("2024-01-01"), .init("2024-06-30")),
    ])
    let booleans = FieldFormat.Spelling.boolean(
      true: ["true", "True", "TRUE", "1"], false: ["false", "False", "FALSE", "0"])
    return [
      "integer": Column.column(.integer, .integer(plain)),
      "integer-around": Column.column(.integer, .integer(around)),
      "number": Column.column(.real, .number(plain)),
      "number-comma": Column.column(.real, .number(comma)),
      "number-around": Column.column(.real, .number(around)),
      "number-bounds": Column.column(
        .real, .number(plain), .between(.init(0, isExclusive: true), .init(100))),
      "number-enum": Column.column(.real, .number(plain), .oneOfReals([1, 2.5])),
      "boolean": Column.column(.boolean, booleans),
      "date": Column.column(.text, .exact, .time(.date)),
      "date-pattern": Column.column(.text, .time(pattern: "%d/%m/%Y"), .time(.date)),
      "date-bounds": Column.column(.text, .exact, dates),
      "time": Column.column(.text, .exact, .time(.time)),
      "time-pattern": Column.column(.text, .time(pattern: "%I:%M %p"), .time(.time)),
      "datetime": Column.column(.text, .exact, .time(.dateTime)),
      "datetime-pattern": Column.column(
        .text, .time(pattern: "%Y-%m-%d %H:%M:%S%z"), .time(.dateTime)),
      "year": Column.column(.text, .exact, .time(.year)),
      "yearmonth": Column.column(.text, .exact, .time(.yearMonth)),
      "duration": Column.column(.text, .exact, .time(.duration)),
      "geopoint": Column.column(.text, .coordinates, .json(.array)),
      "list-integer": Column.column(.text, .list(delimiter: ",", items: .integer), .json(.array)),
      "list-date": Column.column(.text, .list(delimiter: ",", items: .date), .json(.array)),
      "object": Column.column(.text, .exact, .json(.object)),
      "array": Column.column(.text, .exact, .json(.array)),
      "email": Column.column(.text, .exact, .form(.email)),
      "uri": Column.column(.text, .exact, .form(.uri)),
      "uuid": Column.column(.text, .exact, .form(.uuid)),
      "base64": Column.column(.text, .exact, .form(.base64)),
      "pattern": Column.column(.text, .exact, .matching("[A-Z]{2}-?\\d*")),
      "length": Column.column(.text, .exact, .length(2...4)),
      "enum": Column.column(
        .text, .exact, .all([.oneOf(["red", "green blue"]), .length(0...(.max))])),
    ]
  }

  /// What frictionless takes, and is refused: kinds, texts, and why.
  private static let refused = [
    ("integer|number", ".*_.*", "underscores between digits are Python's own"),
    ("integer-around", #"[^\d]*\.\d.*"#, "a point before digits makes them no whole number"),
    ("number", "NaN", "SQLite has only NULL for it"),
    ("number.*", #".*e\d{8,}"#, "it is beyond what 64 bits hold"),
    (
      "number-comma", #"-?\..*|.*\.\..*|.*[,e].*\..*|.*\.([,e].*)?"#,
      "groups have digits on both sides"
    ),
    ("date|date-bounds|list-date", #"(.*-\d|.*-\d-.*)"#, "months and days have two digits"),
    ("datetime", ".{10}[^T].*", "a T is before the time"),
    (
      "datetime-pattern", #".*[+-](1[5-9]|2\d).*|.*- \d .*"#,
      "no place is 15 hours off; a day has no blank"
    ),
    ("yearmonth", #"(?!\d{4}-\d\d$).*"#, "a year has four digits, and a month two"),
    ("base64", ".*", "Python passes over what is no Base64"),
    ("uri", ".*( |%(?![0-9a-fA-F]{2})).*", "RFC 3986 has no blanks, and two digits after a %"),
    ("uuid", ".*", "its groups have their lengths"),
    ("pattern", ".*\n", "for Python, the end is before a line feed, too"),
  ]
  /// What frictionless refuses, and is taken.
  private static let taken = [
    ("year", #"-?\d{4,}"#, "XML Schema has years before 0 and after 9999")
  ]

  @Test func `texts are read as frictionless reads them`() throws {
    let path = URL(filePath: #filePath)
      .appending(path: "../../../fixtures/values/cases.tsv").standardized
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 3000)
    let columns = Self.columns
    for line in lines {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let column = try #require(columns[parts[0]])
      let text = try #require(
        try JSONSerialization.jsonObject(with: Data(parts[1].utf8), options: .fragmentsAllowed)
          as? String)
      let read = outcome(try FieldReaderTests.read(text, as: column), of: column, as: parts[2])
      guard read != parts[2] else { continue }
      let list = read == "error" ? Self.refused : parts[2] == "error" ? Self.taken : []
      let isKnown = list.contains { kinds, texts, _ in
        parts[0].wholeMatches(kinds) && text.wholeMatches(texts)
      }
      if !isKnown { Issue.record("\(parts[0]) \(parts[1]): \(parts[2]), but \(read)") }
    }
  }

  /// What was read, in the script's words.
  private func outcome(
    _ read: String, of column: FieldReaderTests.Column, as expected: String
  ) -> String {
    if RecordCode.allCases.contains(where: { $0.rawValue == read }) { return "error" }
    if read == "NULL" { return read }
    if column.description.type == .real {
      let value = read.split(separator: " ").first.flatMap { Double($0) }
      return value == Double(expected) ? expected : read
    }
    return expected == "ok" ? "ok" : read
  }
}

extension String {
  fileprivate func wholeMatches(_ pattern: String) -> Bool {
    range(of: "^(?:\(pattern))$", options: .regularExpression) == startIndex..<endIndex
  }
}
