import Patterns

extension ColumnDescription {
  /// A closed domain: a value outside it is damage, not news.
  public enum Domain: Hashable, Sendable {
    /// Integers not below a bound.
    case atLeast(Int64)
    /// Integers not above a bound.
    case atMost(Int64)
    /// Integers within two bounds.
    case within(ClosedRange<Int64>)
    /// One of these integers, of which there is one at least.
    case oneOfIntegers([Int64])
    /// Reals within bounds.
    case between(Bound<Double>?, Bound<Double>?)
    /// One of these reals, of which there is one at least.
    case oneOfReals([Double])
    /// One of these texts, of which there is one at least, compared by bytes.
    case oneOf([String])
    /// Text that is not empty and has no line feed.
    case singleLine
    /// As many hexadecimal digits, from 1.
    case hexadecimalDigits(Int)
    /// Text of so many Unicode scalars, of which SQLite counts those before a NUL.
    case length(ClosedRange<Int>)
    /// Text within bounds, compared by bytes, as SQLite sorts it.
    case sorted(Bound<String>?, Bound<String>?)
    /// Text that a regular expression of XML Schema matches as a whole
    /// (<https://www.w3.org/TR/xmlschema-2/#regexs>); SQLite checks it where a `GLOB` can say it.
    case matching(String)
    /// A date, a time or a duration as text in ISO 8601, so that dates sort as text.
    case time(TimeForm)
    /// JSON, as SQLite reads it.
    case json(JSONForm)
    /// A text of a form that is known by name.
    case form(TextForm)
    /// All of these together.
    case all([Domain])
  }

  /// An end of a range.
  public struct Bound<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value at the end.
    public let value: Value
    /// Whether the value itself is outside.
    public let isExclusive: Bool

    /// Describes the end of a range.
    public init(_ value: Value, isExclusive: Bool = false) {
      self.value = value
      self.isExclusive = isExclusive
    }
  }

  /// What a text in ISO 8601 says.
  public enum TimeForm: Hashable, Sendable {
    /// `2024-12-31`
    case date
    /// `23:59:59`, with a fraction of a second or without.
    case time
    /// `2024-12-31T23:59:59`, with a fraction or without; in UTC with a `Z` behind it.
    case dateTime
    /// `2024`
    case year
    /// `2024-12`
    case yearMonth
    /// `P1Y2M3DT4H5M6S`
    case duration
  }

  /// What a JSON text is.
  public enum JSONForm: Hashable, Sendable { case value, object, array }

  /// A form of text that is known by name.
  public enum TextForm: Hashable, Sendable {
    /// The address of a mailbox.
    case email
    /// A URI with its scheme (RFC 3986).
    case uri
    /// A UUID of 32 hexadecimal digits in five groups (RFC 9562).
    case uuid
    /// Bytes in Base64 (RFC 4648).
    case base64
  }
}

extension ColumnDescription {
  /// The condition that every value other than NULL meets, or nil when any value of the type will do, and when
  /// SQLite cannot say it.
  package var checkExpression: String? {
    let name = quoted(identifier: name)
    guard let domain else { return type == .boolean ? "\(name) IN (0, 1)" : nil }
    let conditions = domain.parts.compactMap { part in
      part.condition(on: name, sortedAs: domain.times.first)
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }

  /// What is wrong with the domain by itself.
  var domainFaults: [String] {
    (domain?.parts ?? []).flatMap { $0.faults(ofColumn: written(identifier: name)) }
  }

  /// What a value must be, in words.
  package var expectation: String {
    domain.map { $0.parts.map(\.words).joined(separator: ", ") } ?? "a value of its type"
  }
}

extension ColumnDescription.Domain {
  /// The conditions that it consists of, none of which is `all`.
  package var parts: [ColumnDescription.Domain] {
    if case .all(let domains) = self { domains.flatMap(\.parts) } else { [self] }
  }

  /// The forms of time among them.
  package var times: [ColumnDescription.TimeForm] {
    parts.compactMap { if case .time(let form) = $0 { form } else { nil } }
  }

  func fits(_ type: ColumnDescription.DataType) -> Bool {
    switch self {
    case .atLeast, .atMost, .within, .oneOfIntegers: type == .integer
    case .between, .oneOfReals: type == .real
    case .oneOf, .singleLine, .hexadecimalDigits, .length, .sorted, .matching, .time, .json, .form:
      type == .text
    case .all(let domains): domains.allSatisfy { $0.fits(type) }
    }
  }

