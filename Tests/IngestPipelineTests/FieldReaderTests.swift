import Vocabulary
@testable import Fields
import CSV
import Foundation
import SQLiteSwiftly
import Text
import Schema
import TestSupport
import Testing

@Suite struct FieldReaderTests {
  typealias Domain = ColumnDescription.Domain
  typealias Column = (description: ColumnDescription, format: FieldFormat)

  /// Reads a text as a column does: `NULL`, a value, or a code.
  static func read(_ text: String, as column: Column) throws -> String {
    let reader = FieldReader(column.description, column.format, isNullable: true, mostBytes: .max)
    // Other bytes around it are no part of it.
    let bytes = Array("12\(text)345678901234567890".utf8)
    var newText = NewText()
    newText.begin(at: bytes.count)
    let field = RecordBatch.Field(start: 2, end: UInt32(2 + text.utf8.count))
    let value = reader.read(field, of: bytes.span, newText: &newText)
    if let code = value.fault { return code.rawValue }
    switch value.storageClass {
    case RowBatch.StorageClass.null: return "NULL"
    case RowBatch.StorageClass.integer: return "\(value.bits)"
    case RowBatch.StorageClass.real:
      return "\(Double(bitPattern: UInt64(bitPattern: value.bits)))"
        + (value.isRounded ? " rounded" : "")
    default:
      let (start, count) = RowBatch.textPlace(value.bits)
      return String(decoding: (bytes + newText.bytes)[start..<start + count], as: UTF8.self)
    }
  }

  static func column(
    _ type: ColumnDescription.DataType, _ spelling: FieldFormat.Spelling = .exact,
    _ domain: Domain? = nil, missing: [String] = [""]
  ) -> Column {
    var format = FieldFormat()
    format.spelling = spelling
    format.missingValues = missing
    return (ColumnDescription("v", type, isNullable: true, domain: domain), format)
  }

  private static func number(
    group: String? = nil, decimal: String = ".", isBare: Bool = true
  ) -> FieldFormat.NumberSpelling {
    var spelling = FieldFormat.NumberSpelling()
    (spelling.groupSeparator, spelling.decimalSeparator, spelling.isBare) = (group, decimal, isBare)
    return spelling
  }

  private func check(_ column: Column, _ cases: [(String, String)]) throws {
    for (text, expected) in cases {
      #expect(try Self.read(text, as: column) == expected, "\(text) as \(column.format.spelling)")
    }
  }

  @Test func `missing values are recognized first`() throws {
    let missing = Self.column(.integer, .integer(Self.number()), missing: ["NA", "-", "not known"])
    try check(
      missing,
      [
        ("NA", "NULL"), ("-", "NULL"), ("not known", "NULL"), ("not know", "not-an-integer"),
        ("", "not-an-integer"), ("7", "7"),
      ])
    try check(Self.column(.text, missing: ["NA"]), [("", ""), ("NA", "NULL"), ("na", "na")])
    try check(Self.column(.text, missing: []), [("", "")])
  }

  @Test func `integers are read as XML Schema writes them`() throws {
    try check(
      Self.column(.integer, .integer(Self.number())),
      [
        ("7", "7"), ("+7", "7"), ("007", "7"), ("-0", "0"), (" 12 ", "12"), ("", "NULL"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "integer-out-of-range"),
        ("00000000000000000000000012", "12"), ("123456789012345678901", "integer-out-of-range"),
        ("1.0", "not-an-integer"), ("1e3", "not-an-integer"), ("1,000", "not-an-integer"),
        ("+", "not-an-integer"), ("1 2", "not-an-integer"), ("١", "not-an-integer"),
      ])
    try check(
      Self.column(.integer, .integer(Self.number(group: ","))),
      [
        ("1,234,567", "1234567"), ("1,,2", "not-an-integer"), (",1", "not-an-integer"),
        ("1,", "not-an-integer"), ("12", "12"),
      ])
    try check(
      Self.column(.integer, .integer(Self.number(isBare: false))),
      [
        ("€ 95", "95"), ("95%", "95"), ("EUR-5", "-5"), ("a5b6c", "not-an-integer"),
        ("none", "not-an-integer"), ("--5", "not-an-integer"),
      ])
    try check(
      Self.column(
        .integer, .integer(Self.number()), .all([.atMost(9), .oneOfIntegers([7, 3, 12])])),
      [("7", "7"), ("03", "3"), ("12", "not-allowed"), ("4", "not-allowed")])
  }

