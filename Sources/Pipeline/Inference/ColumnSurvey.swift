import Validation
import SQLiteSwiftly

/// The form of the values of a column read so far; its size does not grow with their number.
struct ColumnSurvey {
  let name: String
  /// The number of values that are neither empty nor one of `MissingWords`.
  private(set) var values = 0
  private(set) var empties = 0
  private(set) var missingWords = [Int](repeating: 0, count: MissingWords.all.count)
  private(set) var forms = ValueForms.all
  /// The patterns among `TimeSpelling.all` that all values fit, as bits.
  private(set) var patterns: UInt32 = (1 << UInt32(TimeSpelling.all.count)) - 1
  /// The pairs among `BooleanWords.pairs` that all values fit, as bits.
  private(set) var pairs: UInt16 = (1 << UInt16(BooleanWords.pairs.count)) - 1
  private(set) var hasTrue = false
  private(set) var hasFalse = false
  private(set) var longest = 0
  private(set) var example: [UInt8] = []
  /// The first and the last value in the order of their form: of numbers, or of times.
  private(set) var least: [UInt8] = []
  private(set) var greatest: [UInt8] = []
  private var bounds = (0.0, 0.0)
  /// The distinct texts, including words for missing values; nil if there are too many.
  private(set) var distinct: [[UInt8]]? = []

  static let maximumDistinct = 12
  private static let longestDistinct = 64
  private static let longestExample = 200

  init(_ name: String) { self.name = name }

  mutating func add(_ place: Range<Int>, of bytes: Span<UInt8>) {
    guard !place.isEmpty else {
      empties += 1
      return
    }
    longest = max(longest, place.count)
    if distinct != nil { addDistinct(place, of: bytes) }
    if let word = MissingWords.index(place, of: bytes) {
      missingWords[word] += 1
      return
    }
    values += 1
    if values == 1, place.count <= Self.longestExample { example = copy(place, of: bytes) }
    guard !forms.isEmpty else { return }
    if !forms.isDisjoint(with: [.integer, .number]) { checkNumber(place, of: bytes) }
    if forms.contains(.time) { checkTime(place, of: bytes) }
    if forms.contains(.boolean) { checkBoolean(place, of: bytes) }
    checkText(bytes.extracting(place))
  }

  private mutating func checkText(_ value: Span<UInt8>) {
    if forms.contains(.uuid), !value.matches(TextForms.uuid) { forms.remove(.uuid) }
    if forms.contains(.uri), !value.isURIWithAuthority { forms.remove(.uri) }
    if forms.contains(.jsonObject), !value.isJSON(.object) { forms.remove(.jsonObject) }
    if forms.contains(.jsonArray), !value.isJSON(.array) { forms.remove(.jsonArray) }
  }

  private func copy(_ place: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
    place.map { bytes[$0] }
  }

  private mutating func addDistinct(_ place: Range<Int>, of bytes: Span<UInt8>) {
    guard let known = distinct, place.count <= Self.longestDistinct else {
      distinct = nil
      return
    }
    let value = bytes.extracting(place)
    for text in known where value.isEqual(to: text.span) { return }
    if known.count < Self.maximumDistinct {
      let text = copy(place, of: bytes)
      distinct?.append(text)
    } else {
      distinct = nil
    }
  }

  private mutating func checkNumber(_ place: Range<Int>, of bytes: Span<UInt8>) {
    if forms.contains(.integer) {
      let (number, fault) = parseInteger(place, of: bytes)
      guard fault != nil else { return extendBounds(Double(number), place, of: bytes) }
      forms.remove(.integer)
    }
    guard let number = decimal(place, of: bytes) else {
      forms.subtract([.integer, .number])
      return
    }
    extendBounds(number, place, of: bytes)
  }

  private mutating func extendBounds(_ number: Double, _ place: Range<Int>, of bytes: Span<UInt8>) {
    if values == 1 || number < bounds.0 {
      bounds.0 = number
      least = copy(place, of: bytes)
    }
    if values == 1 || number > bounds.1 {
      bounds.1 = number
      greatest = copy(place, of: bytes)
    }
  }

  private mutating func checkTime(_ place: Range<Int>, of bytes: Span<UInt8>) {
    var rest = patterns
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      if !TimeSpelling.all[index].matches(place, of: bytes) { patterns &= ~(1 << UInt32(index)) }
    }
    guard patterns != 0 else {
      forms.remove(.time)
      return
    }
    // Eight digits keep the bounds of numbers, which are in the same order.
    guard forms.isDisjoint(with: [.integer, .number]) else { return }
    let value = bytes.extracting(place)
    if values == 1 || value.isBefore(least) { least = copy(place, of: bytes) }
    if values == 1 || !value.isBefore(greatest) { greatest = copy(place, of: bytes) }
  }

  private mutating func checkBoolean(_ place: Range<Int>, of bytes: Span<UInt8>) {
    let (left, isTrue) = BooleanWords.pairs(among: pairs, with: place, of: bytes)
    pairs = left
    if left == 0 { forms.remove(.boolean) }
    if isTrue { hasTrue = true } else { hasFalse = true }
  }
}

extension Span<UInt8> {
  fileprivate func isBefore(_ others: [UInt8]) -> Bool {
    for index in 0..<Swift.min(count, others.count) where self[index] != others[index] {
      return self[index] < others[index]
    }
    return count < others.count
  }
}
