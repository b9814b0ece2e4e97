package import Vocabulary
import Fields
import Text

package struct KeySet {
  let isText: Bool
  var integers: IntegerKeySet
  var texts: TextKeySet

  init(isText: Bool, seed: HashSeed, memory: KeyMemory) {
    self.isText = isText
    integers = IntegerKeySet(seed: seed, memory: memory)
    texts = TextKeySet(seed: seed, memory: memory)
  }

  var bytes: Int { integers.bytes + texts.bytes }

  var ordinalBits: Int { isText ? texts.ordinalBits : integers.ordinalBits }

  /// Adds a key in the encoding of `StoredKey`; returns false if it exists.
  package mutating func insert(stored key: Span<UInt8>) -> Bool {
    isText ? texts.insert(key) : integers.insert(key.word(at: 0, count: 8))
  }

  func contains(stored key: Span<UInt8>) -> Bool {
    isText
      ? texts.ordinal(of: key) != nil
      : integers.ordinal(of: key.word(at: 0, count: 8)) != nil
  }
}

/// A set of 64-bit keys in an open-addressing table, at most three quarters full; ordinals change when it grows.
package struct IntegerKeySet {
  /// A slot holds its key plus one, so that 0 means empty; the largest key, which becomes 0, is stored separately.
  private var slots: [UInt64]
  private var occupied = 0
  private var hasLargest = false
  private let seed: HashSeed
  private let memory: KeyMemory

  package init(capacity: Int = 12, seed: HashSeed, memory: KeyMemory) {
    self.seed = seed
    self.memory = memory
    slots = [UInt64](repeating: 0, count: Self.slots(for: capacity))
  }

  private static func slots(for keys: Int) -> Int {
    var count = 16
    while keys * 4 > count * 3 { count *= 2 }
    return count
  }

  package static func bytes(for keys: Int) -> Int { slots(for: keys) * 8 }

  package var bytes: Int { slots.count * 8 }

  package var count: Int { occupied + (hasLargest ? 1 : 0) }

  var ordinalBits: Int { slots.count.trailingZeroBitCount + 1 }

  package mutating func insert(_ key: UInt64) -> Bool {
    let stored = key &+ 1
    guard stored != 0 else {
      defer { hasLargest = true }
      return !hasLargest
    }
    let slot = slot(of: stored)
    guard slots[slot] == 0 else { return false }
    slots[slot] = stored
    occupied += 1
    if occupied * 4 > slots.count * 3 { grow() }
    return true
  }

  package func ordinal(of key: UInt64) -> Int? {
    let stored = key &+ 1
    guard stored != 0 else { return hasLargest ? slots.count : nil }
    let slot = slot(of: stored)
    return slots[slot] == 0 ? nil : slot
  }

  /// The slot of `stored`, or the empty one where it belongs.
  private func slot(of stored: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: seed.hash(of: stored)) & (slots.count - 1)
    while slots[slot] != 0, slots[slot] != stored { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func grow() {
    guard memory.grow(from: bytes, to: bytes * 2) else { return }
    let old = exchange(&slots, with: [UInt64](repeating: 0, count: slots.count * 2))
    for stored in old where stored != 0 { slots[slot(of: stored)] = stored }
  }
}

/// The memory limit for all keys of a run, counted whenever a table grows, which is rare.
///
/// A source file of a few megabytes can have keys that take gigabytes. At the limit, sets stop growing; the code that adds
/// keys checks `isExceeded` every few hundred records, and before it reports a duplicate, and ends the run.
package final class KeyMemory {
  package let limit: Int
  private(set) var used = 0
  /// Whether a set could not grow; its answers are then wrong.
  package private(set) var isExceeded = false

  /// A table of at most this size may always grow; a larger one has room for some hundred keys.
  private static let alwaysAllowed = 64 << 10

  package init(limit: Int) { self.limit = limit }

  /// Counts the growth of a table, and returns whether it is allowed; the old and new table exist at the same time.
  func grow(from old: Int, to new: Int) -> Bool {
    if used + new > limit { isExceeded = true }
    guard !isExceeded || new <= Self.alwaysAllowed else { return false }
    used += new - old
    return true
  }

  package func restart(with bytes: Int) { used = bytes }
}

extension KeyMemory {
  package func check(at line: Int, in file: String) throws(IngestError) {
    guard isExceeded else { return }
    throw IngestError(
      .data, code: .run(.keyMemoryExceeded),
      "\(file): line \(line): keys exceed the memory limit of \(Self.text(limit)) at this record. Nothing was "
        + "published. Check whether this is the right file; if so, raise the limit: "
        + "--max-key-memory \(Self.text(2 * limit))")
  }

  private static func text(_ bytes: Int) -> String {
    switch bytes.trailingZeroBitCount {
    case 30...: "\(bytes >> 30)G"
    case 20...: "\(bytes >> 20)M"
    case 10...: "\(bytes >> 10)K"
    default: "\(bytes)"
    }
  }
}

/// The secret seed for the hashes of one run's key sets, on which no output may depend.
///
/// With a known hash, an attacker could write a source file whose keys all collide. The hash is a folded product: with
/// secret factors, any two keys collide with a probability of about one in the number of slots.
package struct HashSeed: Sendable {
  package let first: UInt64
  package let second: UInt64
  package let third: UInt64

  /// Draws the numbers from the system's generator, or from that of a test.
  package init(using generator: inout some RandomNumberGenerator) {
    first = generator.next()
    second = generator.next() | 1
    third = generator.next() | 1
  }

  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// The hash of a number, whose low bits are the slot.
  @inline(__always)
  package func hash(of number: UInt64) -> UInt64 {
    (number ^ first).foldedProduct(second)
  }

  /// The hash of a text: two collide with a probability of 1 in 2^64, and others in each run.
  package func hash(_ range: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
    var hash = self.hash(of: UInt64(range.count))
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let count = min(8, range.upperBound - start)
      hash = (hash ^ bytes.word(at: start, count: count)).foldedProduct(second)
    }
    return hash
  }
}
