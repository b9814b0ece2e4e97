import Text

extension ColumnDescription {
  /// A closed domain: a value outside it is an error.
  public enum Domain: Hashable, Sendable {
    /// Integers of at least a minimum.
    case atLeast(Int64)
    /// Integers of at most a maximum.
    case atMost(Int64)
    /// Integers within two bounds.
    case within(ClosedRange<Int64>)
    /// One of these integers; at least one.
    case oneOfIntegers([Int64])
    /// Reals within bounds.
    case between(Bound<Double>?, Bound<Double>?)
    /// One of these reals; at least one.
    case oneOfReals([Double])
    /// One of these texts, compared by bytes; at least one.
    case oneOf([String])
    /// Text that is not empty and contains no line feed.
    case singleLine
    /// A fixed number of hexadecimal digits, at least 1.
    case hexadecimalDigits(Int)
    /// Text of a length in Unicode scalars; SQLite counts those before a NUL.
    case length(ClosedRange<Int>)
    /// Text within bounds, compared by bytes, as SQLite sorts it.
    case sorted(Bound<String>?, Bound<String>?)
    /// Text that entirely matches a regular expression of XML Schema
    /// (<https://www.w3.org/TR/xmlschema-2/#regexs>); SQLite checks it if a `GLOB` can express it.
    case matching(String)
    /// A date, a time or a duration as text in ISO 8601, so that dates sort as text.
    case time(TimeForm)
    /// JSON, as read by SQLite.
    case json(JSONForm)
    /// Text in a named form.
    case form(TextForm)
    /// All of these domains together.
    case all([Domain])
  }

  /// An end of a range.
  public struct Bound<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value at the end.
    public let value: Value
    /// Whether the value itself is excluded.
    public let isExclusive: Bool

