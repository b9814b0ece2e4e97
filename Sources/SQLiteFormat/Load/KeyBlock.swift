/// Keys of an index in their order, on the way from the thread that merges them to the one that adds them up.
package struct KeyBlock: ~Copyable, Sendable {
  /// The bytes from which on it has enough of them.
  private static let fullBytes = 64 << 10
  /// The bytes of a number before each key, its size.
  private static let sizeBytes = 8

  private(set) var bytes = ByteBuffer(count: fullBytes + 1024)
  private(set) var count = 0

  var isFull: Bool { count >= Self.fullBytes }

  @inline(__always)
  mutating func append(_ key: Range<Int>, of source: borrowing ByteBuffer) {
    bytes.grow(to: count &+ Self.sizeBytes &+ key.count)
    bytes.put(UInt64(key.count), at: count)
    bytes.copy(key, of: source, to: count &+ Self.sizeBytes)
    count &+= Self.sizeBytes &+ key.count
  }

  /// The key at `place`, which is moved after it; nil if there are no more.
  @inline(__always)
  func next(_ place: inout Int) -> Range<Int>? {
    guard place < count else { return nil }
    let start = place &+ Self.sizeBytes
    place = start &+ bytes.number(UInt64.self, at: place)
    return start..<place
  }
}
