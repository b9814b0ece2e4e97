import Fields
import Schema
import SQLiteSwiftly
import Text
import Vocabulary

struct ColumnConclusion {
  let survey: ColumnSurvey
  var type = ColumnDescription.DataType.text
  var format = FieldFormat()
  var domain: ColumnDescription.Domain?
  /// Texts of which others are possible.
  private(set) var knownValues: [String] = []
  /// Whether no value is missing.
  private(set) var isFull = true
  private(set) var isURI = false
  /// The number of integers from the least to the greatest value, if all values are integers.
  private(set) var range: Double?
  private(set) var values: Int
  /// The evidence, as clauses of one sentence.
  var words: [String] = []

  /// With this many values, dates of eight digits are not a coincidence.
  private static let manyDates = 50
  /// With fewer values, in less than one of five records, a column stays text: the next value may have another form.
  private static let fewValues = 20
  private static let sparse = 5
  /// The texts are a list if each one occurs this often on average.
  private static let usesOfListed = 50
  private static let longestShown = 40
  /// Integers with at most this many digits are exact as reals.
  private static let exactDigits = 15
  /// A text with more than one sentence in ten values is prose.
  private static let proseShare = 10
  /// With fewer different dates, the year is perhaps not what they have in common.
  private static let manyDays = 10
  /// Words in the names of columns with times of day.
  private static let clockWords: Set<String> = [
    "day", "clock", "start", "begin", "end", "open", "opening", "close", "closing", "arrival",
    "departure",
    "sunrise", "sunset", "uhrzeit", "hora", "heure", "orario",
  ]
  private static let dateWords: Set<String> = ["date", "day", "on", "from", "until", "since"]
  private static let flagWords: Set<String> = ["is", "has", "can", "was", "flag"]
  /// Numbers that are not quantities: version `1.10` differs from `1.1`.
  private static let versionWords: Set<String> = ["version", "release", "revision"]

  var name: String { survey.name }

  init(_ survey: ColumnSurvey, records: Int) {
    self.survey = survey
    let missingWords = survey.missingWords.reduce(0, +)
    // If there are only words for missing values, they are kept as text.
    values = survey.values == 0 ? missingWords : survey.values
    isFull = survey.empties == 0 && values > 0
    guard survey.values > 0 else {
      words = [values == 0 ? "No value in \(records.of("record"))" : count("Text", of: records)]
      return
    }
    let isSparse =
      missingWords == 0 && survey.values < Self.fewValues && survey.values * Self.sparse < records
    let form = isSparse ? nil : narrowForm()
    if form == nil || missingWords == 0 {
      values += missingWords
    } else {
      isFull = false
      let met = zip(MissingWords.all, survey.missingWords).filter { $0.1 > 0 }
      format.missingValues += met.map(\.0)
      words = met.map { "\"\($0.0)\" in \($0.1.of("record")) means a missing value" }
    }
    words.insert(count(form ?? textForm(), of: records), at: 0)
    if isSparse { words.append("too few for another type") }
    if let bounds { words.insert(bounds, at: 1) }
  }

  /// Whether it is evidence that a text means a missing value in all columns of a table: `\N` is hardly ever a text.
  func has(missing text: String) -> Bool {
    format.missingValues.contains(text)
      || text == MissingWords.marker && survey.missingWords[MissingWords.all.count - 1] > 0
  }

  /// Treats texts as missing values because they are in other columns of the table.
  mutating func addMissingValues(_ texts: [String]) {
    for (text, count) in zip(MissingWords.all, survey.missingWords)
    where count > 0 && texts.contains(text) && !format.missingValues.contains(text) {
      format.missingValues.append(text)
      knownValues.removeAll { $0 == text }
      isFull = false
      values -= count
      words.append(
        "\"\(text)\" in \(count.of("record")) means a missing value, as in other columns")
    }
  }

  /// Treats texts that mean a missing value elsewhere as such in later values, unless they may be texts of this column.
  mutating func expectMissingValues(_ texts: [String]) {
    let mayBeText = type == .text && domain == nil
    let new = texts.filter {
      !format.missingValues.contains($0) && (!mayBeText || $0 == MissingWords.marker)
    }
    format.missingValues += new
    guard !mayBeText, !new.isEmpty else { return }
    words.append(
      new.map { "\"\($0)\"" }.joined(separator: ", ")
        + " would mean a missing value, as in other columns")
  }

