import CSV
import SQLiteSwiftly

/// Finds the records of a table that refers to itself whose parents will be there, too.
///
/// A child may come before its parent, and a record without a parent leaves its own children without
/// one. So such a dump is read twice: once to note who refers to whom, and once to load. Memory is
/// proportional to what is different in that respect: a record that comes again takes none, and another
/// one about 100 bytes.
struct SelfReferenceSurvey {
  /// All keys that were named, of records and of parents; each is known by its ordinal.
  private var keys: TextKeySet
  /// The records, each as the ordinals of its own key and of its parents, `noParent` where there is none;
  /// all are of one size.
  private var records: TextKeySet
  private let memory: KeyMemory
  private var parents = 0
  /// The record that is being noted, and a number as bytes.
  private var record: [UInt8] = []
  private var number = [UInt8](repeating: 0, count: 8)

  private static let noParent = UInt32.max

  init(seed: HashSeed, memory: KeyMemory) {
    keys = TextKeySet(seed: seed, memory: memory)
    records = TextKeySet(seed: seed, memory: memory)
    self.memory = memory
  }

  /// Begins with a record; its own key comes next, and then its parents.
  mutating func begin() { record.removeAll(keepingCapacity: true) }

  /// Adds a number to the record.
  mutating func add(_ key: UInt64) {
    for index in 0..<8 { number[index] = UInt8(truncatingIfNeeded: key >> UInt64(8 * index)) }
    // Taken out while a span of it is held.
    let bytes = exchange(&number, with: [])
    append(keys.ordinalInserting(0..<8, of: bytes.span))
    number = bytes
  }

  /// Adds the text at `place` of `bytes` to the record.
  mutating func add(_ place: Range<Int>, of bytes: Span<UInt8>) {
    append(keys.ordinalInserting(place, of: bytes))
  }

  /// Adds nothing in the place of a parent.
  mutating func addNoParent() { append(nil) }

  private mutating func append(_ ordinal: Int?) {
    let number = ordinal.map { UInt32(truncatingIfNeeded: $0) } ?? Self.noParent
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      record.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Notes the record, which is sound but for its parents: these are not looked at yet.
  mutating func note() {
    parents = record.count / 4 - 1
    let bytes = exchange(&record, with: [])
    _ = records.insert(bytes.span)
    record = bytes
  }

  /// Finds the records that have all their parents, however far up.
  ///
  /// Without the memory that it takes there are none.
  ///
  /// - Parameter take: gets the key of each, in no order; of a number, its bytes.
  consuming func findSurvivors(_ take: (Span<UInt8>) -> Void) {
    // What is allocated here and in `bury`, with the list of the gone while it grows.
    let room = 4 * (5 * keys.count + (1 + parents) * records.count)
    guard memory.grow(from: 0, to: room) else { return }
    /// How many records with the key could still be loaded.
    var alive = [UInt32](repeating: 0, count: keys.count)
    /// For each key, where its children begin among those of all keys.
    var starts = [UInt32](repeating: 0, count: keys.count + 1)
    for record in 0..<records.count {
      alive[owner(of: record)] += 1
      for parent in 0..<parents {
        if let key = self.parent(parent, of: record) { starts[key] += 1 }
      }
    }
    var sum: UInt32 = 0
    for key in starts.indices {
      sum += starts[key]
      starts[key] = sum
    }
    var children = [UInt32](repeating: 0, count: Int(sum))
    for record in 0..<records.count {
      for parent in 0..<parents {
        guard let key = self.parent(parent, of: record) else { continue }
        starts[key] -= 1
        children[Int(starts[key])] = UInt32(record)
      }
    }
    bury(&alive, starts, children)
    keys.forEach { ordinal, key in
      if alive[ordinal] > 0 { take(key) }
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
        let owner = owner(of: child)
        alive[owner] -= 1
        if alive[owner] == 0 { gone.append(UInt32(owner)) }
      }
    }
  }

  private func owner(of record: Int) -> Int { Int(ordinal(0, of: record)) }

  private func parent(_ parent: Int, of record: Int) -> Int? {
    let ordinal = ordinal(parent + 1, of: record)
    return ordinal == Self.noParent ? nil : Int(ordinal)
  }

  /// An ordinal of a record; two fit into a word.
  private func ordinal(_ place: Int, of record: Int) -> UInt32 {
    let word = records.word(place / 2, ofKey: record, bytes: 4 * (parents + 1))
    return UInt32(truncatingIfNeeded: word >> UInt64(32 * (place % 2)))
  }
}

extension TableValidator {
  /// Notes the record that would be `row` in `survey`; `columns` are that of the primary key, and after
  /// it those that refer to it.
  func note(
    row: Int, of rows: borrowing RowBatch, _ columns: [Int],
    in survey: inout SelfReferenceSurvey, _ bytes: Span<UInt8>
  ) {
    survey.begin()
    for column in columns {
      let cell = row * rows.columns + column
      if rows.classes[cell] == RowBatch.StorageClass.null {
        survey.addNoParent()
      } else if rules[column].kind == .text {
        survey.add(text(column, row, of: rows), of: bytes)
      } else {
        survey.add(UInt64(bitPattern: rows.values[cell]))
      }
    }
    survey.note()
  }
}
