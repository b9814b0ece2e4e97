/// Sorted keys of an index, on the way from the merging to the aggregating thread.
package struct KeyBlock: ~Copyable, Sendable {
  /// The size in bytes at which a block is full.
  private static let fullBytes = 64 << 10
  /// The bytes of the size field before each key.
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

  /// The key at `place`, which is advanced; nil at the end.
  @inline(__always)
  func next(_ place: inout Int) -> Range<Int>? {
    guard place < count else { return nil }
    let start = place &+ Self.sizeBytes
    place = start &+ bytes.number(UInt64.self, at: place)
    return start..<place
  }
}