  fileprivate func faults(ofColumn column: String) -> [String] {
    switch self {
    case .oneOf([]), .oneOfIntegers([]), .oneOfReals([]):
      ["the domain of the column \(column) has no value"]
    case .oneOf(let texts):
      repeated(texts).map { "the domain of the column \(column) has a value twice: \($0)" }
    case .hexadecimalDigits(let count) where count < 1:
      ["the column \(column) is to have \(count) hexadecimal digits"]
    case .matching(let pattern):
      TextPattern.faults(in: pattern).map { "the column \(column): \($0)" }
    default: []
    }
  }

  /// The condition as SQL; nil if SQLite cannot say it.
  ///
  /// It may accept more than the domain has where SQLite cannot say all of it, and never less.
  fileprivate func condition(
    on name: String, sortedAs time: ColumnDescription.TimeForm?
  ) -> String? {
    switch self {
    case .atLeast(let minimum): "\(name) >= \(minimum)"
    case .atMost(let maximum): "\(name) <= \(maximum)"
    case .within(let range): "\(name) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .oneOfIntegers(let values): isOne(name, of: values.map(SQLiteValue.integer))
    case .between(let low, let high): range(name, low, high, SQLiteValue.real)
    case .oneOfReals(let values): isOne(name, of: values.map(SQLiteValue.real))
    case .oneOf(let texts): isOne(name, of: texts.map(SQLiteValue.text))
    case .singleLine:
      // As bytes: a function that is given text has it copied first, to end it with a NUL.
      "\(name) <> '' AND instr(CAST(\(name) AS BLOB), x'0A') = 0"
    case .hexadecimalDigits(let count):
      // SQLite counts characters, and matches patterns, only up to a NUL.
      "length(\(name)) = \(count) AND length(CAST(\(name) AS BLOB)) = \(count) "
        + "AND \(name) NOT GLOB '*[^0-9A-Fa-f]*'"
    case .length(let range):
      range.upperBound == .max
        ? "length(\(name)) >= \(range.lowerBound)"
        : "length(\(name)) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .sorted(let low, let high):
      switch time {
      case .dateTime:
        // A fraction of a second comes before the Z, and sorts before it.
        range(
          "rtrim(\(name), 'Z')", low?.withoutZone, high?.withoutZone, SQLiteValue.text)
      case .year:
        range("CAST(\(name) AS INTEGER)", low?.number, high?.number, SQLiteValue.integer)
      default: range(name, low, high, SQLiteValue.text)
      }
    case .time(let form): form.condition(on: name)
    // To SQLite before 3.42, NULL is no valid JSON.
    case .json(.value): "(\(name) IS NULL OR json_valid(\(name)))"
    case .json(.object):
      "(\(name) IS NULL OR json_valid(\(name))) AND json_type(\(name)) = 'object'"
    case .json(.array):
      "(\(name) IS NULL OR json_valid(\(name))) AND json_type(\(name)) = 'array'"
    case .matching(let pattern): PatternParser.globs(of: pattern)?.condition(on: name)
    case .form(.uuid):
      [[8, 4, 4, 4, 12].map { String(repeating: "[0-9A-Fa-f]", count: $0) }.joined(separator: "-")]
        .condition(on: name)
    case .form, .all: nil
    }
  }

  /// The condition that a value is one of several.
  ///
  /// Whenever a check with a list of more than two is evaluated, SQLite makes a table of the list, which takes a
  /// microsecond for each value of each row when a file is checked.
  private func isOne(_ name: String, of values: [SQLiteValue]) -> String {
    let isShort = 3...100 ~= values.count
    guard isShort else { return "\(name) IN (\(values.map(\.literal).joined(separator: ", ")))" }
    return "(" + values.map { "\(name) = \($0.literal)" }.joined(separator: " OR ") + ")"
  }

  private func range<Value>(
    _ name: String, _ low: ColumnDescription.Bound<Value>?, _ high: ColumnDescription.Bound<Value>?,
    _ value: (Value) -> SQLiteValue
  ) -> String? {
    let conditions = [
      low.map { "\(name) \($0.isExclusive ? ">" : ">=") \(value($0.value).literal)" },
      high.map { "\(name) \($0.isExclusive ? "<" : "<=") \(value($0.value).literal)" },
    ].compactMap(\.self)
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }

  /// What a value must be, in words.
  fileprivate var words: String {
    switch self {
    case .atLeast(let minimum): "\(minimum) or more"
    case .atMost(let maximum): "\(maximum) or less"
    case .within(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .oneOfIntegers(let values): "one of " + values.map { "\($0)" }.joined(separator: ", ")
    case .between(let low, let high): boundsInWords(low, high)
    case .oneOfReals(let values): "one of " + values.map { "\($0)" }.joined(separator: ", ")
    case .oneOf(let words): "one of " + words.joined(separator: ", ")
    case .singleLine: "text without a line feed"
    case .hexadecimalDigits(let count): "\(count) hexadecimal digits"
    case .length(let range):
      range.upperBound == .max
        ? "\(range.lowerBound) characters or more"
        : "\(range.lowerBound) to \(range.upperBound) characters"
    case .sorted(let low, let high): boundsInWords(low, high)
    case .matching(let pattern): "text that matches \(pattern)"
    case .time(.date): "a date (yyyy-mm-dd)"
    case .time(.time): "a time of day (hh:mm:ss)"
    case .time(.dateTime): "a date with a time (yyyy-mm-ddThh:mm:ss)"
    case .time(.year): "a year"
    case .time(.yearMonth): "a month of a year (yyyy-mm)"
    case .time(.duration): "a duration (such as P1DT12H)"
    case .json(.value): "JSON"
    case .json(.object): "a JSON object"
    case .json(.array): "a JSON array"
    case .form(.email): "an e-mail address"
    case .form(.uri): "a URI with its scheme"
    case .form(.uuid): "a UUID"
    case .form(.base64): "bytes in Base64"
    case .all(let domains): domains.map(\.words).joined(separator: ", ")
    }
  }

  private func boundsInWords<Value>(
    _ low: ColumnDescription.Bound<Value>?, _ high: ColumnDescription.Bound<Value>?
  ) -> String {
    [
      low.map { ($0.isExclusive ? "more than " : "not less than ") + "\($0.value)" },
      high.map { ($0.isExclusive ? "less than " : "not more than ") + "\($0.value)" },
    ].compactMap(\.self).joined(separator: " and ")
  }
}

extension ColumnDescription.TimeForm {
  /// What every text of the form meets, in SQL; nil if SQLite cannot say it.
  fileprivate func condition(on name: String) -> String? {
    let time = "[0-2][0-9]:[0-5][0-9]:[0-5][0-9]"
    let year = "[0-9][0-9][0-9][0-9]"
    return switch self {
    case .date: "\(name) IS date(\(name))"
    case .time: "(\(name) GLOB '\(time)' OR \(name) GLOB '\(time).*[0-9]') AND \(name) < '24'"
    case .dateTime:
      "substr(\(name), 1, 10) IS date(substr(\(name), 1, 10)) AND \(name) GLOB '*T\(time)*' "
        + "AND substr(\(name), 11) < 'T24'"
    case .year:
      "ltrim(\(name), '-') GLOB '\(year)*' AND ltrim(\(name), '-') NOT GLOB '*[^0-9]*'"
    case .yearMonth:
      "\(name) GLOB '\(year)-[01][0-9]' AND substr(\(name), 6) BETWEEN '01' AND '12'"
    case .duration: nil
    }
  }
}

extension ColumnDescription.Bound<String> {
  /// The bound of a date with a time, without the mark for UTC.
  fileprivate var withoutZone: ColumnDescription.Bound<String> {
    ColumnDescription.Bound(
      value.hasSuffix("Z") ? String(value.dropLast()) : value, isExclusive: isExclusive)
  }

  /// The bound of a year.
  package var number: ColumnDescription.Bound<Int64>? {
    Int64(value).map { ColumnDescription.Bound<Int64>($0, isExclusive: isExclusive) }
  }
}

extension PatternParser {
  /// The patterns of `GLOB` that say the same; nil if none do.
  fileprivate static func globs(of pattern: String) -> [String]? {
    do throws(PatternFault) { return try parse(pattern).globs } catch { return nil }
  }
}

extension [String] {
  /// Whether one of these patterns is met, in SQL; nil if there is none.
  fileprivate func condition(on name: String) -> String? {
    let conditions = map { "\(name) GLOB \(SQLiteValue.text($0).literal)" }
    return isEmpty ? nil : count == 1 ? conditions[0] : "(\(conditions.joined(separator: " OR ")))"
  }
}

/// The texts that are there more than once, compared by bytes and written as SQL does.
func repeated(_ texts: [String]) -> [String] {
  var counts: [[UInt8]: Int] = [:]
  return texts.filter { text in
    counts[Array(text.utf8), default: 0] += 1
    return counts[Array(text.utf8)] == 2
  }.map { SQLiteValue.text($0).literal }
}
