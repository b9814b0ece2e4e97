import Vocabulary
import SQLiteSwiftly
import Text

struct TextCheck {
  /// A part of the domain as plain numbers, so that checking it needs no retain.
  private enum Form {
    case singleLine
    case hexadecimal(Int)
    case length(ClosedRange<Int>)
    case json(ColumnDescription.JSONForm)
    case email
    /// The first state, and the position among the patterns.
    case pattern(Int, Int, RecordCode)
  }

  private var forms: [Form] = []
  private var patterns: [TextPattern] = []
  /// The tables of all patterns, one after another: those of a pattern in an array would be retained for each value.
  private var table: [UInt32] = []
  private var columnsOfASCII: [UInt8] = []
  private var tableStarts = [0]
  private var lists: [TextSet] = []
  private var bounds: [TextBounds] = []

  init(_ parts: [ColumnDescription.Domain]) {
    let time = ColumnDescription.Domain.all(parts).times.first
    for part in parts {
      switch part {
      case .singleLine: forms.append(.singleLine)
      case .hexadecimalDigits(let count): forms.append(.hexadecimal(count))
      case .length(let range): forms.append(.length(range))
      case .json(let form): forms.append(.json(form))
      case .form(.email): forms.append(.email)
      case .form(.uri): add(TextForms.uri, .wrongFormat)
      case .form(.uuid): add(TextForms.uuid, .wrongFormat)
      case .form(.base64): add(TextForms.base64, .wrongFormat)
      case .time(.year): add(TextForms.year, .notATime)
      case .time(.yearMonth): add(TextForms.yearMonth, .notATime)
      case .time(.duration): add(TextForms.duration, .notATime)
      case .oneOf(let texts): lists.append(TextSet(texts))
      case .sorted(let low, let high): bounds.append(TextBounds(low, high, sortedAs: time))
      // These were checked when they were read.
      case .time(.date), .time(.time), .time(.dateTime): continue
      // These take precedence over others, are checked as numbers, or were split into parts.
      case .matching, .atLeast, .atMost, .within, .oneOfIntegers, .between, .oneOfReals, .all:
        continue
      }
    }
    // The form of a value takes precedence over further requirements of its description.
    for case .matching(let text) in parts {
      guard let pattern = TextPattern(text) else {
        preconditionFailure("the pattern was checked with the description")
      }
      add(pattern, .wrongFormat)
    }
  }

  private mutating func add(_ pattern: TextPattern, _ code: RecordCode) {
    forms.append(.pattern(pattern.start, patterns.count, code))
    patterns.append(pattern)
    table += pattern.table
    columnsOfASCII += pattern.columnOfASCII
    tableStarts.append(table.count)
  }

  @inline(always)
  func fault(in text: Span<UInt8>) -> RecordCode? {
    // Iterating over the array would retain it for each value.
    for index in forms.indices {
      if let fault = fault(in: text, forms[index]) { return fault }
    }
    for index in lists.indices where !lists[index].contains(0..<text.count, of: text) {
      return .notAllowed
    }
    for index in bounds.indices where !bounds[index].contain(text) { return .notAllowed }
    return nil
  }

  private func fault(in text: Span<UInt8>, _ form: Form) -> RecordCode? {
    switch form {
    case .singleLine: !text.isEmpty && text.isSingleLine ? nil : .wrongFormat
    case .hexadecimal(let count): text.isHexadecimal(digits: count) ? nil : .wrongFormat
    case .length(let range): range.contains(text.scalarCount) ? nil : .wrongLength
    case .json(let form): text.isJSON(form) ? nil : .notJSON
    case .email: text.isEmail ? nil : .wrongFormat
    case .pattern(let start, let index, let code):
      text.matches(
        table.span.extracting(tableStarts[index]..<tableStarts[index + 1]),
        columnsOfASCII.span.extracting(128 * index..<128 * (index + 1)), from: start,
        columnOf: { patterns[index].column(of: $0) }) ? nil : code
    }
  }
}

struct TextBounds {
  private let low: ColumnDescription.Bound<[UInt8]>?
  private let high: ColumnDescription.Bound<[UInt8]>?
  private let time: ColumnDescription.TimeForm?

  init(
    _ low: ColumnDescription.Bound<String>?, _ high: ColumnDescription.Bound<String>?,
    sortedAs time: ColumnDescription.TimeForm?
  ) {
    self.time = time
    func key(_ bound: ColumnDescription.Bound<String>) -> ColumnDescription.Bound<[UInt8]> {
      let bytes = Array(bound.value.utf8)
      return ColumnDescription.Bound(
        Array(bytes.prefix(bytes.span.keyCount(as: time))), isExclusive: bound.isExclusive)
    }
    self.low = low.map(key)
    self.high = high.map(key)
  }

