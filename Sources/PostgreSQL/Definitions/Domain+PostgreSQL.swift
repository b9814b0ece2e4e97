#if PostgreSQL
  import Text
  import SQLiteSwiftly

  extension ColumnDescription {
    /// The condition for all values except NULL; nil if the type suffices, or if PostgreSQL cannot express it.
    func check(as type: ServerType) -> String? {
      guard let domain else { return nil }
      let name = quoted(identifier: name)
      let conditions = domain.parts.compactMap { part in
        part.postgreSQL(on: name, as: type, sortedAs: domain.times.first)
      }
      return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }
  }

  extension ColumnDescription.Domain {
    /// As in SQLite, nil for a duration, an e-mail address, a URI, Base64 or a pattern that is too large; it can
    /// accept more than the domain, but never less.
    fileprivate func postgreSQL(
      on name: String, as type: ServerType, sortedAs time: ColumnDescription.TimeForm?
    ) -> String? {
      switch self {
      case .time where type.isTime, .json(.value) where type == .json: nil
      case .sorted(let low, let high) where type.isTime: range(name, low, high, quoted(text:))
      case .atLeast(let minimum): "\(name) >= \(minimum.postgreSQL)"
      case .atMost(let maximum): "\(name) <= \(maximum.postgreSQL)"
      case .within(let range):
        "\(name) BETWEEN \(range.lowerBound.postgreSQL) AND \(range.upperBound.postgreSQL)"
      case .oneOfIntegers(let values): isOne(name, of: values.map(\.postgreSQL))
      case .between(let low, let high): range(name, low, high, \.postgreSQL)
      case .oneOfReals(let values): isOne(name, of: values.map(\.postgreSQL))
      case .oneOf(let texts): isOne(name, of: texts.map(quoted(text:)))
      case .singleLine: "\(name) <> '' AND strpos(\(name), E'\\n') = 0"
      case .hexadecimalDigits(let count):
        "length(\(name)) = \(count) AND \(name) !~ '[^0-9A-Fa-f]'"
      case .length(let range): lengthCondition(on: name, range)
      case .sorted(let low, let high): sorted(name, low, high, as: time)
      case .time(let form): form.expression.map { "\(name) ~ '^\($0)$'" }
      case .json(.value): "json_typeof(\(name)::json) <> ''"
      case .json(.object): "json_typeof(\(name)::json) = 'object'"
      case .json(.array): "json_typeof(\(name)::json) = 'array'"
      case .matching(let pattern):
        RegularExpression(pattern).map { "\(name) ~ \(quoted(text: $0.text))" }
      case .form(.uuid): "\(name) ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'"
      case .form, .all: nil
      }
    }

    private func isOne(_ name: String, of values: [String]) -> String {
      "\(name) IN (\(values.joined(separator: ", ")))"
    }

    private func sorted(
      _ name: String, _ low: ColumnDescription.Bound<String>?,
      _ high: ColumnDescription.Bound<String>?, as time: ColumnDescription.TimeForm?
    ) -> String? {
      switch time {
      case .dateTime:
        // A fraction of a second precedes the Z, and sorts before it.
        range(
          "rtrim(\(name), 'Z') COLLATE \"C\"", low?.withoutZone, high?.withoutZone, quoted(text:))
      case .year:
        // Only a number can be cast to one, and the operands of AND are evaluated in any order.
        range("\(name)::numeric", low?.number, high?.number, \.postgreSQL).map {
          "CASE WHEN \(name) !~ '^-?[0-9]+$' THEN false ELSE \($0) END"
        }
      default: range("\(name) COLLATE \"C\"", low, high, quoted(text:))
      }
    }
  }

  extension ColumnDescription.TimeForm {
    /// A regular expression that every text of the form matches as a whole.
    ///
    /// A cast would raise an error for an invalid date, and would depend on the session.
    fileprivate var expression: String? {
      let time = #"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?"#
      return switch self {
      case .date: Self.date
      case .time: time
      case .dateTime: "\(Self.date)T\(time)Z?"
      case .year: "-?[0-9]{4,}"
      case .yearMonth: "[0-9]{4}-(0[1-9]|1[0-2])"
      case .duration: nil
      }
    }

    /// A calendar date: the days that each month always has, and the leap days.
    private static let date =
      "([0-9]{4}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|[0-9]{4}-(0[469]|11)-(0[1-9]|[12][0-9]|30)"
      + "|[0-9]{4}-02-(0[1-9]|1[0-9]|2[0-8])"
      + "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
  }

  /// An XML Schema regular expression in the syntax of PostgreSQL
  /// (<https://www.postgresql.org/docs/current/functions-matching.html#POSIX-SYNTAX-DETAILS>).
  ///
  /// Each set of characters is written as ranges of code points, so that class names and the locale have no effect; the
  /// database must be in UTF-8.
  struct RegularExpression {
    /// The maximum number of repetitions (`DUPMAX` of the server).
    private static let maximumRepetitions = 255
    /// The maximum number of characters, with all repetitions expanded, and of ranges: the server would reject a larger
    /// expression as too complex at the first row.
    private static let maximumCharacters = 1_000
    private static let maximumRanges = 1_000

    let text: String

    init?(_ pattern: String) {
      guard let node = try? PatternParser.parse(pattern),
        Self.characters(in: node) <= Self.maximumCharacters,
        Self.ranges(in: node) <= Self.maximumRanges, let text = Self.text(of: node)
      else { return nil }
      self.text = "^(?:\(text))$"
    }

    private static func characters(in node: PatternNode) -> Int {
      switch node {
      case .set: 1
      case .sequence(let nodes), .choice(let nodes): nodes.map(characters).reduce(1, +)
      // Accepted patterns have few states, so this cannot overflow.
      case .repetition(let node, let least, let most):
        characters(in: node) * Swift.max(least, most ?? 1, 1)
      }
    }

    private static func ranges(in node: PatternNode) -> Int {
      switch node {
      case .set(let set): set.ranges.count
      case .sequence(let nodes), .choice(let nodes): nodes.map(ranges).reduce(0, +)
      case .repetition(let node, _, _): ranges(in: node)
      }
    }

    private static func text(of node: PatternNode) -> String? {
      switch node {
      case .set(let set): return text(of: set)
      case .sequence(let nodes): return texts(of: nodes)?.joined()
      case .choice(let nodes): return texts(of: nodes).map { "(?:\($0.joined(separator: "|")))" }
      case .repetition(let node, let least, let most):
        guard least <= maximumRepetitions, most ?? 0 <= maximumRepetitions else { return nil }
        return text(of: node).map { "(?:\($0)){\(least),\(most.map(String.init) ?? "")}" }
      }
    }

    private static func texts(of nodes: [PatternNode]) -> [String]? {
      let texts = nodes.compactMap(text)
      return texts.count == nodes.count ? texts : nil
    }

    /// A set in brackets, without NUL, which text never contains; nil if it is empty, which has no syntax.
    private static func text(of set: ScalarSet) -> String? {
      let ranges = set.ranges.filter { $0.upperBound > 0 }.map { range in
        range.count == 1
          ? escaped(range.lowerBound)
          : "\(escaped(max(range.lowerBound, 1)))-\(escaped(range.upperBound))"
      }
      return ranges.isEmpty ? nil : "[\(ranges.joined())]"
    }

    /// A code point: an ASCII letter or digit unchanged, any other by its number.
    private static func escaped(_ value: UInt32) -> String {
      if let byte = UInt8(exactly: value), byte < 0x80 {
        let scalar = Unicode.Scalar(byte)
        if scalar.properties.isAlphabetic || "0"..."9" ~= scalar { return String(scalar) }
      }
      return UInt16(exactly: value).map { "\\u" + $0.hexadecimal } ?? "\\U" + value.hexadecimal
    }
  }
#endif
