package import SQLiteSwiftly

/// How the values of a column are written in its source files.
///
/// What is stored does not depend on it: a date that is written `31.12.2024` becomes `2024-12-31`.
package struct FieldFormat: Hashable, Sendable {
  /// The texts that stand for NULL, compared by bytes before anything else is done.
  package var missingValues = [""]
  /// The most bytes of a text, if the column is part of a key or of an index.
  package var longestKey = 1024
  /// How a value that is there is written.
  package var spelling = Spelling.exact

  package enum Spelling: Hashable, Sendable {
    /// As it is stored: integers without a plus and without zeros in front, ISO dates; booleans as `t` and `f`
    /// or `True` and `False`.
    case exact
    /// A whole number as XML Schema writes it.
    case integer(NumberSpelling)
    /// A decimal number as XML Schema writes it, with an exponent or without.
    case number(NumberSpelling)
    /// One of the texts for true, or one of those for false.
    case boolean(true: [String], false: [String])
    /// A date or a time by a pattern of C's `strptime`.
    case time(pattern: String)
    /// A date or a time that XML Schema writes so, or in another of the usual ways that can only mean one.
    case anyTime
    /// Values of one type in a row, stored as a JSON array.
    case list(delimiter: String, items: ListItem)
    /// A longitude, a comma and a latitude, stored as a JSON array.
    case coordinates
  }

  /// How digits are grouped, and what stands around them.
  package struct NumberSpelling: Hashable, Sendable {
    /// What may stand between digits; nil for nothing.
    package var groupSeparator: String?
    /// What stands before the fraction.
    package var decimalSeparator = "."
    /// Whether nothing but the number may be there; else what is before and after the digits is passed over,
    /// such as a currency or a percent sign.
    package var isBare = true

    package init() {}
  }

  /// What the values of a list are.
  package enum ListItem: Hashable, Sendable {
    case text, integer, number, boolean, date, time, dateTime
  }

  package init() {}
}

extension FieldFormat {
  /// What is wrong with it for a column.
  package func faults(for column: ColumnDescription) -> [String] {
    guard case .time(let pattern) = spelling else { return [] }
    guard let form = column.domain?.times.first else {
      return ["the column \(written(identifier: column.name)) is read as a time, but is none"]
    }
    return TimePattern.faults(in: pattern, of: form).map {
      "the column \(written(identifier: column.name)): \($0)"
    }
  }
}