  func contain(_ text: Span<UInt8>) -> Bool {
    let fromLow = low.map { order(text, $0.value.span) } ?? 1
    let fromHigh = high.map { order(text, $0.value.span) } ?? -1
    return (fromLow > 0 || fromLow == 0 && low?.isExclusive == false)
      && (fromHigh < 0 || fromHigh == 0 && high?.isExclusive == false)
  }

  /// The order of two texts: before (-1), after (1), or equal (0).
  private func order(_ text: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    if time == .year {
      let (first, second) = (parseYear(text), parseYear(other))
      return first < second ? -1 : first > second ? 1 : 0
    }
    let count = text.keyCount(as: time)
    for index in 0..<min(count, other.count) where text[index] != other[index] {
      return text[index] < other[index] ? -1 : 1
    }
    return count == other.count ? 0 : count < other.count ? -1 : 1
  }

  private func parseYear(_ text: Span<UInt8>) -> Int {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    var value = 0
    for index in (isNegative ? 1 : 0)..<text.count {
      value = value &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}

extension Span<UInt8> {
  /// The bytes that determine the order: all but the `Z` after a fraction of a second, which would sort wrongly.
  fileprivate func keyCount(as time: ColumnDescription.TimeForm?) -> Int {
    time == .dateTime && count > 0 && self[count - 1] == UInt8(ascii: "Z") ? count - 1 : count
  }

  fileprivate func isHexadecimal(digits: Int) -> Bool {
    count == digits && indices.allSatisfy { self[$0].isHexadecimal }
  }

  fileprivate var scalarCount: Int {
    var count = 0
    for index in indices where self[index] & 0xc0 != 0x80 { count += 1 }
    return count
  }
}

struct NumberCheck {
  private var integers = NumberLimits(least: Int64.min, most: Int64.max)
  private var reals = NumberLimits(least: -Double.infinity, most: Double.infinity)

  init(_ parts: [ColumnDescription.Domain]) {
    for part in parts {
      switch part {
      case .atLeast(let minimum): integers.clamp(to: minimum, .max)
      case .atMost(let maximum): integers.clamp(to: .min, maximum)
      case .within(let range): integers.clamp(to: range.lowerBound, range.upperBound)
      case .oneOfIntegers(let values): integers.keep(values)
      case .between(let low, let high):
        reals.clamp(
          to: low.map { $0.isExclusive ? $0.value.nextUp : $0.value } ?? -.infinity,
          high.map { $0.isExclusive ? $0.value.nextDown : $0.value } ?? .infinity)
      case .oneOfReals(let values): reals.keep(values)
      // These are checked as text, or were split into parts.
      case .singleLine, .hexadecimalDigits, .length, .json, .form, .time, .oneOf, .sorted,
        .matching, .all:
        continue
      }
    }
  }

  @inline(always)
  func fault(in value: Int64) -> RecordCode? { integers.contains(value) ? nil : .notAllowed }

  @inline(always)
  func fault(in value: Double) -> RecordCode? { reals.contains(value) ? nil : .notAllowed }
}

private struct NumberLimits<Number: Comparable> {
  var least: Number
  var most: Number
  private var listed: [Number]?

  init(least: Number, most: Number) { (self.least, self.most) = (least, most) }

  mutating func clamp(to least: Number, _ most: Number) {
    self.least = max(self.least, least)
    self.most = min(self.most, most)
  }

  mutating func keep(_ numbers: [Number]) {
    listed = numbers.filter { listed?.contains($0) ?? true }.sorted()
  }

  @inline(always)
  func contains(_ number: Number) -> Bool {
    guard least <= number, number <= most else { return false }
    guard let listed else { return true }
    let index = listed.lowerBound(of: number)
    return index < listed.count && listed[index] == number
  }
}

/// A set of texts that is searched by their first eight bytes.
struct TextSet {
  private let hasEmpty: Bool
  /// The first eight bytes of each text that is not empty, sorted.
  private let words: [UInt64]
  private let texts: [[UInt8]]

  init(_ texts: [String]) {
    let entries = texts.filter { !$0.isEmpty }.map { text in
      (word: text.utf8.span.word(at: 0, count: min(8, text.utf8.count)), bytes: Array(text.utf8))
    }.sorted { $0.word < $1.word }
    hasEmpty = texts.contains("")
    words = entries.map(\.word)
    self.texts = entries.map(\.bytes)
  }

  @inline(always)
  func contains(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    if range.isEmpty { return hasEmpty }
    // Most sets contain only the empty text.
    return !words.isEmpty && find(range, of: bytes)
  }

  private func find(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let word = bytes.word(at: range.lowerBound, count: min(8, range.count))
    var index = words.lowerBound(of: word)
    while index < words.count, words[index] == word {
      if bytes.extracting(range).isEqual(to: texts[index]) { return true }
      index += 1
    }
    return false
  }
}

extension Array where Element: Comparable {
  /// The index of the first element that is not less than another, in a sorted array.
  @inline(always)
  func lowerBound(of other: Element) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < other { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
