import Platform
import Glibc
import Text

/// Memory for reading and writing numbers at any position, uniquely owned: an array would be checked for a second owner
/// at each call, and cannot lend a span to a method of the value that contains it.
@safe struct ByteBuffer: ~Copyable, @unchecked Sendable {
  /// Extra bytes after the end, so that the last bytes can be read as part of a word.
  private static let slack = 8

  private var memory: UnsafeMutableRawPointer
  private(set) var count: Int

  /// Creates a buffer of zeros.
  init(count: Int) {
    guard let memory = unsafe calloc(count + Self.slack, 1) else {
      preconditionFailure("out of memory for \(count) bytes")
    }
    unsafe self.memory = memory
    self.count = count
  }

  deinit { unsafe free(memory) }

  @inline(__always)
  mutating func grow(to newCount: Int) { if newCount > count { reallocate(newCount) } }

  private mutating func reallocate(_ newCount: Int) {
    guard let grown = unsafe realloc(memory, newCount + Self.slack) else {
      preconditionFailure("out of memory for \(newCount) bytes")
    }
    unsafe memory = grown
    let added = newCount + Self.slack - count
    unsafe (memory + count).initializeMemory(as: UInt8.self, repeating: 0, count: added)
    count = newCount
  }

  /// Stops the program unless `range` is within the buffer.
  @inline(__always)
  private func check(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "beyond the buffer")
  }

  subscript(offset: Int) -> UInt8 {
    @inline(__always) get {
      precondition(offset >= 0 && offset < count, "beyond the buffer")
      return unsafe memory.load(fromByteOffset: offset, as: UInt8.self)
    }
    @inline(__always) set {
      precondition(offset >= 0 && offset < count, "beyond the buffer")
      unsafe memory.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// The eight bytes from `offset` as a big-endian number; bytes beyond the end are undefined.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count, "beyond the buffer")
    return unsafe memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
  }

  /// The eight bytes from `offset`, which must be at most the end of the buffer.
  @unsafe @inline(__always)
  func uncheckedWord(at offset: Int) -> UInt64 {
    unsafe memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
  }

  /// The big-endian number at `offset`.
  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Int {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "beyond the buffer")
    return Int(unsafe memory.loadUnaligned(fromByteOffset: offset, as: Number.self).bigEndian)
  }

  @inline(__always)
  mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "beyond the buffer")
    unsafe memory.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
  }

  @inline(__always)
  mutating func copy(_ range: Range<Int>, of source: borrowing ByteBuffer, to offset: Int) {
    source.check(range)
    precondition(offset >= 0 && offset + range.count <= count, "beyond the buffer")
    unsafe memcpy(memory + offset, source.memory + range.lowerBound, range.count)
  }

  @unsafe mutating func copy(_ source: UnsafeRawBufferPointer, to offset: Int) {
    precondition(offset >= 0 && offset + source.count <= count, "beyond the buffer")
    guard let start = source.baseAddress else { return }
    unsafe memcpy(memory + offset, start, source.count)
  }

  /// Moves `range` to `offset`; the two may overlap.
  mutating func move(_ range: Range<Int>, to offset: Int) {
    check(range)
    precondition(offset >= 0 && offset + range.count <= count, "beyond the buffer")
    unsafe memmove(memory + offset, memory + range.lowerBound, range.count)
  }

  mutating func clear(_ range: Range<Int>) {
    check(range)
    unsafe memset(memory + range.lowerBound, 0, range.count)
  }

  @_lifetime(borrow self)
  func span(_ range: Range<Int>) -> Span<UInt8> {
    check(range)
    let bytes = unsafe UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    return unsafe _overrideLifetime(Span<UInt8>(_bytes: bytes.bytes), borrowing: self)
  }

  /// Returns the number of bytes read, fewer than requested only at the end of the file.
  mutating func read(
    _ range: Range<Int>, from descriptor: Int32, at offset: Int
  ) throws(FileError) -> Int {
    check(range)
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: memory + range.lowerBound, count: range.count)
    return try unsafe descriptor.readAll(into: room, at: offset)
  }

  @inline(__always)
  func areEqual(
    _ range: Range<Int>, to otherRange: Range<Int>, of other: borrowing ByteBuffer
  ) -> Bool {
    check(range)
    other.check(otherRange)
    guard range.count == otherRange.count else { return false }
    return unsafe memcmp(
      memory + range.lowerBound, other.memory + otherRange.lowerBound, range.count) == 0
  }

  /// The first eight bytes of `range` as a number, padded with zeros.
  @inline(__always)
  func prefix(of range: Range<Int>) -> UInt64 { word(at: range.lowerBound).prefix(range.count) }

  /// Whether the bytes at `range` sort before those at `other` of `buffer`; a prefix sorts first.
  @inline(__always)
  func isLess(
    _ range: Range<Int>, than other: Range<Int>, of buffer: borrowing ByteBuffer
  ) -> Bool {
    let common = min(range.count, other.count)
    var offset = 0
    while offset < common {
      let left = word(at: range.lowerBound + offset).prefix(common - offset)
      let right = buffer.word(at: other.lowerBound + offset).prefix(common - offset)
      if left != right { return left < right }
      offset += 8
    }
    return range.count < other.count
  }
}

extension UInt64 {
  /// The number with zeros for all but its first `count` bytes.
  @inline(__always)
  func prefix(_ count: Int) -> UInt64 {
    count < 8 ? self & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 * count)) : self
  }

  @inline(__always)
  func mixed(with other: UInt64) -> UInt64 {
    (self ^ 0x9e37_79b9_7f4a_7c15).foldedProduct(other ^ 0xe703_7ed1_a0b4_28db)
  }
}
