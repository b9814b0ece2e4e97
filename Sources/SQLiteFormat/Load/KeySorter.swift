/// Sorts the keys of a run: first by their first eight bytes, digit by digit, then equal ones by the rest.
///
/// A radix sort (Knuth, The Art of Computer Programming, volume 3, section 5.2.5) makes no
/// comparisons, and keeps equal keys in their original order, which is often the right one.
struct KeySorter: Sendable {
  struct Key: Sendable {
    /// Its first eight bytes, padded with zeros.
    let prefix: UInt64
    let start: UInt32
    let count: UInt32

    /// For keys whose first eight bytes are equal.
    @inline(__always)
    func isLess(than other: Self, in bytes: borrowing ByteBuffer) -> Bool {
      bytes.isLess(rest, than: other.rest, of: bytes)
    }

    @inline(__always)
    private var rest: Range<Int> {
      let end = Int(start) + Int(count)
      return min(Int(start) + 8, end)..<end
    }
  }

  private static let digits = 8
  private static let values = 256

  private var keys: [Key]
  private var others: [Key]
  private var counts = [Int32](repeating: 0, count: digits * values)
  private(set) var count = 0

  init(capacity: Int) {
    keys = [Key](repeating: Key(prefix: 0, start: 0, count: 0), count: capacity)
    others = keys
  }

  @inline(__always)
  mutating func add(_ range: Range<Int>, of bytes: borrowing ByteBuffer) {
    keys[count] = Key(
      prefix: bytes.prefix(of: range), start: UInt32(range.lowerBound), count: UInt32(range.count))
    count += 1
  }

  mutating func removeAll() { count = 0 }

  /// The position of the `index`-th key in order, after sorting.
  @inline(__always)
  func range(_ index: Int) -> Range<Int> {
    let key = keys[index]
    return Int(key.start)..<Int(key.start) + Int(key.count)
  }

  mutating func sort(_ bytes: borrowing ByteBuffer) {
    countDigits()
    // Only by digits in which keys differ.
    for digit in 0..<Self.digits
    where count > 0 && Int(counts[Self.bucket(of: digit, in: keys[0].prefix)]) != count {
      distribute(by: digit)
      swap(&keys, &others)
    }
    var first = 0
    while first < count {
      var end = first + 1
      while end < count, keys[end].prefix == keys[first].prefix { end += 1 }
      if end - first > 1 { sortRest(first..<end, bytes) }
      first = end
    }
  }

  private mutating func countDigits() {
    let (keyArray, count) = (keys, count)
    let keys = keyArray.span
    var counts = counts.mutableSpan
    counts.update(repeating: 0)
    for index in 0..<count {
      let prefix = keys[index].prefix
      for digit in 0..<Self.digits { counts[Self.bucket(of: digit, in: prefix)] += 1 }
    }
  }

  /// The position of the counter for keys with the same digit as `prefix`; digits are counted from the lowest.
  @inline(__always)
  private static func bucket(of digit: Int, in prefix: UInt64) -> Int {
    digit * values
      + Int(truncatingIfNeeded: prefix &>> UInt64(truncatingIfNeeded: 8 * digit) & 0xff)
  }

  private mutating func distribute(by digit: Int) {
    let (keyArray, count) = (keys, count)
    let keys = keyArray.span
    var (countArray, otherArray) = (exchange(&counts, with: []), exchange(&others, with: []))
    defer {
      swap(&counts, &countArray)
      swap(&others, &otherArray)
    }
    var counts = countArray.mutableSpan
    var others = otherArray.mutableSpan
    var sum: Int32 = 0
    for value in digit * Self.values..<(digit + 1) * Self.values {
      let own = counts[value]
      counts[value] = sum
      sum += own
    }
    for index in 0..<count {
      let bucket = Self.bucket(of: digit, in: keys[index].prefix)
      others[Int(counts[bucket])] = keys[index]
      counts[bucket] += 1
    }
  }

  private mutating func sortRest(_ range: Range<Int>, _ bytes: borrowing ByteBuffer) {
    // For few keys, as in most groups, the call of a sort takes longer than the sort itself.
    guard range.count <= 32 else {
      keys[range].sort { $0.isLess(than: $1, in: bytes) }
      return
    }
    var keys = keys.mutableSpan
    for index in range.dropFirst() {
      let key = keys[index]
      var target = index
      while target > range.lowerBound, key.isLess(than: keys[target - 1], in: bytes) {
        keys[target] = keys[target - 1]
        target -= 1
      }
      keys[target] = key
    }
  }
}