  @Test func `numbers are the nearest ones`() throws {
    try check(
      Self.column(.real, .number(Self.number())),
      [
        ("1", "1.0"), ("-1.5", "-1.5"), (".5", "0.5"), ("5.", "5.0"), ("+1.25E2", "125.0"),
        ("-0", "0.0"), ("-0.0", "0.0"), ("1e-2", "0.01"), ("INF", "inf"), ("-inf", "-inf"),
        ("NaN", "not-a-number"), (".", "not-a-number"), ("e5", "not-a-number"),
        ("1e", "not-a-number"), ("1,5", "not-a-number"), ("Infinity", "not-a-number"),
        ("1_0", "not-a-number"), ("0x1", "not-a-number"), ("1e400", "number-out-of-range"),
        ("-1e400", "number-out-of-range"), ("1e-400", "0.0 rounded"),
        ("13.376890000000001", "13.376890000000001"), ("0.10000000000000001", "0.1"),
        ("0.12345678901234567890", "0.12345678901234568 rounded"),
        ("12345678901234567890", "1.2345678901234567e+19 rounded"),
        ("9007199254740993", "9007199254740992.0 rounded"), ("1.50000000000000000000000000", "1.5"),
        ("0.000000000000000000000000000000", "0.0"), ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
      ])
    try check(
      Self.column(.real, .number(Self.number(group: ".", decimal: ","))),
      [("1.234,5", "1234.5"), ("1234,5", "1234.5"), ("1,5.5", "not-a-number")])
    try check(
      Self.column(.real, .number(Self.number(isBare: false))),
      [("€1.5", "1.5"), ("95.5 %", "95.5"), ("€.5", "0.5"), ("INF", "not-a-number")])
    let range = Domain.between(.init(0, isExclusive: true), .init(1))
    try check(
      Self.column(.real, .exact, range), [("0", "not-allowed"), ("1", "1.0"), ("1e-300", "1e-300")])
    try check(
      Self.column(.real, .exact, .oneOfReals([1, 2.5])), [("1.00", "1.0"), ("2", "not-allowed")])
  }

  /// The digits of a number without its zeros, and where its point is: equal for equal numbers.
  private static func normalized(_ text: String) -> (digits: String, point: Int) {
    let parts = text.lowercased().split(separator: "e")
    let halves = parts[0].drop { $0 == "-" || $0 == "+" }
      .split(separator: ".", omittingEmptySubsequences: false)
    let digits = halves.joined()
    let zeros = digits.prefix { $0 == "0" }.count
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var rest = String(digits.dropFirst(zeros))
    while rest.hasSuffix("0") { rest.removeLast() }
    return (rest, rest.isEmpty ? 0 : halves[0].utf8.count - zeros + exponent)
  }