  /// Takes over the type of a key that this column refers to; of the words for missing values, a text keeps those that
  /// it has and the key has not.
  mutating func adopt(_ key: ColumnConclusion) {
    guard type != key.type || format.spelling != key.format.spelling || domain != key.domain else {
      return
    }
    type = key.type
    format.spelling = key.format.spelling
    domain = key.domain
    words.append("type of the column that it refers to")
    guard type == .text else { return }
    for (word, counts) in zip(
      FieldFormat.missingWords, zip(survey.missingWords, key.survey.missingWords))
    where counts.0 == 0 || counts.1 > 0 {
      format.missingValues.removeAll { $0 == word }
      words.removeAll { $0.hasPrefix("\"\(word)\"") }
    }
  }

  private func count(_ form: String, of records: Int) -> String {
    "\(form) in \(values.grouped) of \(records.of("record"))"
  }

  /// Sets the type to the form of all values, if it is narrower than text, and returns its name.
  private mutating func narrowForm() -> String? {
    let words = NameWords(name)
    if survey.forms.contains(.time), let time = timeForm(words) { return time }
    if survey.forms.contains(.integer), !words.isOfCodes,
      !words.isOfMeasures || survey.longest > Self.exactDigits
    {
      type = .integer
      range = survey.bounds.1 - survey.bounds.0 + 1
      return "Integer"
    }
    if let number = numberForm(words) { return number }
    if survey.forms.contains(.boolean), let boolean = booleanForm(words) { return boolean }
    let forms: [(ValueForms, ColumnDescription.Domain, String)] = [
      (.uuid, .form(.uuid), "UUID"),
      (.jsonObject, .json(.object), "JSON object"), (.jsonArray, .json(.array), "JSON array"),
    ]
    // A later URI may have characters that RFC 3986 does not allow.
    if survey.forms.contains(.uri) { isURI = true }
    guard let form = forms.first(where: { survey.forms.contains($0.0) }) else { return nil }
    domain = form.1
    return form.2
  }

  private mutating func numberForm(_ words: NameWords) -> String? {
    guard !words.isOfCodes, !words.contains(anyOf: Self.versionWords) else { return nil }
    let number = survey.numbers.first {
      $0.texts.areKept
        && ($0.spelling == FieldFormat.NumberSpelling() || $0.texts.isProven && !words.isKeyLike)
    }
    guard let number else { return nil }
    let (spelling, texts) = (number.spelling, number.texts)
    let isGrouped = spelling.groupSeparator != nil
    type = isGrouped && texts.areWhole ? .integer : .real
    format.spelling = type == .integer ? .integer(spelling) : .number(spelling)
    return (type == .integer ? "Integer" : "Number")
      + (isGrouped ? " with separated thousands" : "")
      + (spelling.decimalSeparator == "," && type == .real ? " with a decimal comma" : "")
  }

  private mutating func timeForm(_ words: NameWords) -> String? {
    let fitting = TimeSpelling.all.indices.filter { survey.patterns & 1 << UInt64($0) != 0 }
    guard let first = fitting.first, survey.times.areKept else { return nil }
    if first == TimeSpelling.compactDate, survey.forms.contains(.integer),
      !words.contains(anyOf: Self.dateWords), values < Self.manyDates
    {
      return nil
    }
    guard let pattern = certain(fitting.map { TimeSpelling.all[$0] }) else { return nil }
    // 3:13 is rather a duration.
    guard pattern.text != "%H:%M" || pattern.isPadded || words.contains(anyOf: Self.clockWords)
    else {
      return nil
    }
    domain = .time(pattern.form)
    format.spelling = pattern.spelling
    let form =
      switch pattern.form {
      case .date: "Date"
      case .time: "Time of day"
      default: "Date with a time"
      }
    let written = pattern.isISO ? form : "\(form) written \(pattern.text)"
    return written + (survey.times.offset.map { " with the offset \($0), stored in UTC" } ?? "")
  }

  /// The spelling that is certain among those that fit: the only one, or the one whose year is the same in all values.
  ///
  /// In the others, only the years would differ.
  private func certain(_ fitting: [TimeSpelling]) -> TimeSpelling? {
    guard let first = fitting.first, fitting.contains(where: { $0.text != first.text }) else {
      return fitting.first
    }
    guard survey.sample.distinct >= Self.manyDays else { return nil }
    let probable = fitting.filter {
      $0.text.hasPrefix("%y") ? survey.sharesBeginning : $0.text.hasSuffix("%y") && survey.sharesEnd
    }
    return probable.allSatisfy { $0.text == probable[0].text } ? probable.first : nil
  }

