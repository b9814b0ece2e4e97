import Fields

/// Finds the records of a table that refers to itself whose parents will be loaded, too.
///
/// Such a source file is read twice, since a child may come before its parent. A record takes about 100 bytes of
/// memory, and one with the same keys and references as another takes none.
package struct SelfReferenceSurvey {
  /// All keys of records and parents; a number before the bytes of a key identifies its columns.
  private var keys: TextKeySet
  /// The records, each as the ordinals of its own keys and of its parents, or `none`; all have the same size.
  private var records: TextKeySet
  private let memory: KeyMemory
  private let (owned, parents): (Int, Int)
  /// The current record, and a key of it.
  private var record: [UInt8] = []
  private var key: [UInt8] = []

  private static let none = UInt32.max
  private static let placeBytes = 4

  /// Creates the survey of a table with `owned` referenced keys and `parents` foreign keys to itself.
  package init(owned: Int, parents: Int, seed: HashSeed, memory: KeyMemory) {
    (self.owned, self.parents) = (owned, parents)
    keys = TextKeySet(seed: seed, memory: memory)
    records = TextKeySet(seed: seed, memory: memory)
    self.memory = memory
  }

  /// Adds a key of the record, or then of a parent; `place` identifies its columns.
  package mutating func add(_ bytes: Span<UInt8>, of place: Int) {
    // Move the key out while a span of it is in use.
    var key = exchange(&self.key, with: [])
    key.removeAll(keepingCapacity: true)
    key.append(number: UInt32(truncatingIfNeeded: place))
    for index in bytes.indices { key.append(bytes[index]) }
    let ordinal = keys.ordinalInserting(0..<key.count, of: key.span)
    record.append(number: ordinal.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none)
    self.key = key
  }

  mutating func addNone() { record.append(number: Self.none) }

  /// Ends a record, which is valid except for its unchecked parents.
  package mutating func endRecord() {
    var bytes = exchange(&record, with: [])
    _ = records.insert(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    record = bytes
  }

  /// Finds the keys of records with complete chains of parents, in no particular order; none if memory does not
  /// suffice.
  package consuming func findSurvivors(_ process: (Int, Span<UInt8>) -> Void) {
    // The allocations here and in `removeOrphans`, including the list of removed keys while it grows.
    let room = 4 * (5 * keys.count + (1 + parents) * records.count)
    guard memory.grow(from: 0, to: room) else { return }
    /// The number of loadable records with each key.
    var alive = [UInt32](repeating: 0, count: keys.count)
    /// The start of each key's children among those of all keys.
    var starts = [UInt32](repeating: 0, count: keys.count + 1)
    for record in 0..<records.count {
      for key in ownKeys where ordinal(key, of: record) != Self.none {
        alive[Int(ordinal(key, of: record))] += 1
      }
      for parent in parentKeys where ordinal(parent, of: record) != Self.none {
        starts[Int(ordinal(parent, of: record))] += 1
      }
    }
    var sum: UInt32 = 0
    for key in starts.indices {
      sum += starts[key]
      starts[key] = sum
    }
    var children = [UInt32](repeating: 0, count: Int(sum))
    for record in 0..<records.count {
      for parent in parentKeys where ordinal(parent, of: record) != Self.none {
        let key = Int(ordinal(parent, of: record))
        starts[key] -= 1
        children[Int(starts[key])] = UInt32(record)
      }
    }
    removeOrphans(&alive, starts, children)
    keys.forEach { ordinal, key in
      guard alive[ordinal] > 0 else { return }
      let place = Int(key.word(at: 0, count: Self.placeBytes))
      process(place, key.extracting(Self.placeBytes..<key.count))
    }
  }

  /// Removes the records without a parent, and then their descendants.
  private func removeOrphans(_ alive: inout [UInt32], _ starts: [UInt32], _ children: [UInt32]) {
    var isAlive = [Bool](repeating: true, count: records.count)
    var gone: [UInt32] = []
    for key in alive.indices where alive[key] == 0 { gone.append(UInt32(key)) }
    while let ordinal = gone.popLast() {
      let key = Int(ordinal)
      for place in starts[key]..<starts[key + 1] {
        let child = Int(children[Int(place)])
        guard isAlive[child] else { continue }
        isAlive[child] = false
        for key in ownKeys {
          let own = self.ordinal(key, of: child)
          guard own != Self.none else { continue }
          alive[Int(own)] -= 1
          if alive[Int(own)] == 0 { gone.append(own) }
        }
      }
    }
  }

  private var ownKeys: Range<Int> { 0..<owned }
  private var parentKeys: Range<Int> { owned..<owned + parents }

  /// An ordinal of a record; two fit into a word.
  private func ordinal(_ place: Int, of record: Int) -> UInt32 {
    let word = records.word(place / 2, ofKey: record, bytes: 4 * (owned + parents))
    return UInt32(truncatingIfNeeded: word >> UInt64(32 * (place % 2)))
  }
}
