/// Some texts, to be found by their bytes.
struct TextSet {
  private var hasEmpty = false
  /// The first eight bytes of the others, in order.
  private let words: [UInt64]
  private let texts: [[UInt8]]

  init(_ texts: [String]) {
    let entries = texts.map { Array($0.utf8) }.map { ($0.span.firstWord, $0) }
      .sorted { $0.0 < $1.0 }
    hasEmpty = texts.contains("")
    words = entries.map(\.0)
    self.texts = entries.map(\.1)
  }

  @inline(always)
  func contains(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    if place.isEmpty { return hasEmpty }
    // Mostly the empty one alone is in the set.
    if words.count == (hasEmpty ? 1 : 0) { return false }
    return find(place, of: bytes)
  }

  private func find(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let word = bytes.word(at: place.lowerBound, count: min(8, place.count))
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < word { low = middle + 1 } else { high = middle }
    }
    while low < words.count, words[low] == word {
      if bytes.extracting(place).isEqual(to: texts[low]) { return true }
      low += 1
    }
    return false
  }
}

extension Span<UInt8> {
  /// The first eight bytes.
  fileprivate var firstWord: UInt64 { word(at: 0, count: Swift.min(8, count)) }
}