  private mutating func booleanForm(_ words: NameWords) -> String? {
    let isFlag = words.contains(anyOf: Self.flagWords)
    guard survey.hasTrue && survey.hasFalse || isFlag else { return nil }
    let place = survey.pairs.trailingZeroBitCount
    let pair = BooleanWords.pairs[place]
    type = .boolean
    if place >= BooleanWords.exact {
      format.spelling = .boolean(true: [pair.true], false: [pair.false])
    }
    return "Boolean written \(pair.true) and \(pair.false)"
  }

  private mutating func textForm() -> String {
    guard let distinct = survey.distinct, distinct.count > 1,
      values >= distinct.count * Self.usesOfListed
    else {
      if isURI { return "URI" }
      guard survey.forms.contains(.time) else { return "Text" }
      if !survey.times.areKept { return "Text of times that are written in several ways" }
      return isAmbiguousDate ? "Text that may be dates (day, month or year first)" : "Text"
    }
    let texts = distinct.map { String(decoding: $0, as: UTF8.self) }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    knownValues = texts
    return "One of \(texts.count.of("text")), others are possible"
  }

  private var isAmbiguousDate: Bool {
    TimeSpelling.all.indices.contains {
      survey.patterns & 1 << UInt64($0) != 0 && TimeSpelling.all[$0].form != .time
    }
  }

  private var bounds: String? {
    let isTime = if case .time = domain { true } else { false }
    guard type == .integer || type == .real || isTime else { return nil }
    switch format.spelling {
    case .integer(let spelling), .number(let spelling):
      if spelling != FieldFormat.NumberSpelling() { return nil }
    default: break
    }
    if isTime, case .time(let pattern) = format.spelling,
      !TimeSpelling.all.contains(where: { $0.text == pattern && $0.isSortable })
    {
      return nil
    }
    guard max(survey.least.count, survey.greatest.count) <= Self.longestShown else { return nil }
    return "\(String(decoding: survey.least, as: UTF8.self)) to "
      + String(decoding: survey.greatest, as: UTF8.self)
  }

  var description: ColumnDescription {
    ColumnDescription(
      name, type, isNullable: true, domain: domain, knownValues: knownValues,
      meaning: words.joined(separator: "; ") + ".", example: exampleValue)
  }

  private var exampleValue: SQLiteValue? {
    guard !survey.example.isEmpty else { return nil }
    let text = String(decoding: survey.example, as: UTF8.self)
    return switch type {
    case .integer: Int64(text).map(SQLiteValue.integer)
    case .real: Double(text).map(SQLiteValue.real)
    case .boolean: .integer(BooleanWords.pairs.contains { $0.true == text } ? 1 : 0)
    // The stored form of a time written in another way is up to the loader.
    case .text: format.spelling == .exact && survey.times.offset == nil ? .text(text) : nil
    case .blob: nil
    }
  }

  /// Whether all values are equal, at least so far.
  var isConstant: Bool { values > 1 && survey.sample.equalPairs == 1 }

  /// Whether its texts are of several words, as names and labels are, and codes hardly ever.
  var isOfPhrases: Bool {
    type == .text && domain == nil && survey.phrases * Self.proseShare > survey.values
  }

  static let longestKey = 1024

  var canBeKey: Bool {
    let isLong =
      switch domain {
      case .json: true
      default: survey.longest > Self.longestKey
      }
    let isProse = survey.sentences * Self.proseShare > survey.values
    return isFull && type != .real && !isLong && !isProse && !isURI
  }
}

/// A recognized format of dates or times, as a `strptime` pattern.
struct TimeSpelling: Sendable {
  let text: String
  let form: ColumnDescription.TimeForm
  /// Whether this is the ISO 8601 format, which is stored unchanged except for offsets from UTC.
  let isISO: Bool
  /// Whether all numbers below 10 have a leading zero, or none, since two spellings of a date would be two keys.
  let isPadded: Bool
  private let pattern: TimePattern

