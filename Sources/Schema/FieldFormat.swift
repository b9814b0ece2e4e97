package import SQLiteSwiftly

/// The format of a column's values in its source files.
///
/// It does not affect the stored values: a date written as `31.12.2024` is stored as `2024-12-31`.
package struct FieldFormat: Hashable, Sendable {
  /// Texts that mean NULL where the others are numbers or dates, by a guess; elsewhere they may be texts.
  package static let missingWords = [
    "NA", "N/A", "n/a", "#N/A", "NULL", "Null", "null", "None", "none", "NaN", "nan", "-", "--",
    "?", ".",
  ]
  /// The texts that mean NULL, compared by bytes before any other step.
  package var missingValues = [""]
  /// The maximum number of bytes of a text, if the column is part of a key or an index.
  package var longestKey = 1024
  package var spelling = Spelling.exact
  /// Whether the values are counts that move a little from file to file.
  package var isCounter = false

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

/// A pattern of C's and Python's `strptime`, split into parts.
package struct TimePattern: Sendable {
  package enum Part: Hashable, Sendable {
    case year, yearOfCentury, month, monthName, shortMonthName, day, dayOfYear
    case weekday, shortWeekday
    case hour, hourOfHalf, halfOfDay, minute, second, fraction
    case offset, zone
    /// One or more blanks.
    case blanks
    /// This byte; a letter in either case.
    case byte(UInt8)
  }

  package private(set) var parts: [Part] = []
  private var unknown: [String] = []

  /// Parses a pattern; anything reported by `faults(in:of:)` is omitted.
  package init(_ pattern: String) {
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == "%" {
        let letter = scalars.next()
        if let part = letter.flatMap({ Self.directives[$0] }) {
          parts.append(part)
        } else if let pattern = letter.flatMap({ Self.abbreviations[$0] }) {
          parts += TimePattern(pattern).parts
        } else {
          unknown.append("%" + (letter.map { String($0) } ?? ""))
        }
      } else if scalar.properties.isWhitespace {
        if parts.last != .blanks { parts.append(.blanks) }
      } else {
        for byte in UTF8.encode(scalar) ?? .init() { parts.append(.byte(byte)) }
      }
    }
  }

  private static let directives: [Unicode.Scalar: Part] = [
    "Y": .year, "y": .yearOfCentury, "j": .dayOfYear, "d": .day, "e": .day,
    "m": .month, "B": .monthName, "b": .shortMonthName, "h": .shortMonthName,
    "A": .weekday, "a": .shortWeekday, "H": .hour, "I": .hourOfHalf, "p": .halfOfDay,
    "M": .minute, "S": .second, "f": .fraction, "z": .offset, "Z": .zone,
    "%": .byte(UInt8(ascii: "%")),
  ]

  /// As defined in the C locale.
  private static let abbreviations: [Unicode.Scalar: String] = [
    "F": "%Y-%m-%d", "D": "%m/%d/%y", "x": "%m/%d/%y", "T": "%H:%M:%S", "X": "%H:%M:%S",
    "R": "%H:%M",
  ]

  /// The faults of a pattern for a date, a time or a date and time; empty if there are none.
  ///
  /// It must contain everything that is stored, and nothing that would be lost.
  package static func faults(
    in pattern: String, of form: ColumnDescription.TimeForm
  ) -> [String] {
    let time = TimePattern(pattern)
    let parts = Set(time.parts)
    var faults = Set(time.unknown).sorted().map { "contains \($0), which is unknown" }
    let hasDay =
      parts.contains(.dayOfYear)
      || (!parts.isDisjoint(with: [.month, .monthName, .shortMonthName]) && parts.contains(.day))
    let hasYear = !parts.isDisjoint(with: [.year, .yearOfCentury])
    let hasHour = parts.contains(.hour) || parts.isSuperset(of: [.hourOfHalf, .halfOfDay])
    let hasDate = !parts.isDisjoint(with: dateParts)
    let hasTime = !parts.isDisjoint(with: timeParts)
    let hasZone = !parts.isDisjoint(with: [.offset, .zone])
    if form != .time, !hasDay || !hasYear { faults.append("lacks the year, month or day") }
    if form != .date, !hasHour { faults.append("lacks the hour (%H, or %I and %p)") }
    if form == .date, hasTime, !hasHour { faults.append("has a time of day without its hour") }
    if form == .time, hasDate { faults.append("has a day, which a time does not store") }
    if form != .dateTime, hasZone {
      faults.append("has an offset from UTC, which only a date and time stores")
    }
    if ![.date, .time, .dateTime].contains(form) { faults.append("is not for dates or times") }
    for part in parts.subtracting([.blanks]) where time.parts.count(where: { $0 == part }) > 1 {
      if case .byte = part { continue }
      faults.append("has a part twice")
      break
    }
    return faults.map { "pattern \(pattern) \($0)" }
  }

  private static let dateParts: Set<Part> = [
    .year, .yearOfCentury, .month, .monthName, .shortMonthName, .day, .dayOfYear, .weekday,
    .shortWeekday,
  ]

  private static let timeParts: Set<Part> = [
    .hour, .hourOfHalf, .halfOfDay, .minute, .second, .fraction,
  ]
}