    /// Describes the end of a range.
    public init(_ value: Value, isExclusive: Bool = false) {
      self.value = value
      self.isExclusive = isExclusive
    }
  }

  /// The form of a text in ISO 8601.
  public enum TimeForm: Hashable, Sendable {
    /// `2024-12-31`
    case date
    /// `23:59:59`, with or without a fraction of a second.
    case time
    /// `2024-12-31T23:59:59`, with or without a fraction; in UTC with a final `Z`.
    case dateTime
    /// `2024`
    case year
    /// `2024-12`
    case yearMonth
    /// `P1Y2M3DT4H5M6S`
    case duration

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

  /// The kind of a JSON value.
  public enum JSONForm: Hashable, Sendable { case value, object, array }

  /// A named form of text.
  public enum TextForm: Hashable, Sendable {
    /// An email address.
    case email
    /// A URI with its scheme (RFC 3986).
    case uri
    /// A UUID of 32 hexadecimal digits in five groups (RFC 9562).
    case uuid
    /// Bytes in Base64 (RFC 4648).
    case base64
  }

  /// The condition for all values except NULL; nil for none, or if SQLite cannot express it.
  package var checkExpression: String? {
    let name = quoted(identifier: name)
    guard let domain else { return type == .boolean ? "\(name) IN (0, 1)" : nil }
    let conditions = domain.parts.compactMap { part in
      part.condition(on: name, sortedAs: domain.times.first)
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }

  var domainFaults: [String] {
    (domain?.parts ?? []).flatMap { $0.faults(ofColumn: written(identifier: name)) }
  }

  package var expectation: String {
    domain.map { $0.parts.map(\.text).joined(separator: ", ") } ?? "a value of its type"
  }
}

extension ColumnDescription.Domain {
  package var parts: [ColumnDescription.Domain] {
    if case .all(let domains) = self { domains.flatMap(\.parts) } else { [self] }
  }

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
      ["the domain of column \(column) has no value"]
    case .oneOf(let texts):
      repeated(texts).map { "duplicate value in the domain of column \(column): \($0)" }
    case .hexadecimalDigits(let count) where count < 1:
      ["column \(column) needs at least 1 hexadecimal digit, not \(count)"]
    case .matching(let pattern):
      TextPattern.faults(in: pattern).map { "column \(column): \($0)" }
    default: []
    }
  }

  /// Nil if SQLite cannot express it; it may accept more than the domain, but never less.
  fileprivate func condition(
    on name: String, sortedAs time: ColumnDescription.TimeForm?
  ) -> String? {
    switch self {
    case .atLeast(let minimum): "\(name) >= \(minimum)"
    case .atMost(let maximum): "\(name) <= \(maximum)"
    case .within(let range): "\(name) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .oneOfIntegers(let values): isOne(name, of: values.map(SQLiteValue.integer))
    case .between(let low, let high): range(name, low, high) { SQLiteValue.real($0).literal }
    case .oneOfReals(let values): isOne(name, of: values.map(SQLiteValue.real))
    case .oneOf(let texts): isOne(name, of: texts.map(SQLiteValue.text))
    case .singleLine:
      // As bytes: a function copies its text arguments to terminate them with NUL.
      "\(name) <> '' AND instr(CAST(\(name) AS BLOB), x'0A') = 0"
    case .hexadecimalDigits(let count):
      // SQLite counts characters and matches patterns only up to a NUL.
      "length(\(name)) = \(count) AND length(CAST(\(name) AS BLOB)) = \(count) "
        + "AND \(name) NOT GLOB '*[^0-9A-Fa-f]*'"
    case .length(let range): lengthCondition(on: name, range)
    case .sorted(let low, let high):
      switch time {
      // A fraction of a second precedes the Z, and sorts before it.
      case .dateTime: range("rtrim(\(name), 'Z')", low?.withoutZone, high?.withoutZone, literal)
      case .year:
        range("CAST(\(name) AS INTEGER)", low?.number, high?.number) { "\($0)" }
      default: range(name, low, high, literal)
      }
    case .time(let form): form.condition(on: name)
    // Before SQLite 3.42, NULL is not valid JSON.
    case .json(.value): "(\(name) IS NULL OR json_valid(\(name)))"
    case .json(let form):
      "(\(name) IS NULL OR json_valid(\(name))) AND json_type(\(name)) = '\(form)'"
    case .matching(let pattern): (try? PatternParser.parse(pattern))?.globs?.condition(on: name)
    case .form(.uuid):
      [[8, 4, 4, 4, 12].map { String(repeating: "[0-9A-Fa-f]", count: $0) }.joined(separator: "-")]
        .condition(on: name)
    case .form, .all: nil
    }
  }

  private func literal(_ text: String) -> String { SQLiteValue.text(text).literal }

  /// A list of more than two values becomes a table each time the check is evaluated, which takes a
  /// microsecond per value of each row when a file is checked.
  private func isOne(_ name: String, of values: [SQLiteValue]) -> String {
    let isShort = 3...100 ~= values.count
    guard isShort else { return "\(name) IN (\(values.map(\.literal).joined(separator: ", ")))" }
    return "(" + values.map { "\(name) = \($0.literal)" }.joined(separator: " OR ") + ")"
  }

  package func lengthCondition(on name: String, _ range: ClosedRange<Int>) -> String {
    range.upperBound == .max
      ? "length(\(name)) >= \(range.lowerBound)"
      : "length(\(name)) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
  }

  package func range<Value>(
    _ name: String, _ low: ColumnDescription.Bound<Value>?, _ high: ColumnDescription.Bound<Value>?,
    _ literal: (Value) -> String
  ) -> String? {
    let conditions = [
      low.map { "\(name) \($0.isExclusive ? ">" : ">=") \(literal($0.value))" },
      high.map { "\(name) \($0.isExclusive ? "<" : "<=") \(literal($0.value))" },
    ].compactMap(\.self)
    return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
  }

  fileprivate var text: String {
    switch self {
    case .atLeast(let minimum): "at least \(minimum)"
    case .atMost(let maximum): "at most \(maximum)"
    case .within(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .oneOfIntegers(let values): "one of " + values.map { "\($0)" }.joined(separator: ", ")
    case .between(let low, let high): boundsInWords(low, high)
    case .oneOfReals(let values): "one of " + values.map { "\($0)" }.joined(separator: ", ")
    case .oneOf(let texts): "one of " + texts.joined(separator: ", ")
    case .singleLine: "text without a line feed"
    case .hexadecimalDigits(let count): "\(count) hexadecimal digits"
    case .length(let range):
      range.upperBound == .max
        ? "at least \(range.lowerBound) characters"
        : "\(range.lowerBound) to \(range.upperBound) characters"
    case .sorted(let low, let high): boundsInWords(low, high)
    case .matching(let pattern): "text that matches \(pattern)"
    case .time(.date): "a date (yyyy-mm-dd)"
    case .time(.time): "a time of day (hh:mm:ss)"
    case .time(.dateTime): "a date and time (yyyy-mm-ddThh:mm:ss)"
    case .time(.year): "a year"
    case .time(.yearMonth): "a month (yyyy-mm)"
    case .time(.duration): "a duration (such as P1DT12H)"
    case .json(.value): "JSON"
    case .json(.object): "a JSON object"
    case .json(.array): "a JSON array"
    case .form(.email): "an email address"
    case .form(.uri): "a URI with a scheme"
    case .form(.uuid): "a UUID"
    case .form(.base64): "bytes in Base64"
    case .all(let domains): domains.map(\.text).joined(separator: ", ")
    }
  }

  private func boundsInWords<Value>(
    _ low: ColumnDescription.Bound<Value>?, _ high: ColumnDescription.Bound<Value>?
  ) -> String {
    [
      low.map { ($0.isExclusive ? "more than " : "at least ") + "\($0.value)" },
      high.map { ($0.isExclusive ? "less than " : "at most ") + "\($0.value)" },
    ].compactMap(\.self).joined(separator: " and ")
  }
}

extension ColumnDescription.Bound<String> {
  package var withoutZone: ColumnDescription.Bound<String> {
    ColumnDescription.Bound(
      value.hasSuffix("Z") ? String(value.dropLast()) : value, isExclusive: isExclusive)
  }

  package var number: ColumnDescription.Bound<Int64>? {
    Int64(value).map { ColumnDescription.Bound<Int64>($0, isExclusive: isExclusive) }
  }
}

extension [String] {
  fileprivate func condition(on name: String) -> String? {
    let conditions = map { "\(name) GLOB \(SQLiteValue.text($0).literal)" }
    return isEmpty ? nil : count == 1 ? conditions[0] : "(\(conditions.joined(separator: " OR ")))"
  }
}

func repeated(_ texts: [String]) -> [String] {
  var counts: [[UInt8]: Int] = [:]
  return texts.filter { text in
    counts[Array(text.utf8), default: 0] += 1
    return counts[Array(text.utf8)] == 2
  }.map { SQLiteValue.text($0).literal }
}