  private init(
    _ text: String, _ form: ColumnDescription.TimeForm, isISO: Bool = false, isPadded: Bool = true
  ) {
    self.text = text
    self.form = form
    self.isISO = isISO
    isTimestamp = text == Self.timestamp
    self.isPadded = isPadded
    pattern = TimePattern(text)
  }

  /// All recognized formats; the first that fits a column is chosen.
  static let all = [
    TimeSpelling("%Y-%m-%d", .date, isISO: true),
    TimeSpelling("%H:%M:%S", .time, isISO: true),
    TimeSpelling("%Y-%m-%dT%H:%M:%S", .dateTime, isISO: true),
    TimeSpelling("%Y%m%d", .date),
    TimeSpelling("%Y/%m/%d", .date),
    TimeSpelling("%d.%m.%Y", .date), TimeSpelling("%d.%m.%Y", .date, isPadded: false),
    TimeSpelling("%d/%m/%Y", .date), TimeSpelling("%d/%m/%Y", .date, isPadded: false),
    TimeSpelling("%m/%d/%Y", .date), TimeSpelling("%m/%d/%Y", .date, isPadded: false),
    TimeSpelling("%d-%m-%Y", .date), TimeSpelling("%m-%d-%Y", .date),
    TimeSpelling("%Y.%m.%d", .date), TimeSpelling("%d.%m.%y", .date),
    TimeSpelling("%y.%m.%d", .date), TimeSpelling("%y/%m/%d", .date),
    TimeSpelling("%d/%m/%y", .date), TimeSpelling("%d/%m/%y", .date, isPadded: false),
    TimeSpelling("%m/%d/%y", .date), TimeSpelling("%m/%d/%y", .date, isPadded: false),
    TimeSpelling("%d-%b-%Y", .date), TimeSpelling("%d-%b-%Y", .date, isPadded: false),
    TimeSpelling("%d-%b-%y", .date), TimeSpelling("%d-%b-%y", .date, isPadded: false),
    TimeSpelling("%d %b %Y", .date), TimeSpelling("%d %b %Y", .date, isPadded: false),
    TimeSpelling("%H:%M:%S", .time, isPadded: false),
    TimeSpelling("%H:%M", .time), TimeSpelling("%H:%M", .time, isPadded: false),
    TimeSpelling(timestamp, .dateTime), TimeSpelling("%Y-%m-%d %H:%M", .dateTime),
    TimeSpelling("%Y-%m-%dT%H:%M", .dateTime),
    TimeSpelling("%d.%m.%Y %H:%M:%S", .dateTime), TimeSpelling("%d.%m.%Y %H:%M", .dateTime),
    TimeSpelling("%d/%m/%Y %H:%M:%S", .dateTime), TimeSpelling("%d/%m/%Y %H:%M", .dateTime),
    TimeSpelling("%m/%d/%Y %H:%M:%S", .dateTime), TimeSpelling("%m/%d/%Y %H:%M", .dateTime),
  ]

  static let compactDate = 3

  /// Those in which a time can be written in several ways, as bits.
  static let variable = all.indices.reduce(UInt64(0)) { bits, index in
    let isVariable = all[index].isISO && all[index].form != .date || all[index].isTimestamp
    return isVariable ? bits | 1 << UInt64(index) : bits
  }

  /// As databases write it, which add a fraction of a second and an offset from UTC only to some values.
  private static let timestamp = "%Y-%m-%d %H:%M:%S"
  private let isTimestamp: Bool

  /// The years in which eight digits are probably a date.
  private static let compactYears = 1900...2100

  var isSortable: Bool { isPadded && (text.hasPrefix("%Y") || text.hasPrefix("%H")) }

  /// The format of values in the description.
  var spelling: FieldFormat.Spelling {
    isISO ? .exact : isTimestamp ? .anyTime : .time(pattern: text)
  }

  func matches(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    if isISO || isTimestamp {
      let read =
        isISO
        ? TimeReader.readISO(place, of: bytes, as: form)
        : CalendarTime(timestamp: place, of: bytes)
      guard var time = read, time.hour < 24 else { return false }
      // The year in UTC may be out of range.
      time.normalize()
      return time.isValid
    }
    guard let (time, end) = pattern.read(place, of: bytes, isPadded: isPadded),
      end == place.upperBound, time.isValid
    else { return false }
    return place.count != 8 || form != .date || Self.compactYears.contains(time.year)
  }
}
