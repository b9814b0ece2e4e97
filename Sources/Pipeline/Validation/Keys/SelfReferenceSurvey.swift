/// Finds the records of a table that refers to itself whose parents will be there, too.
///
/// A child may come before its parent, and a record without a parent leaves its own children without
/// one. So such a dump is read twice: once to note who refers to whom, and once to load. Memory is
/// proportional to what is different in that respect: a record that comes again takes none, and another
/// one about 100 bytes.
package struct SelfReferenceSurvey {
  /// All keys that were named, of records and of parents; each is known by its ordinal.
  ///
  /// Before the bytes of a key are those of a number that says which columns it is the key of.
  private var keys: TextKeySet
  /// The records, each as the ordinals of its own keys and of its parents, `none` where there is none; all
  /// are of one size.
  private var records: TextKeySet
  private let memory: KeyMemory
  private let (owned, parents): (Int, Int)
  /// The record that is being noted, and a key of it.
  private var record: [UInt8] = []
  private var key: [UInt8] = []

  private static let none = UInt32.max
  private static let placeBytes = 4

  /// Begins with a table whose records can be referred to by that many keys, and refer to others by that
  /// many foreign keys.
  package init(owned: Int, parents: Int, seed: HashSeed, memory: KeyMemory) {
    (self.owned, self.parents) = (owned, parents)
    keys = TextKeySet(seed: seed, memory: memory)
    records = TextKeySet(seed: seed, memory: memory)
    self.memory = memory
  }

  /// Begins with a record; its own keys come next, and then its parents.
  package mutating func begin() { record.removeAll(keepingCapacity: true) }

  /// Adds a key of the record or of a parent; `place` says which columns it is of.
  package mutating func add(_ bytes: Span<UInt8>, of place: Int) {
    // Taken out while a span of it is held.
    var key = exchange(&self.key, with: [])
    key.removeAll(keepingCapacity: true)
    key.append(number: UInt32(truncatingIfNeeded: place))
    for index in bytes.indices { key.append(bytes[index]) }
    let ordinal = keys.ordinalInserting(0..<key.count, of: key.span)
    record.append(number: ordinal.map { UInt32(truncatingIfNeeded: $0) } ?? Self.none)
    self.key = key
  }

  mutating func addNone() { record.append(number: Self.none) }

  /// Notes the record, which is sound but for its parents: these are not looked at yet.
  package mutating func note() {
    let bytes = exchange(&record, with: [])
    _ = records.insert(bytes.span)
    record = bytes
  }

  /// Finds the records that have all their parents, however far up.
  ///
  /// Without the memory that it takes there are none.
  ///
  /// - Parameter take: gets each of their keys, in no order, and which columns it is of; of a number, its
  ///   bytes.
  package consuming func findSurvivors(_ take: (Int, Span<UInt8>) -> Void) {
    // What is allocated here and in `bury`, with the list of the gone while it grows.
    let room = 4 * (5 * keys.count + (1 + parents) * records.count)
    guard memory.grow(from: 0, to: room) else { return }
    /// How many records with the key could still be loaded.
    var alive = [UInt32](repeating: 0, count: keys.count)
    /// For each key, where its children begin among those of all keys.
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
    bury(&alive, starts, children)
    keys.forEach { ordinal, key in
      guard alive[ordinal] > 0 else { return }
      let place = Int(key.word(at: 0, count: Self.placeBytes))
      take(place, key.extracting(Self.placeBytes..<key.count))
    }
  }

  /// Takes away the records that lack a parent, and then those that lack them.
  private func bury(_ alive: inout [UInt32], _ starts: [UInt32], _ children: [UInt32]) {
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
