/// How the times of a column are written, and whether the text of each follows from its value.
///
/// A time is stored in ISO 8601 with a `T`, in UTC if it has an offset, and without zeros at the end of a fraction. Its
/// text follows if all have the same separator, the same offset, or none except `Z`, and fractions of a second that are
/// the shortest ones, or equally long.
package struct TimeTexts {
  private var isLost = false
  /// The byte before the time of day.
  private var separator: UInt8?
  /// Whether there are times that are stored without a change of their offset: without one, or with `Z`.
  private var hasUnchanged = false
  /// The bytes of the offset of all others; 0 without any.
  private var offsetBytes: UInt64 = 0
  /// The lengths of the shortest and the longest time of day, without its offset.
  private var shortest = Int.max
  private var longest = 0
  /// Whether there is a zero at the end of a fraction.
  private var isPadded = false

  package init() {}

  /// Whether every text so far follows from its time.
  package var areKept: Bool {
    !isLost && (offsetBytes == 0 || !hasUnchanged) && (!isPadded || shortest == longest)
  }

  /// The offset of all times, which are stored in UTC; nil if there is none.
  package var offset: String? {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: offsetBytes >> ($0 * 8)) }
    return offsetBytes == 0 ? nil : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Adds a time of day in ISO 8601, or any text of a date with a time.
  package mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) {
    guard let start = timeOfDay(in: range, of: bytes) else {
      isLost = true
      return
    }
    var end = start + 8
    if end < range.upperBound, bytes[end] == UInt8(ascii: ".") {
      end += 1
      while end < range.upperBound, bytes[end].isDigit { end += 1 }
    }
    shortest = min(shortest, end - start)
    longest = max(longest, end - start)
    isPadded = isPadded || end > start + 8 && bytes[end - 1] == UInt8(ascii: "0")
    addOffset(bytes.word(at: end, count: range.upperBound - end))
  }

  private mutating func addOffset(_ bytes: UInt64) {
    guard bytes != 0, bytes != UInt64(UInt8(ascii: "Z")) else {
      hasUnchanged = true
      return
    }
    isLost = isLost || bytes != offsetBytes && offsetBytes != 0
    offsetBytes = bytes
  }

  /// The start of the time of day in a text from which it follows; nil in any other, such as one with the hour 24.
  private mutating func timeOfDay(in range: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    let isAlone = bytes[range.lowerBound + 2] == UInt8(ascii: ":")
    if isAlone { return range.lowerBound }
    guard
      let time = CalendarTime(dateTime: range, of: bytes)
        ?? CalendarTime(timestamp: range, of: bytes), time.hour < 24
    else { return nil }
    let place = range.lowerBound + 10
    isLost = isLost || bytes[place] != separator ?? bytes[place]
    separator = bytes[place]
    return place + 1
  }
}
