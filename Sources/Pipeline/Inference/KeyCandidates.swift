import Validation
import CSV

/// Sets of columns that are unique in the records read so far, with the hashes of their values: a collision can hide a
/// key, but never report a wrong one.
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

// Two values collide with a probability of 1 in 2^64; the seed is random for each run.
extension HashSeed {
  func hash(_ place: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
    var hash = self.hash(of: UInt64(place.count))
    for start in stride(from: place.lowerBound, to: place.upperBound, by: 8) {
      let count = min(8, place.upperBound - start)
      hash = Self.fold(hash ^ bytes.word(at: start, count: count), second)
    }
    return hash
  }

  func hash(_ hashes: [UInt64], of columns: [Int]) -> UInt64 {
    guard columns.count > 1 else { return hashes[columns[0]] }
    var hash = first
    for column in columns { hash = Self.fold(hash ^ hashes[column], third) }
    return hash
  }
}
