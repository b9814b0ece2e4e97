#if PostgreSQL
  import Fields
  import Schema
  import SQLiteSwiftly

  /// The type of a column on the server: the narrowest one that has exactly the described values.
  enum ServerType: String {
    case smallint, integer, bigint, boolean, bytea, date, time, timestamp, timestamptz, json, text
    case real = "double precision"
    /// Text that is compared and sorted by bytes, as in SQLite.
    case key = "text COLLATE \"C\""

    var isTime: Bool { [.date, .time, .timestamp, .timestamptz].contains(self) }

    /// `format` is that of the column in source files, nil if a query fills it; `isShared` is whether other columns have
    /// the same values, by a foreign key or a key union, and so need the same type.
    init(_ column: ColumnDescription, _ format: FieldFormat?, isKey: Bool, isShared: Bool) {
      switch column.type {
      case .integer: self = isShared ? .bigint : Self.integer(in: column.domain)
      case .real: self = .real
      case .boolean: self = .boolean
      case .blob: self = .bytea
      case .text:
        let type = isShared ? nil : format.flatMap { Self.time(column, $0) }
        // The server has no equality for JSON, and so no keys.
        let isJSON = !isKey && !isShared && format != nil && Self.isJSON(column.domain)
        self = type ?? (isJSON ? .json : isKey || isShared ? .key : .text)
      }
    }

    private static func integer(in domain: ColumnDescription.Domain?) -> ServerType {
      var (least, most) = (Int64.min, Int64.max)
      for part in domain?.parts ?? [] {
        switch part {
        case .atLeast(let minimum): least = max(least, minimum)
        case .atMost(let maximum): most = min(most, maximum)
        case .within(let range):
          (least, most) = (max(least, range.lowerBound), min(most, range.upperBound))
        case .oneOfIntegers(let values):
          (least, most) = (max(least, values.min() ?? least), min(most, values.max() ?? most))
        default: continue
        }
      }
      if least >= Int16.min, most <= Int16.max { return .smallint }
      return least >= Int32.min && most <= Int32.max ? .integer : .bigint
    }

    private static func isJSON(_ domain: ColumnDescription.Domain?) -> Bool {
      let parts = domain?.parts ?? []
      return !parts.isEmpty && parts.allSatisfy { if case .json = $0 { true } else { false } }
    }

    /// The type of a date or a time; nil if a value could have more digits than the type, or an offset in some rows
    /// only, or if another condition needs the text.
    private static func time(_ column: ColumnDescription, _ format: FieldFormat) -> ServerType? {
      guard let domain = column.domain, let form = domain.times.first,
        let type = time(form, format.spelling)
      else { return nil }
      func fits(_ texts: [String?]) -> Bool {
        texts.allSatisfy { $0.map { type.count(of: Array($0.utf8).span) != nil } ?? true }
      }
      let isExact = domain.parts.allSatisfy { part in
        switch part {
        case .time(let other): other == form
        case .sorted(let low, let high): fits([low?.value, high?.value])
        case .oneOf(let texts): fits(texts)
        default: false
        }
      }
      return isExact && fits([column.defaultValue?.textValue]) ? type : nil
    }

    private static func time(
      _ form: ColumnDescription.TimeForm, _ spelling: FieldFormat.Spelling
    ) -> ServerType? {
      if form == .date { return .date }
      guard case .time(let pattern) = spelling else { return nil }
      let parts = TimePattern(pattern).parts
      // The pattern reads nine digits of a second, and the server stores six.
      guard !parts.contains(.fraction) else { return nil }
      return switch form {
      case .time: .time
      case .dateTime: parts.contains(.offset) || parts.contains(.zone) ? .timestamptz : .timestamp
      default: nil
      }
    }
  }

  /// Dates and times in the binary formats of the server.
  extension ServerType {
    /// The days or microseconds of a text, as the server counts them: a date and a timestamp from 2000-01-01, a time from
    /// midnight; nil if the text does not have the form of the type.
    func count(of text: Span<UInt8>) -> Int64? {
      var end = text.count
      let time =
        switch self {
        case .date: CalendarTime(date: 0..<end, of: text)
        case .time where end == 8: CalendarTime(time: 0, &end, of: text)
        case .timestamp where end == 19: CalendarTime(dateTime: 0..<end, of: text)
        case .timestamptz where end == 20: CalendarTime(dateTime: 0..<end, of: text)
        default: CalendarTime?.none
        }
      guard let time, time.hour < 24 else { return nil }
      if self == .date { return Int64(time.daysSince2000) }
      let days = self == .time ? 0 : time.daysSince2000
      return Int64(days * 24 * 60 * 60 + time.secondsOfDay) * 1_000_000
    }
  }
#endif
