/// Memory for the texts of one run of a statement, reused by the next.
///
/// SQLite reads texts in place; otherwise it would allocate and free memory for each, a quarter of
/// the time of an insert.
@safe final class TextArena {
  private static let capacity = 4096
  private let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
  private var used = 0

  deinit { unsafe start.deallocate() }

  /// Discards the texts, which no statement may read any longer.
  func clear() { used = 0 }

  /// Copies a text, and returns its address until the arena is cleared; nil if there is no room.
  @unsafe @inline(__always)
  func copy(_ text: String) -> UnsafeRawBufferPointer? {
    let place = unsafe start + used
    let room = Self.capacity - used
    let copied = unsafe text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.count <= room, let source = bytes.baseAddress else { return nil }
      unsafe place.copyMemory(from: source, byteCount: bytes.count)
      return bytes.count
    }
    guard let count = copied ?? nil else { return nil }
    used += count
    return unsafe UnsafeRawBufferPointer(start: place, count: count)
  }
}
