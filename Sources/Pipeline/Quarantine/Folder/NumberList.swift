/// A list of nonnegative numbers in seven bits per byte, as in LEB128 (DWARF 5, section 7.6), in pieces, so that
/// growing copies nothing.
package struct NumberList: Sendable {
  private var pieces: [[UInt8]] = []

  private static let pieceBytes = 1 << 20

  var bytes: Int { pieces.count * Self.pieceBytes }

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
  package func makeIterator() -> UnfoldSequence<Int, (piece: Int, place: Int)> {
    sequence(state: (0, 0)) { [pieces] next in
      if next.piece < pieces.count, next.place == pieces[next.piece].count {
        next = (next.piece + 1, 0)
      }
      guard next.piece < pieces.count else { return nil }
      var (number, shift) = (UInt64(0), UInt64(0))
      while true {
        let byte = pieces[next.piece][next.place]
        next.place += 1
        number |= UInt64(byte & 0x7f) << shift
        guard byte >= 0x80 else { return Int(number) }
        shift += 7
      }
    }
  }
}

/// Ascending numbers from 1, stored as differences: a byte for each close one.
package struct RisingNumbers: Sequence, Sendable {
  private var differences = NumberList()
  private(set) var count = 0
  private(set) var last = 0

  var bytes: Int { differences.bytes }

  mutating func append(_ number: Int) {
    precondition(number > last)
    differences.append(number - last)
    last = number
    count += 1
  }

  package func makeIterator() -> UnfoldSequence<Int, (NumberList.Iterator, last: Int)> {
    sequence(state: (differences.makeIterator(), 0)) { state in
      guard let difference = state.0.next() else { return nil }
      state.last += difference
      return state.last
    }
  }
}

/// Ascending ranges without overlaps; adjacent ones are merged.
struct RisingRanges: Sequence, Sendable {
  private var distances = NumberList()
  /// The end of the next-to-last range, and the last range, which may grow.
  private var end = 0
  private var last: Range<Int>?

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

  func makeIterator()
    -> UnfoldSequence<Range<Int>, (NumberList.Iterator, end: Int, last: Range<Int>?)>
  {
    sequence(state: (distances.makeIterator(), 0, last)) { state in
      guard let distance = state.0.next(), let count = state.0.next() else {
        return state.last.take()
      }
      let start = state.end + distance
      state.end = start + count
      return start..<state.end
    }
  }
}
