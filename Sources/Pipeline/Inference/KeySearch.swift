import CSV
import Fields
import Text
import SQLiteSwiftly
import SourceFiles
import Validation
import Vocabulary

struct KeySearch {
  let table: UndescribedTable
  /// The other tables after which a column may be named.
  let others: (NameWords) -> [NameWords]
  /// The columns of the tables whose name begins that of this one, as `calendar` that of `calendar_dates`.
  let columnsOfWhole: [NameWords]
  let options: InferenceOptions

  /// With fewer records, a column without the name of a key is not chosen, since its values could differ by accident.
  private static let fewRecords = 20
  private static let severalRecords = 1000
  private static let manyRecords = 1000
  /// The number of columns that are combined, and the maximum number of columns in a key.
  private static let triedTogether = 8
  private static let maximumTogether = 4
  /// If a combination of columns were not a key, more pairs of records would have equal values by chance.
  private static let expectedEqual = 100.0

  private static let sequenceWords: Set<String> = [
    "sequence", "seq", "position", "rank", "line", "ordinal", "index", "version", "slot", "step",
  ]
  private static let partWords: Set<String> = [
    "type", "kind", "date", "day", "month", "year", "time", "is", "language", "lang",
  ]
  private static let quantityWords: Set<String> = [
    "name", "title", "label", "description", "desc", "quantity", "count", "amount", "price",
    "total",
    "comment", "note", "url", "value",
  ]

  var singles: [[Int]] {
    let named = table.columns.indices.filter { table.columns[$0] != nil }
    let order = named.map { (-preference($0), $0) }.sorted { $0 < $1 }
    return order.map { [$0.1] }
  }

  /// How well name and place of a column suit a key: a first column comes before those of other names.
  private func preference(_ column: Int) -> Int {
    let rank = singleRank(column)
    return column == 0 && rank > 0 ? max(rank, 2) : rank
  }

  /// How well the name of a column suits a key: from 0 to 3.
  private func singleRank(_ column: Int) -> Int {
    guard let words = table.columns[column], words.isKeyLike else { return 0 }
    if words.isKeyName(of: table.words), !isOfShorterName(words) { return 3 }
    return isForeign(words) ? 1 : 2
  }

  /// Whether a column of `episode_warriors` is rather named after the table `warriors`.
  private func isOfShorterName(_ words: NameWords) -> Bool {
    !words.subject.isEmpty
      && others(words).contains {
        $0.words.count < table.words.words.count && words.isKeyName(of: $0)
      }
  }

  private func isForeign(_ words: NameWords) -> Bool {
    others(words).contains { words.isNamedAfter($0) }
  }

  /// Whether a column is rather the key of the table whose name begins that of this one.
  private func isOfWhole(_ column: Int) -> Bool {
    guard let words = table.columns[column] else { return false }
    return words.isReferenceLike && columnsOfWhole.contains { $0.words == words.words }
  }

  func chooseSingle(_ candidates: KeyCandidates, for surveyed: inout SurveyedTable) {
    let abandoned = candidates.abandoned.map { $0[0] }
    for column in abandoned where singleRank(column) > 1 && surveyed.columns[column].canBeKey {
      surveyed.doubts.append(uncheckedKey([column], surveyed))
    }
    let unique = candidates.live.filter { surveyed.columns[$0.columns[0]].canBeKey }
    let foreign = table.columns.compactMap(\.self).filter { $0.isKeyLike && isForeign($0) }
    let isLink = foreign.contains { first in
      foreign.contains { table.words.words.elementsEqual(first.subject + $0.subject) }
    }
    let hasPart = surveyed.columns.indices.contains { column in
      singleRank(column) == 0 && (2...).contains(memberRank(column, surveyed))
    }
    surveyed.unique = Set(candidates.live.map { $0.columns[0] })
    for candidate in unique where surveyed.records > 1 {
      surveyed.columns[candidate.columns[0]].words.append("unique")
    }
    let columns = unique.map { $0.columns[0] }
    let isOpen = hasConstantDimension(surveyed)
    let column = columns.first { column in
      // With other parts of a key beside it, a reference to another table is rather one of several.
      isEvidence(column, surveyed) && (!isOpen || singleRank(column) > 1)
        && (surveyed.records >= Self.fewRecords || !isOfWhole(column))
        && (singleRank(column) != 1 || column == 0 && !isLink
          || foreign.count == 1 && (!hasPart || surveyed.records >= Self.severalRecords))
    }
    guard let column else { return }
    let confidence = confidence(inSingle: column, surveyed.records)
    surveyed.choose([column], confidence, "")
  }

  private func confidence(inSingle column: Int, _ records: Int) -> Confidence {
    switch singleRank(column) {
    case 3: records < Self.fewRecords ? .medium : .high
    case 2: records < Self.fewRecords ? .low : .high
    default: records < Self.manyRecords ? .low : .medium
    }
  }

  private func isEvidence(_ column: Int, _ surveyed: SurveyedTable) -> Bool {
    switch singleRank(column) {
    case 3: surveyed.records > 0
    case 2: surveyed.records > 1
    // Values of other columns can all differ by chance, at least so far, and those of labels do not have to.
    default:
      surveyed.records >= Self.fewRecords && column == 0
        && table.columns[column]?.contains(anyOf: Self.quantityWords) == false
        && !surveyed.columns[column].isOfPhrases
    }
  }

  /// Whether the first column identifies the records so far, and be it by a name.
  private func hasUniqueName(_ surveyed: SurveyedTable) -> Bool {
    surveyed.unique.contains(0) && surveyed.columns[0].canBeKey
      && surveyed.columns[0].type == .text && table.columns[0].map { !isForeign($0) } == true
  }

