import Validation
import CSV

/// Sets of columns that are unique in the records read so far, with their values.
///
/// Only hashes of the values are kept, so two different values can collide: then a key is missed. A set of columns that
/// is not a key is never reported.
struct KeyCandidates {
  struct Candidate {
    let columns: [Int]
    var values: IntegerKeySet
  }

  private(set) var live: [Candidate]
  /// The candidates that were abandoned because they needed too much memory.
  private(set) var abandoned: [[Int]] = []
  private let fieldCount: Int
  private let limit: Int
  private let seed: HashSeed
  /// The columns of all candidates, whose hashes are needed.
  private var columns: [Int]
  private var hashes: [UInt64]

  /// Starts with `candidates`, the best first, whose values can use up to `limit` bytes.
  init(_ candidates: [[Int]], fieldCount: Int, limit: Int, seed: HashSeed) {
    // The limit is enforced here, where the worst candidate can be abandoned, and not by each set.
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

  /// Adds the records of a batch, and removes the candidates with a repeated or an empty value.
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

  /// Abandons the worst candidates until there is memory for `count` more values of the others.
  private mutating func makeRoom(for count: Int) {
    while bytesNeeded(for: count) > limit, let worst = live.popLast() {
      abandoned.append(worst.columns)
      columns = Self.columns(of: live)
    }
  }

  private static func columns(of candidates: [Candidate]) -> [Int] {
    Set(candidates.flatMap(\.columns)).sorted()
  }

  /// The memory needed: a set that grows exists twice for a moment.
  private func bytesNeeded(for count: Int) -> Int {
    let sizes = live.map { IntegerKeySet.bytes(for: $0.values.count + count) }
    return sizes.reduce(0, +) + (sizes.max() ?? 0) / 2
  }
}
