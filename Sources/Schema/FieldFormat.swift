package import SQLiteSwiftly

/// The format of a column's values in its source files.
///
/// It does not affect the stored values: a date written as `31.12.2024` is stored as `2024-12-31`.
package struct FieldFormat: Hashable, Sendable {
  /// The texts that mean NULL, compared by bytes before any other step.
  package var missingValues = [""]
  /// The maximum number of bytes of a text, if the column is part of a key or an index.
  package var longestKey = 1024
  package var spelling = Spelling.exact

  package enum Spelling: Hashable, Sendable {
    /// As stored: integers without a plus sign or leading zeros, ISO dates; booleans as `t` and `f`
    /// or `True` and `False`.
    case exact
    /// An integer in the form of XML Schema.
    case integer(NumberSpelling)
    /// A decimal number in the form of XML Schema, with or without an exponent.
    case number(NumberSpelling)
    /// One of the texts for true, or one of those for false.
    case boolean(true: [String], false: [String])
    /// A date or a time in a pattern of C's `strptime`.
    case time(pattern: String)
    /// A date or a time in the form of XML Schema, or in another common form that is unambiguous.
    case anyTime
    /// A list of values of one type, stored as a JSON array.
    case list(delimiter: String, items: ListItem)
    /// A longitude, a comma and a latitude, stored as a JSON array.
    case coordinates
  }

  package struct NumberSpelling: Hashable, Sendable {
    /// The separator allowed between digits; nil for none.
    package var groupSeparator: String?
    package var decimalSeparator = "."
    /// Whether only the number is allowed; otherwise text before and after the digits is ignored,
    /// such as a currency or a percent sign.
    package var isBare = true

    package init() {}
  }

  package enum ListItem: Hashable, Sendable {
    case text, integer, number, boolean, date, time, dateTime
  }

  package init() {}

  package func faults(for column: ColumnDescription) -> [String] {
    guard case .time(let pattern) = spelling else { return [] }
    guard let form = column.domain?.times.first else {
      return ["column \(written(identifier: column.name)) is read as a time, but its type is not"]
    }
    return TimePattern.faults(in: pattern, of: form).map {
      "column \(written(identifier: column.name)): \($0)"
    }
  }
}
