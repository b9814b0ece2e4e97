import Vocabulary
import Fields
import Validation
import SQLiteSwiftly
import Schema

/// The form of the values of a column read so far; its size does not grow with their number.
struct ColumnSurvey {
  let name: String
  /// The number of values that are neither empty nor one of `MissingWords`.
  private(set) var values = 0
  private(set) var empties = 0
  private(set) var missingWords = [Int](repeating: 0, count: MissingWords.all.count)
  private(set) var forms = ValueForms.all
  /// The patterns among `TimeSpelling.all` that all values fit, as bits.
  private(set) var patterns: UInt64 = (1 << UInt64(TimeSpelling.all.count)) - 1
  /// The pairs among `BooleanWords.pairs` that all values fit, as bits.
  private(set) var pairs: UInt16 = (1 << UInt16(BooleanWords.pairs.count)) - 1
  /// The spellings of numbers that all values fit, each with their texts.
  private(set) var numbers = NumberSpelling.all
  /// The texts of times, if their spelling has variants.
  private(set) var times = TimeTexts()
  /// Whether all times begin, or end, with the same two bytes.
  private(set) var sharesBeginning = true
  private(set) var sharesEnd = true
  /// The first and the last two bytes of the first time.
  private var ends: (UInt64, UInt64)?
  private(set) var hasTrue = false
  private(set) var hasFalse = false
  private(set) var longest = 0
  private(set) var example: [UInt8] = []
  /// The first and the last value in the order of their form: of numbers, or of times.
  private(set) var least: [UInt8] = []
  private(set) var greatest: [UInt8] = []
  private(set) var bounds = (0.0, 0.0)
  /// The distinct texts, including words for missing values; nil if there are too many.
  private(set) var distinct: [[UInt8]]? = []
  private(set) var sample = EvenSample(most: 1024)
  /// The number of values of several words.
  private(set) var phrases = 0
  /// The number of values that are sentences, or as long.
  private(set) var sentences = 0

  static let maximumDistinct = 12
  private static let longestDistinct = 64
  private static let longestExample = 200
  private static let shortestSentence = 60
  private static let wordsOfSentence = 6

  /// Without `allowsDecimalComma`, a comma in a value separates others: it is the delimiter of the file.
  init(_ name: String, allowsDecimalComma: Bool = true) {
    self.name = name
    if !allowsDecimalComma { numbers.removeAll { $0.spelling.decimalSeparator == "," } }
  }

  mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) {
    sample.add(sampleSeed.hash(range, of: bytes))
    guard !range.isEmpty else {
      empties += 1
      return
    }
    longest = max(longest, range.count)
    if distinct != nil { addDistinct(range, of: bytes) }
    if let word = MissingWords.index(range, of: bytes) {
      missingWords[word] += 1
      return
    }
    values += 1
    if bytes.extracting(range).hasSpace { phrases += 1 }
    if range.count >= Self.wordsOfSentence * 2, isSentence(bytes.extracting(range)) {
      sentences += 1
    }
    if values == 1, range.count <= Self.longestExample { example = copy(range, of: bytes) }
    guard !forms.isEmpty else { return }
    if !forms.isDisjoint(with: [.integer, .number]) { checkNumber(range, of: bytes) }
    if forms.contains(.time) { checkTime(range, of: bytes) }
    if forms.contains(.boolean) { checkBoolean(range, of: bytes) }
    checkText(bytes.extracting(range))
  }

  private func isSentence(_ value: Span<UInt8>) -> Bool {
    value.count >= Self.shortestSentence
      || value.indices.count { value[$0] == UInt8(ascii: " ") } >= Self.wordsOfSentence - 1
  }

  private mutating func checkText(_ value: Span<UInt8>) {
    if forms.contains(.uuid), !value.matches(TextForms.uuid) { forms.remove(.uuid) }
    if forms.contains(.uri), !value.isURIWithAuthority { forms.remove(.uri) }
    if forms.contains(.jsonObject), !value.isJSON(.object) { forms.remove(.jsonObject) }
    if forms.contains(.jsonArray), !value.isJSON(.array) { forms.remove(.jsonArray) }
  }

  private func copy(_ range: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
    range.map { bytes[$0] }
  }

  private mutating func addDistinct(_ range: Range<Int>, of bytes: Span<UInt8>) {
    guard let known = distinct, range.count <= Self.longestDistinct else {
      distinct = nil
      return
    }
    let value = bytes.extracting(range)
    for text in known where value.isEqual(to: text.span) { return }
    distinct = known.count < Self.maximumDistinct ? known + [copy(range, of: bytes)] : nil
  }

  private mutating func checkNumber(_ range: Range<Int>, of bytes: Span<UInt8>) {
    let (integer, fault) = parseInteger(range, of: bytes)
    if fault == nil {
      for index in numbers.indices { numbers[index].texts.add(integer) }
      return extendBounds(Double(integer), range, of: bytes)
    }
    forms.remove(.integer)
    for index in numbers.indices.reversed() where !numbers[index].texts.add(range, of: bytes) {
      numbers.remove(at: index)
    }
    guard let first = numbers.first else {
      forms.remove(.number)
      return
    }
    extendBounds(first.format.real(range, of: bytes).value, range, of: bytes)
  }

  private mutating func extendBounds(_ number: Double, _ range: Range<Int>, of bytes: Span<UInt8>) {
    if values == 1 || number < bounds.0 {
      bounds.0 = number
      least = copy(range, of: bytes)
    }
    if values == 1 || number > bounds.1 {
      bounds.1 = number
      greatest = copy(range, of: bytes)
    }
  }

  private mutating func checkTime(_ range: Range<Int>, of bytes: Span<UInt8>) {
    var rest = patterns
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      if !TimeSpelling.all[index].matches(range, of: bytes) { patterns &= ~(1 << UInt64(index)) }
    }
    guard patterns != 0 else {
      forms.remove(.time)
      return
    }
    if let (beginning, end) = ends {
      sharesBeginning = sharesBeginning && beginning == bytes.word(at: range.lowerBound, count: 2)
      sharesEnd = sharesEnd && end == bytes.word(at: range.upperBound - 2, count: 2)
    } else {
      ends = (
        bytes.word(at: range.lowerBound, count: 2), bytes.word(at: range.upperBound - 2, count: 2)
      )
    }
    if patterns & TimeSpelling.variable != 0 { times.add(range, of: bytes) }
    // Eight digits keep the bounds of numbers, which are in the same order.
    guard forms.isDisjoint(with: [.integer, .number]) else { return }
    let value = bytes.extracting(range)
    if values == 1 || value.isBefore(least) { least = copy(range, of: bytes) }
    if values == 1 || !value.isBefore(greatest) { greatest = copy(range, of: bytes) }
  }

  private mutating func checkBoolean(_ range: Range<Int>, of bytes: Span<UInt8>) {
    let (left, isTrue) = BooleanWords.pairs(among: pairs, with: range, of: bytes)
    pairs = left
    if left == 0 { forms.remove(.boolean) }
    if isTrue { hasTrue = true } else { hasFalse = true }
  }
}

