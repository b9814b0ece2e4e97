import Validation
import CSV

/// Sets of columns that no two records of a table share so far, with the values of each.
///
/// Of the values only hashes are kept, so two that differ can be taken for one: then a key is not found.
/// One that is none is never found.
struct KeyCandidates {
  struct Candidate {
    let columns: [Int]
    var values: IntegerKeySet
  }

  private(set) var live: [Candidate]
  /// Those that were given up because they took too much memory.
  private(set) var givenUp: [[Int]] = []
  private let fieldCount: Int
  private let limit: Int
  private let seed: HashSeed
  /// The columns of any candidate, whose hashes are needed.
  private var columns: [Int]
  private var hashes: [UInt64]

  /// Begins with some candidates, the best first, whose values may take so many bytes.
  init(_ candidates: [[Int]], fieldCount: Int, limit: Int, seed: HashSeed) {
    // The limit is kept here, where the worst candidate can be given up, and not by a set alone.
    let memory = KeyMemory(limit: .max)
    live = candidates.map {
      Candidate(columns: $0, values: IntegerKeySet(seed: seed, memory: memory))
    }
    columns = Self.columns(of: live)
    hashes = [UInt64](repeating: 0, count: fieldCount)
    self.fieldCount = fieldCount
    self.limit = limit
    self.seed = seed
  }

  /// Takes in the records of a batch; candidates of which two records are alike are gone, and those of which a value
  /// is empty.
  mutating func add(_ batch: borrowing RecordBatch, from first: Int) {
    makeRoom(for: batch.records.count)
    for record in batch.records[first...] where record.isSound(fieldCount: fieldCount) {
      guard !live.isEmpty else { return }
      for column in columns {
        hashes[column] = seed.hash(batch.place(column, of: record), of: batch.bytes.span)
      }
      var index = 0
      while index < live.count {
        let columns = live[index].columns
        let isMissing = columns.contains { batch.place($0, of: record).isEmpty }
        if !isMissing, live[index].values.insert(seed.hash(hashes, of: columns)) {
          index += 1
        } else {
          live.remove(at: index)
          self.columns = Self.columns(of: live)
        }
      }
    }
  }

  /// Gives up the worst candidates until there is room for so many more values of the others.
  private mutating func makeRoom(for count: Int) {
    while bytesNeeded(for: count) > limit, let worst = live.popLast() {
      givenUp.append(worst.columns)
      columns = Self.columns(of: live)
    }
  }

  private static func columns(of candidates: [Candidate]) -> [Int] {
    Set(candidates.flatMap(\.columns)).sorted()
  }

  /// A set that grows is there twice for a moment.
  private func bytesNeeded(for count: Int) -> Int {
    let sizes = live.map { IntegerKeySet.bytes(for: $0.values.count + count) }
    return sizes.reduce(0, +) + (sizes.max() ?? 0) / 2
  }
}
