import Validation
import Facts
import SQLiteSwiftly

struct KeySearch {
  let table: UndescribedTable
  let others: [NameWords]
  let options: InferenceOptions

  /// With fewer records, a column without the name of a key is not chosen, since its values could differ by accident.
  private static let fewRecords = 20
  private static let manyRecords = 1000
  /// The number of columns that are combined, and the maximum number of columns in a key.
  private static let triedTogether = 8
  private static let maximumTogether = 4

  private static let sequenceWords: Set<String> = [
    "sequence", "seq", "position", "rank", "line", "ordinal", "index", "version",
  ]
  private static let partWords: Set<String> = [
    "type", "kind", "date", "day", "month", "year", "time", "is", "language", "lang",
  ]
  private static let quantityWords: Set<String> = [
    "name", "title", "description", "desc", "quantity", "count", "amount", "price", "total",
    "comment", "note", "url", "value",
  ]

  var singles: [[Int]] {
    let named = table.columns.indices.filter { table.columns[$0] != nil }
    return named.sorted { (-singleRank($0), $0) < (-singleRank($1), $1) }.map { [$0] }
  }

  /// How well the name of a column suits a key: from 0 to 3.
  private func singleRank(_ column: Int) -> Int {
    guard let words = table.columns[column]?.words, words.isKeyLike else { return 0 }
    if words.isKeyName(of: table.words) { return 3 }
    return isForeign(words) ? 1 : 2
  }

  private func isForeign(_ words: NameWords) -> Bool {
    others.contains { words.isNamedAfter($0) }
  }

  func chooseSingle(_ candidates: KeyCandidates, for surveyed: inout SurveyedTable) {
    let abandoned = candidates.abandoned.map { $0[0] }
    for column in abandoned where singleRank(column) > 1 && surveyed.columns[column].canBeKey {
      surveyed.doubts.append(unchecked([column], surveyed))
    }
    let unique = candidates.live.filter { surveyed.columns[$0.columns[0]].canBeKey }
    for candidate in unique where surveyed.records > 1 {
      surveyed.columns[candidate.columns[0]].words.append("unique")
    }
    guard
      let chosen = unique.first(where: { isEvidence($0.columns[0], surveyed) })
    else { return }
    let column = chosen.columns[0]
    let rank = singleRank(column)
    let isMuch = surveyed.records >= Self.manyRecords
    let confidence: Confidence =
      switch rank {
      case 3: surveyed.records < Self.fewRecords ? .medium : .high
      case 2: surveyed.records < Self.fewRecords ? .low : .high
      default: isMuch ? .medium : .low
      }
    surveyed.key = [column]
    surveyed.keyConfidence = confidence
    surveyed.columns[column].words.append("chosen as the key (confidence \(confidence.rawValue))")
  }

  private func isEvidence(_ column: Int, _ surveyed: SurveyedTable) -> Bool {
    switch singleRank(column) {
    case 3: surveyed.records > 0
    case 2: surveyed.records > 1
    case 1: surveyed.records >= Self.fewRecords
    // Numbers without the name of a key can all differ and be quantities.
    default:
      surveyed.records >= Self.fewRecords && (surveyed.columns[column].type == .text || column == 0)
    }
  }

  private static let uncheckedStart = "could not check whether "

  private func unchecked(_ columns: [Int], _ surveyed: SurveyedTable) -> String {
    let names = columns.map { surveyed.columns[$0].name }.joined(separator: ", ")
    return Self.uncheckedStart + "(\(names)) is a key: the values need more than "
      + "\((options.keyMemory >> 20).grouped) MiB of memory"
  }

  func chooseSeveral(for surveyed: inout SurveyedTable, limit: Int, seed: HashSeed)
    throws(IngestError)
  {
    guard surveyed.key.isEmpty, surveyed.records >= Self.fewRecords else { return }
    // A column that needs too much memory alone also does so with others.
    guard surveyed.doubts.allSatisfy({ !$0.hasPrefix(Self.uncheckedStart) }) else { return }
    let ranks = surveyed.columns.indices.map { memberRank($0, surveyed) }
    let tried = ranks.indices.filter { ranks[$0] > 0 }
      .sorted { (-ranks[$0], $0) < (-ranks[$1], $1) }.prefix(Self.triedTogether).sorted()
    for size in 2...Self.maximumTogether where size <= tried.count {
      let combinations = Self.combinations(of: size, tried[...]).sorted {
        let sums = ($0.map { ranks[$0] }.reduce(0, -), $1.map { ranks[$0] }.reduce(0, -))
        return sums.0 != sums.1 ? sums.0 < sums.1 : $0.lexicographicallyPrecedes($1)
      }
      var candidates = KeyCandidates(
        combinations, fieldCount: surveyed.columns.count, limit: limit, seed: seed)
      var scan = try surveyed.scan(recordLimit: options.recordLimit)
      try scan.forEachBatch { batch, first throws(IngestError) in
        candidates.add(batch, from: first)
        return !candidates.live.isEmpty
      }
      if let abandoned = candidates.abandoned.last, candidates.live.isEmpty {
        return surveyed.doubts.append(unchecked(abandoned, surveyed))
      }
      guard let key = candidates.live.first else { continue }
      return choose(key.columns, for: &surveyed)
    }
  }

  private func choose(_ key: [Int], for surveyed: inout SurveyedTable) {
    let confidence: Confidence = surveyed.records >= Self.manyRecords ? .high : .medium
    surveyed.key = key
    surveyed.keyConfidence = confidence
    let names = surveyed.keyNames.joined(separator: ", ")
    for column in key {
      surveyed.columns[column].words.append(
        "(\(names)) is unique, so chosen as the key (confidence \(confidence.rawValue))")
    }
  }

  private func memberRank(_ column: Int, _ surveyed: SurveyedTable) -> Int {
    guard let words = table.columns[column]?.words, surveyed.columns[column].canBeKey else {
      return 0
    }
    if words.contains(anyOf: Self.quantityWords) { return 0 }
    if words.contains(anyOf: Self.sequenceWords) { return 4 }
    if words.isKeyLike || isForeign(words) { return 3 }
    return words.contains(anyOf: Self.partWords) ? 2 : 1
  }

  private static func combinations(of size: Int, _ columns: ArraySlice<Int>) -> [[Int]] {
    guard size > 0 else { return [[]] }
    guard let first = columns.first else { return [] }
    return combinations(of: size - 1, columns.dropFirst()).map { [first] + $0 }
      + combinations(of: size, columns.dropFirst())
  }
}
