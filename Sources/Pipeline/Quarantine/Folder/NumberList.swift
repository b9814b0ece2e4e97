/// A list of nonnegative numbers, small ones in few bytes: seven bits per byte, as in LEB128 (DWARF 5, section 7.6).
///
/// It is stored in pieces, so that growing copies nothing.
struct NumberList: Sendable {
  private var pieces: [[UInt8]] = []

  private static let pieceBytes = 1 << 20

  /// Its size in bytes.
  var bytes: Int { pieces.count * Self.pieceBytes }

  /// Adds a number.
  mutating func append(_ number: Int) {
    if pieces.last.map({ $0.count + 10 > Self.pieceBytes }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceBytes)
    }
    var rest = UInt64(number)
    while rest >= 0x80 {
      pieces[pieces.count - 1].append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    pieces[pieces.count - 1].append(UInt8(rest))
  }
}

extension NumberList: Sequence {
  /// Returns the numbers in the order of insertion.
  struct Iterator: IteratorProtocol {
    fileprivate let pieces: [[UInt8]]
    private var piece = 0
    private var place = 0

    fileprivate init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    mutating func next() -> Int? {
      if piece < pieces.count, place == pieces[piece].count { (piece, place) = (piece + 1, 0) }
      guard piece < pieces.count else { return nil }
      var (number, shift) = (UInt64(0), UInt64(0))
      while true {
        let byte = pieces[piece][place]
        place += 1
        number |= UInt64(byte & 0x7f) << shift
        guard byte >= 0x80 else { return Int(number) }
        shift += 7
      }
    }
  }

  func makeIterator() -> Iterator { Iterator(pieces) }
}

/// Ascending numbers from 1, stored as differences: a byte for each close one.
package struct RisingNumbers: Sequence, Sendable {
  private var differences = NumberList()
  private(set) var count = 0
  /// The last of them; 0 if there is none.
  private(set) var last = 0

  /// Their size in bytes.
  var bytes: Int { differences.bytes }

  /// Adds a number that is greater than the last.
  mutating func append(_ number: Int) {
    precondition(number > last)
    differences.append(number - last)
    last = number
    count += 1
  }

  package struct Iterator: IteratorProtocol {
    fileprivate var differences: NumberList.Iterator
    private var last = 0

    fileprivate init(_ differences: NumberList.Iterator) { self.differences = differences }

    package mutating func next() -> Int? {
      guard let difference = differences.next() else { return nil }
      last += difference
      return last
    }
  }

  package func makeIterator() -> Iterator { Iterator(differences.makeIterator()) }
}

/// Ascending ranges without overlaps; adjacent ones are merged.
struct RisingRanges: Sequence, Sendable {
  private var distances = NumberList()
  /// The end of the next-to-last range, and the last range, which may grow.
  private var end = 0
  private var last: Range<Int>?

  /// Adds a range after all others.
  mutating func append(_ range: Range<Int>) {
    if let last, last.upperBound == range.lowerBound {
      return self.last = last.lowerBound..<range.upperBound
    }
    if let last {
      distances.append(last.lowerBound - end)
      distances.append(last.count)
      end = last.upperBound
    }
    last = range
  }

  mutating func removeAll() { self = RisingRanges() }

  struct Iterator: IteratorProtocol {
    fileprivate var distances: NumberList.Iterator
    fileprivate var last: Range<Int>?
    private var end = 0

    fileprivate init(_ distances: NumberList.Iterator, last: Range<Int>?) {
      self.distances = distances
      self.last = last
    }

    mutating func next() -> Range<Int>? {
      guard let distance = distances.next(), let count = distances.next() else {
        defer { last = nil }
        return last
      }
      let start = end + distance
      end = start + count
      return start..<end
    }
  }

  func makeIterator() -> Iterator { Iterator(distances.makeIterator(), last: last) }
}