  /// Whether all records so far have the same date, kind or parent: others may not, and then a key would lack it.
  private func hasConstantDimension(_ surveyed: SurveyedTable) -> Bool {
    surveyed.columns.indices.contains { column in
      guard surveyed.columns[column].isConstant, let words = table.columns[column] else {
        return false
      }
      return words.isKeyLike || isForeign(words)
        || words.contains(anyOf: Self.partWords.union(Self.sequenceWords))
    }
  }

  private func uncheckedKey(_ columns: [Int], _ surveyed: SurveyedTable) -> Doubt {
    .uncheckedKey(columns.map { surveyed.columns[$0].name }, memory: options.keyMemory)
  }

  func chooseSeveral(
    for surveyed: inout SurveyedTable, limit: Int, seed: HashSeed
  ) throws(IngestError) {
    guard surveyed.key.isEmpty, surveyed.records >= Self.fewRecords,
      !hasConstantDimension(surveyed), !hasUniqueName(surveyed)
    else { return }
    // A column that needs too much memory alone also does so with others.
    guard !surveyed.doubts.contains(where: \.isUncheckedKey) else { return }
    let ranks = surveyed.columns.indices.map { memberRank($0, surveyed) }
    let tried = ranks.indices.filter { ranks[$0] > 0 }
      .sorted { (-ranks[$0], $0) < (-ranks[$1], $1) }.prefix(Self.triedTogether).sorted()
    for size in 2...Self.maximumTogether where size <= tried.count {
      let combinations = Self.combinations(of: size, tried[...]).sorted {
        let sums = ($0.map { ranks[$0] }.reduce(0, -), $1.map { ranks[$0] }.reduce(0, -))
        // A key begins with the first column rather than not.
        if $0.contains(0) != $1.contains(0) { return $0.contains(0) }
        return sums.0 != sums.1 ? sums.0 < sums.1 : $0.lexicographicallyPrecedes($1)
      }
      var candidates = KeyCandidates(
        combinations, fieldCount: surveyed.columns.count, limit: limit, seed: seed)
      var scan = try surveyed.scan()
      try scan.forEachBatch { batch, first throws(IngestError) in
        candidates.add(batch, from: first)
        return !candidates.live.isEmpty
      }
      if let abandoned = candidates.abandoned.last, candidates.live.isEmpty {
        return surveyed.doubts.append(uncheckedKey(abandoned, surveyed))
      }
      let key = candidates.live.first {
        isNamed($0.columns, ranks) || isEvidence($0.columns, surveyed)
      }
      guard let key else { continue }
      let names = key.columns.map { surveyed.columns[$0].name }.joined(separator: ", ")
      return surveyed.choose(
        key.columns, surveyed.records >= Self.manyRecords ? .high : .medium,
        "(\(names)) is unique, so ")
    }
  }

  /// Whether columns are named like a key together: with all key-like columns, or with a place in a sequence.
  private func isNamed(_ columns: [Int], _ ranks: [Int]) -> Bool {
    let isSequence = columns.contains { ranks[$0] == 4 } && columns.allSatisfy { ranks[$0] > 2 }
    let keyLike = ranks.indices.filter { ranks[$0] == 3 }
    return isSequence || !keyLike.isEmpty && Set(columns).isSuperset(of: keyLike)
  }

  /// Whether it is not by chance that no two records have the same values in some columns.
  private func isEvidence(_ columns: [Int], _ surveyed: SurveyedTable) -> Bool {
    let records = Double(surveyed.records)
    let equal = columns.reduce(records * (records - 1) / 2) {
      $0 * surveyed.columns[$1].survey.sample.equalPairs
    }
    return equal >= Self.expectedEqual
  }

  private func memberRank(_ column: Int, _ surveyed: SurveyedTable) -> Int {
    guard let words = table.columns[column], surveyed.columns[column].canBeKey else { return 0 }
    // Any combination with a unique column is unique, so that shows nothing. The keys of link tables are an exception.
    guard !surveyed.unique.contains(column) || isForeign(words) else { return 0 }
    let conclusion = surveyed.columns[column]
    if words.contains(anyOf: Self.quantityWords) || words.isOfMeasures || conclusion.isConstant {
      return 0
    }
    if words.contains(anyOf: Self.sequenceWords) { return 4 }
    if words.isKeyLike || isForeign(words) { return 3 }
    if words.contains(anyOf: Self.partWords) { return 2 }
    // Other numbers are measures.
    return conclusion.type == .integer || conclusion.isOfPhrases ? 0 : 1
  }

  private static func combinations(of size: Int, _ columns: ArraySlice<Int>) -> [[Int]] {
    guard size > 0 else { return [[]] }
    guard let first = columns.first else { return [] }
    return combinations(of: size - 1, columns.dropFirst()).map { [first] + $0 }
      + combinations(of: size, columns.dropFirst())
  }
}

extension SurveyedTable {
  fileprivate mutating func choose(_ key: [Int], _ confidence: Confidence, _ reason: String) {
    self.key = key
    keyConfidence = confidence
    for column in key {
      columns[column].words.append("\(reason)chosen as the key (confidence \(confidence.rawValue))")
    }
  }
}

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
  func hash(_ hashes: [UInt64], of columns: [Int]) -> UInt64 {
    guard columns.count > 1 else { return hashes[columns[0]] }
    var hash = first
    for column in columns { hash = (hash ^ hashes[column]).foldedProduct(third) }
    return hash
  }
}
