#if PostgreSQL
  import SQLiteSwiftly

  extension ColumnDescription {
    /// The condition that every value except NULL meets; nil if every value of the type is allowed, or if PostgreSQL cannot
    /// express it.
    var postgreSQLCheck: String? {
      guard let domain else { return nil }
      let name = quoted(identifier: name)
      let conditions = domain.parts.compactMap { part in
        part.postgreSQL(on: name, sortedAs: domain.times.first)
      }
      return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }
  }

  extension ColumnDescription.Domain {
    /// The condition as SQL; as in SQLite, there is none for a duration, an e-mail address, a URI, Base64 or a pattern that
    /// is too large.
    ///
    /// It can accept more than the domain, but never less.
    fileprivate func postgreSQL(
      on name: String, sortedAs time: ColumnDescription.TimeForm?
    ) -> String? {
      switch self {
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
      case .length(let range):
        range.upperBound == .max
          ? "length(\(name)) >= \(range.lowerBound)"
          : "length(\(name)) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
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
        range("rtrim(\(name), 'Z')", low, high) { value in
          quoted(text: value.hasSuffix("Z") ? String(value.dropLast()) : value)
        }
      case .year:
        // Only a number can be cast to one, and the operands of AND are evaluated in any order.
        range("\(name)::numeric", low?.number, high?.number, \.postgreSQL).map {
          "CASE WHEN \(name) !~ '^-?[0-9]+$' THEN false ELSE \($0) END"
        }
      default: range(name, low, high, quoted(text:))
      }
    }

    private func range<Value>(
      _ name: String, _ low: ColumnDescription.Bound<Value>?,
      _ high: ColumnDescription.Bound<Value>?, _ literal: (Value) -> String
    ) -> String? {
      let conditions = [
        low.map { "\(name) \($0.isExclusive ? ">" : ">=") \(literal($0.value))" },
        high.map { "\(name) \($0.isExclusive ? "<" : "<=") \(literal($0.value))" },
      ].compactMap(\.self)
      return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
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
#endif
