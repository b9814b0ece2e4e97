/// A set of texts that is searched by their first eight bytes.
struct TextSet {
  private var hasEmpty = false
  /// The first eight bytes of each text, sorted.
  private let words: [UInt64]
  private let texts: [[UInt8]]

  init(_ texts: [String]) {
    let entries = texts.map { text in
      (word: text.utf8.span.word(at: 0, count: min(8, text.utf8.count)), bytes: Array(text.utf8))
    }.sorted { $0.word < $1.word }
    hasEmpty = texts.contains("")
    words = entries.map(\.word)
    self.texts = entries.map(\.bytes)
  }

  @inline(always)
  func contains(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    if place.isEmpty { return hasEmpty }
    // Most sets contain only the empty text.
    if words.count == (hasEmpty ? 1 : 0) { return false }
    return find(place, of: bytes)
  }

  private func find(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let word = bytes.word(at: place.lowerBound, count: min(8, place.count))
    var index = words.lowerBound(of: word)
    while index < words.count, words[index] == word {
      if bytes.extracting(place).isEqual(to: texts[index]) { return true }
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