  /// A number in one of the ways in which programs write it.
  private static func written(
    _ value: Double, using generator: inout SeededGenerator
  ) -> String {
    let shortest = "\(value)"
    let (digits, point) = normalized(shortest)
    let sign = value.sign == .minus ? "-" : ""
    let zeros = String(repeating: "0", count: Int.random(in: 0...4, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return shortest
    case 1: return "\(sign)\(digits)\(zeros)e\(point - digits.utf8.count - zeros.utf8.count)"
    case 2: return "\(sign)0.\(zeros)\(digits)\(zeros)E\(point + zeros.utf8.count)"
    case 3: return String(format: "%.17g", value)
    case 4 where -30...0 ~= point:
      return "\(sign)0." + String(repeating: "0", count: -point) + digits + zeros
    case 4 where 1..<digits.utf8.count ~= point:
      return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))\(zeros)"
    default:
      // One more digit than tells the number from all others.
      return "\(sign)\(digits.prefix(1)).\(digits.dropFirst(1))7e\(point - 1)"
    }
  }

  /// A value of the magnitudes that are read in different ways: also those between which a digit lies half way, and
  /// powers of two, beside which numbers lie closer on one side.
  private static func anyValue(using generator: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: Double.random(in: -200...200, using: &generator)
    case 1: Double.random(in: 0...1e-4, using: &generator)
    case 2: Double.random(in: 1e14...5e15, using: &generator)
    case 3: Double.random(in: 1e15...1e19, using: &generator)
    case 4:
      Double(sign: .plus, exponent: .random(in: -1074...1023, using: &generator), significand: 1)
    default:
      Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
    }
  }

  /// Any digits, with a point and perhaps an exponent.
  private static func anyDecimal(using generator: inout SeededGenerator) -> String {
    var text = (0..<Int.random(in: 1...21, using: &generator)).map { _ in
      String(Int.random(in: 0...9, using: &generator))
    }.joined()
    let point = Int.random(in: 0...text.utf8.count, using: &generator)
    text.insert(".", at: text.index(text.startIndex, offsetBy: point))
    let exponent = Int.random(in: -30...30, using: &generator)
    return Bool.random(using: &generator) ? text : "\(text)e\(exponent)"
  }

  /// Swift's own reading is strtod's; a script compares it with Python's.
  @Test func `numbers are rounded correctly, and only those that change are reported as rounded`() {
    var generator = SeededGenerator(seed: 22)
    let reader = NumberFormat(Self.number())
    var counts = (shortest: 0, asWide: 0, rounded: 0)
    for round in 0..<(LongTests.areOn ? 60_000 : 12_000) {
      let value = Self.anyValue(using: &generator)
      let isAny = round.isMultiple(of: 3) || !value.isFinite || value == 0
      let text =
        isAny
        ? Self.anyDecimal(using: &generator) : Self.written(value, using: &generator)
      let bytes = Array(text.utf8)
      let number = reader.real(0..<bytes.count, of: bytes.span)
      let (found, shortest) = (Self.normalized(text), Self.normalized("\(number.value)"))
      let asWide = Self.normalized(
        String(format: "%.\(max(found.digits.utf8.count - 1, 0))e", number.value))
      if found == shortest {
        counts.shortest += 1
        if number.isRounded { Issue.record("\(text) is what \(number.value) is written as") }
      } else if found == asWide {
        counts.asWide += 1
        if number.isRounded { Issue.record("\(text) is \(number.value) with as many digits") }
      } else {
        counts.rounded += 1
        if !number.isRounded { Issue.record("\(text) is stored as \(number.value)") }
      }
      if number.value != Double(text) { Issue.record("\(text): \(number)") }
    }
    #expect(counts.shortest > 2000 && counts.asWide > 300 && counts.rounded > 300, "\(counts)")
  }

  @Test func `zeros and exponents round nothing`() throws {
    try check(
      Self.column(.real, .number(Self.number())),
      [
        ("1.50", "1.5"), ("1e3", "1000.0"), ("885097280889015.8", "885097280889015.8"),
        ("885097280889015.80", "885097280889015.8"),
        ("885097280889015.7", "885097280889015.8 rounded"),
        ("0.00043931419863994239", "0.0004393141986399424"),
        ("7.120236347223045e-307", "7.120236347223045e-307"),
        ("0.1000000000000000055511151231257827021181583404541015625", "0.1"),
        ("0.1000000000000000055511151231257827021181583404541015626", "0.1 rounded"),
      ])
  }

  @Test func `booleans are one of the texts`() throws {
    let words = FieldFormat.Spelling.boolean(true: ["yes", "1"], false: ["no", "definitely not"])
    try check(
      Self.column(.boolean, words),
      [
        ("yes", "1"), ("no", "0"), ("1", "1"), ("definitely not", "0"),
        ("definitely no", "not-a-boolean"),
        ("Yes", "not-a-boolean"), ("0", "not-a-boolean"), ("", "NULL"),
      ])
    try check(
      Self.column(.boolean, missing: ["-"]), [("t", "1"), ("False", "0"), ("", "not-a-boolean")])
  }

  @Test func `dates are days of the calendar`() throws {
    try check(
      Self.column(.text, .exact, .time(.date)),
      [
        ("2024-02-29", "2024-02-29"), ("2023-02-29", "not-a-time"), ("1900-02-29", "not-a-time"),
        ("2000-02-29", "2000-02-29"), ("2024-4-31", "not-a-time"), ("2024-04-31", "not-a-time"),
        ("0000-01-01", "not-a-time"), ("2024-00-01", "not-a-time"), ("2024-1-1", "not-a-time"),
      ])
    try check(
      Self.column(.text, .time(pattern: "%d.%m.%Y"), .time(.date)),
      [
        ("31.12.2024", "2024-12-31"), ("1.2.2024", "2024-02-01"), ("31.02.2024", "not-a-time"),
        ("31.12.24", "not-a-time"), ("31.12.2024 ", "not-a-time"),
      ])
    try check(
      Self.column(.text, .time(pattern: "%a, %d %b %Y"), .time(.date)),
      [
        ("Mon, 23 Nov 2026", "2026-11-23"), ("mon, 23 NOV 2026", "2026-11-23"),
        ("Tue, 23 Nov 2026", "not-a-time"),
      ])
    try check(
      Self.column(.text, .time(pattern: "%Y-%j"), .time(.date)),
      [("2024-366", "2024-12-31"), ("2023-366", "not-a-time"), ("2023-60", "2023-03-01")])
    try check(
      Self.column(.text, .time(pattern: "%y%m%d %H:%M"), .time(.date)),
      [
        ("690101 00:00", "1969-01-01"), ("680101 00:00", "2068-01-01"),
        ("680101 00:01", "not-a-time"),
      ])
    try check(
      Self.column(.text, .anyTime, .time(.date)),
      [
        ("2024-12-31", "2024-12-31"), ("31/12/2024", "2024-12-31"), ("12/31/2024", "2024-12-31"),
        ("01/02/2024", "not-a-time"), ("02/02/2024", "2024-02-02"), ("May 4, 2024", "2024-05-04"),
        ("4 May 2024", "2024-05-04"), ("20241231", "2024-12-31"), ("yesterday", "not-a-time"),
      ])
  }

  @Test func `times are those of a day`() throws {
    try check(
      Self.column(.text, .exact, .time(.time)),
      [
        ("23:59:59", "23:59:59"), ("12:00:00.50", "12:00:00.5"), ("12:00:00.0", "12:00:00"),
        ("24:00:00", "not-a-time"), ("12:60:00", "not-a-time"), ("12:00:60", "not-a-time"),
        ("12:00", "not-a-time"), ("12:00:00Z", "not-a-time"), ("12:00:00.", "not-a-time"),
      ])
    try check(
      Self.column(.text, .time(pattern: "%I:%M %p"), .time(.time)),
      [
        ("1:05 PM", "13:05:00"), ("12:00 am", "00:00:00"), ("12:00 pm", "12:00:00"),
        ("13:00 pm", "not-a-time"),
      ])
    try check(
      Self.column(.text, .exact, .time(.dateTime)),
      [
        ("2024-12-31T23:59:59", "2024-12-31T23:59:59"),
        ("2024-01-26T15:00:00Z", "2024-01-26T15:00:00Z"),
        ("2024-12-31T23:30:00.25-01:00", "2025-01-01T00:30:00.25Z"),
        ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"),
        ("2024-02-28T24:00:00", "2024-02-29T00:00:00"), ("2024-02-28T24:00:01", "not-a-time"),
        ("0001-01-01T00:00:00+01:00", "not-a-time"), ("2024-12-31 23:59:59", "not-a-time"),
        ("2024-12-31T23:59:59+15:00", "not-a-time"),
      ])
    try check(
      Self.column(.text, .time(pattern: "%Y-%m-%d %H:%M:%S.%f%z"), .time(.dateTime)),
      [("2024-01-01 00:00:00.100+0200", "2023-12-31T22:00:00.1Z")])
    let year = Domain.all([.time(.year), .sorted(.init("-50"), .init("10000", isExclusive: true))])
    try check(
      Self.column(.text, .exact, year),
      [
        ("2024", "2024"), ("-0044", "-0044"), ("-0051", "not-allowed"), ("9999", "9999"),
        ("10000", "not-allowed"), ("044", "not-a-time"), ("02024", "not-a-time"),
      ])
    try check(
      Self.column(.text, .exact, .time(.yearMonth)),
      [("2024-12", "2024-12"), ("2024-13", "not-a-time"), ("2024-1", "not-a-time")])
    try check(
      Self.column(.text, .exact, .time(.duration)),
      [
        ("P1Y2M3DT4H5M6.5S", "P1Y2M3DT4H5M6.5S"), ("-P1M", "-P1M"), ("PT1M", "PT1M"),
        ("P", "not-a-time"), ("P1YT", "not-a-time"), ("PT", "not-a-time"), ("P1H", "not-a-time"),
        ("P1M1Y", "not-a-time"), ("P1.5Y", "not-a-time"), ("P1W", "not-a-time"),
        ("1Y", "not-a-time"),
      ])
    let bounds = Domain.all([
      .time(.dateTime), .sorted(.init("2024-01-01T00:00:00Z"), .init("2024-12-31T23:59:59Z")),
    ])
    try check(
      Self.column(.text, .exact, bounds),
      [
        ("2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00.5Z"),
        ("2024-12-31T23:59:59.5Z", "not-allowed"),
        ("2023-12-31T23:00:00-02:00", "2024-01-01T01:00:00Z"),
      ])
  }

  @Test func `lists and coordinates become JSON`() throws {
    try check(
      Self.column(.text, .list(delimiter: ";", items: .text), .json(.array)),
      [("a;b\"c;", #"["a","b\"c",""]"#), ("é\n", #"["é\u000a"]"#)])
    try check(
      Self.column(.text, .list(delimiter: ",", items: .number)),
      [
        ("+1.50,.5,007,1e5", "[1.50,0.5,7,1e5]"), ("1,x", "wrong-format"),
        ("1,INF", "wrong-format"),
      ])
    try check(
      Self.column(.text, .list(delimiter: ",", items: .boolean)), [("true,0", "[true,false]")])
    try check(
      Self.column(.text, .list(delimiter: ", ", items: .date)),
      [
        ("2024-01-01, 2024-02-30", "wrong-format"),
        ("2024-01-01, 2024-02-29", #"["2024-01-01","2024-02-29"]"#),
      ])
    try check(
      Self.column(.text, .coordinates),
      [
        ("90.50, 45.50", "[90.50,45.50]"), ("-180,90", "[-180,90]"), ("181,0", "wrong-format"),
        ("1", "wrong-format"), ("1,2,3", "wrong-format"),
      ])
  }

  @Test func `texts have their form`() throws {
    try check(
      Self.column(.text, .exact, .length(2...3)),
      [("é\u{1f9f1}", "é\u{1f9f1}"), ("a", "wrong-length"), ("abcd", "wrong-length")])
    try check(
      Self.column(.text, .exact, .form(.email)),
      [
        ("a.b+c@example.org", "a.b+c@example.org"), ("a@b", "wrong-format"),
        ("a..b@c.de", "wrong-format"),
        ("@c.de", "wrong-format"), ("a@-c.de", "wrong-format"), ("a b@c.de", "wrong-format"),
        ("a@c.d1", "wrong-format"), ("a@c.xn--p1ai", "a@c.xn--p1ai"),
      ])
    try check(
      Self.column(.text, .exact, .form(.uri)),
      [
        ("https://example.org/a?b=%20#c", "https://example.org/a?b=%20#c"),
        ("mailto:a@b.de", "mailto:a@b.de"),
        ("example.org", "wrong-format"), ("http://a b", "wrong-format"),
        ("http://%zz", "wrong-format"), ("1a:b", "wrong-format"),
      ])
    try check(
      Self.column(.text, .exact, .form(.base64)),
      [
        ("YQ==", "YQ=="), ("YWI=", "YWI="), ("YQ", "wrong-format"), ("Y===", "wrong-format"),
        ("Y?==", "wrong-format"),
      ])
    let uuid = "123e4567-e89b-12d3-a456-426614174000"
    try check(
      Self.column(.text, .exact, .form(.uuid)),
      [(uuid, uuid), (String(uuid.dropLast()), "wrong-format")])
    try check(
      Self.column(.text, .exact, .all([.oneOf(["a", "b", "longer than eight"]), .singleLine])),
      [("a", "a"), ("longer than eight", "longer than eight"), ("c", "not-allowed")])
  }

  @Test(
    arguments: [
      ("[A-Z]{2}-\\d{1,3}", ["DE-1", "DE-123"], ["de-1", "DE-1234", "DE-", "xDE-1"]),
      ("^(a|b)+$", ["a", "abab"], ["", "abc"]), ("a|bc", ["a", "bc"], ["abc", "ac"]),
      ("^a.*$", ["apple", "a"], ["orange", "a\n"]), ("", [""], ["a"]),
      ("(a+)+", [String(repeating: "a", count: 200)], [String(repeating: "a", count: 200) + "b"]),
      ("[a-z-[aeiou]]+", ["xyz"], ["xaz"]), ("[^,]{1,100}", ["é\u{1f9f1}"], ["a,b"]),
      ("\\p{Lu}\\w{0,64}", ["Élan_1"], ["élan"]), ("\\i\\c*", ["a-b.c"], ["-a"]),
      ("([01]?\\d|2[0-3]):[0-5]\\d", ["9:59", "23:00"], ["24:00", "9:60"]),
      ("(?:x{2,}y)*", ["", "xxyxxxy"], ["xy"]), ("[\\]\\-x]", ["]", "-", "x"], ["\\"]),
      ("[+-]?\\s", ["+ ", "\t"], ["+"]),
    ])
  func `patterns match the whole text`(pattern: String, good: [String], bad: [String]) throws {
    let column = Self.column(.text, .exact, .matching(pattern), missing: [])
    for text in good { #expect(try Self.read(text, as: column) == text, "\(text)") }
    for text in bad { #expect(try Self.read(text, as: column) == "wrong-format", "\(text)") }
  }

  @Test func `each of several patterns must match`() throws {
    try check(
      Self.column(
        .text, .exact, .all([.matching("[a-zé]{1,9}"), .matching(".*é.*")]), missing: []),
      [
        ("aéb", "aéb"), ("é", "é"), ("ab", "wrong-format"), ("Aé", "wrong-format"),
        ("aéè", "wrong-format"), ("", "wrong-format"),
      ])
  }

  @Test(arguments: [
    "(", "a)", "[", "[]", "a{3,2}", "*", "a**", "\\b", "(?=a)", "a$b", "[z-a]", "\\p{Xx}",
    "((a{999}){999}){9}", "(a|b)*a(a|b){20}",
  ])
  func `a faulty pattern is refused`(pattern: String) {
    #expect(TextPattern.faults(in: pattern).count == 1)
  }

  @Test(arguments: [
    ("%d.%m.%Y", "date", 0), ("%Y-%m", "date", 1), ("%H:%M", "time", 0), ("%I:%M", "time", 1),
    ("%Y-%m-%d", "dateTime", 1), ("%Y-%m-%dT%H%z", "dateTime", 0), ("%U %Y-%m-%d", "date", 1),
    ("%d.%m.%Y %d", "date", 1), ("%Y-%m-%d %H:%M", "time", 1), ("%H:%M%z", "time", 1),
    ("%F %", "date", 1),
  ])
  func `a time pattern must be complete and free of redundancy`(
    pattern: String, form: String, count: Int
  ) {
    let forms: [String: ColumnDescription.TimeForm] = [
      "date": .date, "time": .time, "dateTime": .dateTime,
    ]
    #expect(TimePattern.faults(in: pattern, of: forms[form] ?? .date).count == count)
  }
}
