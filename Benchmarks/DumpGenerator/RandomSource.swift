/// A stream of numbers that depends on its seed alone.
struct RandomSource {
  private var generator: SplitMix64

  /// Begins the stream of one table, so that a change to one table leaves the others as they were.
  init(seed: UInt64, table: Table) { self.init(seed: seed, stream: table.rawValue) }

  /// Begins the stream of a name.
  init(seed: UInt64, stream: String) {
    generator = SplitMix64(seed: stream.utf8.reduce(seed) { Self.mixed($0 ^ UInt64($1)) })
  }

  /// Spreads the bits of `value`: near values give unrelated results.
  static func mixed(_ value: UInt64) -> UInt64 {
    var generator = SplitMix64(seed: value)
    return generator.next()
  }

  /// A number from 0 up to, not including, `bound`, all equally likely.
  mutating func number(below bound: Int) -> Int {
    Int(generator.next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of the range, all equally likely.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.count)
  }

  /// A number from 0 up to, not including, `bound`, about as likely as one divided by its rank.
  ///
  /// So popularity falls in the catalog: few parts are in most sets, most parts in few.
  mutating func rank(below bound: Int) -> Int {
    let octave = number(below: Int.bitWidth - bound.leadingZeroBitCount)
    return ((1 << octave) + number(below: 1 << octave) - 1) % bound
  }

  /// Whether an event of `percent` in a hundred happens.
  mutating func happens(percent: Int) -> Bool { number(below: 100) < percent }

  /// One of the elements, all equally likely.
  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// Puts the elements into a random order.
  mutating func shuffle<Element>(_ elements: inout [Element]) {
    for index in elements.indices.dropFirst() {
      elements.swapAt(index, number(below: index + 1))
    }
  }
}