extension Span<UInt8> {
  fileprivate var hasSpace: Bool { indices.contains { self[$0] == UInt8(ascii: " ") } }

  fileprivate func isBefore(_ others: [UInt8]) -> Bool {
    for index in 0..<Swift.min(count, others.count) where self[index] != others[index] {
      return self[index] < others[index]
    }
    return count < others.count
  }
}

/// The forms shared by all values of a column so far.
struct ValueForms: OptionSet {
  let rawValue: UInt16

  static let integer = ValueForms(rawValue: 1 << 0)
  static let number = ValueForms(rawValue: 1 << 1)
  static let boolean = ValueForms(rawValue: 1 << 2)
  static let time = ValueForms(rawValue: 1 << 3)
  static let uuid = ValueForms(rawValue: 1 << 4)
  static let uri = ValueForms(rawValue: 1 << 5)
  static let jsonObject = ValueForms(rawValue: 1 << 6)
  static let jsonArray = ValueForms(rawValue: 1 << 7)
  static let all = ValueForms(rawValue: (1 << 8) - 1)
}

/// A spelling of numbers: with a point, or with a comma or separated thousands, if the values prove that.
struct NumberSpelling {
  let spelling: FieldFormat.NumberSpelling
  let format: NumberFormat
  var texts: NumberTexts

  static let all = [(".", nil), (",", nil), (",", "."), (".", ","), (",", " ")].map(
    NumberSpelling.init)

  private init(_ decimal: String, _ group: String?) {
    var spelling = FieldFormat.NumberSpelling()
    spelling.decimalSeparator = decimal
    spelling.groupSeparator = group
    self.spelling = spelling
    format = NumberFormat(spelling)
    texts = NumberTexts(spelling)
  }
}

enum BooleanWords {
  static let pairs: [(true: String, false: String)] = [
    ("t", "f"), ("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("yes", "no"),
    ("Yes", "No"), ("YES", "NO"), ("y", "n"), ("Y", "N"), ("T", "F"),
  ]
  /// The number of pairs that the loader recognizes without a description.
  static let exact = 2
  static let longest = 5
  private static let bytes = pairs.map { (Array($0.true.utf8), Array($0.false.utf8)) }

  /// The pairs, as bits, that contain a value, and whether it is their word for true.
  static func pairs(
    among live: UInt16, with range: Range<Int>, of bytes: Span<UInt8>
  ) -> (pairs: UInt16, isTrue: Bool) {
    var (left, isTrue) = (UInt16(0), false)
    guard range.count <= longest else { return (left, isTrue) }
    for (index, pair) in self.bytes.enumerated() where live & 1 << index != 0 {
      let isFirst = bytes.extracting(range).isEqual(to: pair.0.span)
      guard isFirst || bytes.extracting(range).isEqual(to: pair.1.span) else { continue }
      left |= 1 << index
      isTrue = isTrue || isFirst
    }
    return (left, isTrue)
  }
}

/// Words for a missing value in a column whose other values are numbers, dates or similar ones.
enum MissingWords {
  static let all = FieldFormat.missingWords + [marker]
  /// Those that are hardly a text of their own.
  static let ofDatabases = ["NULL", marker]
  /// As MySQL and PostgreSQL write it; it is the last of `all`.
  static let marker = "\\N"
  static let longest = 4
  private static let bytes = all.map { Array($0.utf8) }

  static func index(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    guard range.count <= longest, !bytes[range.upperBound - 1].isDigit else { return nil }
    return self.bytes.firstIndex { bytes.extracting(range).isEqual(to: $0.span) }
  }
}

extension Span<UInt8> {
  /// Whether it is a URI with an authority, since many other texts contain a colon.
  var isURIWithAuthority: Bool {
    guard let colon = indices.first(where: { self[$0] == UInt8(ascii: ":") }), colon + 2 < count
    else { return false }
    return self[colon + 1] == UInt8(ascii: "/") && self[colon + 2] == UInt8(ascii: "/")
      && matches(TextForms.uri)
  }
}

private let sampleSeed = HashSeed()
