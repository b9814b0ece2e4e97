import Vocabulary
import Schema
import SourceFiles
import Validation
import CSV
import SQLiteSwiftly

/// Finds columns whose names suggest a reference to a table, and whose values are all keys of it, by their hashes:
/// another value passes with a probability of the number of keys divided by 2^64.
struct ReferenceSearch {
  struct Candidate {
    let column: Int
    let parent: Int
    let fit: Double
    /// The line of the first value that is not a key; nil if there is none.
    var firstMissing: Int?
    var values = 0
    /// Whether a value is not the key of its own record, as in a second name of the key.
    var isOfOthers = false
  }

  let tables: [SurveyedTable]
  let seed: HashSeed

  private static let goodFit = 0.8
  private static let manyValues = 100

  /// The candidates of each table.
  var candidates: [[Candidate]] {
    let names = FamilyNames(tables.map(\.undescribed))
    let references = tables.indices.flatMap { table in
      tables[table].undescribed.columns.enumerated()
        .filter { $1?.isReferenceLike == true }.map { (table: table, column: $0.offset) }
    }
    var found = tables.map { _ in [Candidate]() }
    for parent in tables.indices where tables[parent].keyValues != nil {
      guard let key = tables[parent].singleKey else { continue }
      var seen: Set<Int> = []
      let others = tables[parent].records < Self.manyKeys ? [] : references
      for (table, column) in names.columns(near: key, of: parent) + others
      where seen.insert(table << 32 | column).inserted
        && tables[table].columns[column].type != .real
      {
        let fit = fit(of: column, in: table, to: parent)
        if fit > 0 { found[table].append(Candidate(column: column, parent: parent, fit: fit)) }
      }
    }
    return found.map { candidates in
      candidates.sorted { ($0.column, -$0.fit, $0.parent) < ($1.column, -$1.fit, $1.parent) }
    }
  }

  private func fit(of column: Int, in table: Int, to parent: Int) -> Double {
    guard let words = tables[table].undescribed.columns[column],
      let key = tables[parent].singleKey, tables[parent].keyValues != nil,
      let keyWords = tables[parent].undescribed.columns[key],
      table != parent || column != key, !tables[table].undescribed.dialect.headerRows.isEmpty
    else { return 0 }
    if tables[table].key == [column], words.subject.elementsEqual(tables[table].words.words) {
      return 0
    }
    // Row numbers of two tables have the same name.
    let isNumber =
      tables[table].unique.contains(column) && tables[table].columns[column].type == .integer
    let isNamedAfterParent = tables[parent].words.words.contains(where: keyWords.words.contains)
    if isNumber || tables[table].key == [column], words.words == keyWords.words,
      !isNamedAfterParent || isNumber && words.isKeyName(of: tables[table].words)
    {
      return 0
    }
    let fit = words.fit(
      in: tables[table].words, to: keyWords, of: tables[parent].words, isSelf: table == parent)
    return fit == 0 && isOfValues(column, in: table, words, to: key, of: parent)
      ? Self.fitOfValues : fit
  }

  /// Whether the values alone would be evidence, in a column that is named like a reference to some table: texts, or
  /// integers of which it is unlikely that all are keys by chance.
  private func isOfValues(
    _ column: Int, in table: Int, _ words: NameWords, to key: Int, of parent: Int
  ) -> Bool {
    let (child, keys) = (tables[table].columns[column], tables[parent].columns[key])
    guard words.isReferenceLike, child.type == keys.type, tables[parent].records >= Self.manyKeys
    else { return false }
    guard child.type == .integer else { return child.type == .text }
    let distinct = child.survey.sample.distinct
    guard let range = keys.range, let childRange = child.range, distinct >= Self.manyKeys,
      childRange >= range / 2
    else { return false }
    let density = Double(tables[parent].records) / range
    // Row numbers are as dense as any, and any number is one of them.
    return density > Self.leastDensity && density < 1
      && (0..<distinct).reduce(1.0) { chance, _ in chance * density } < Self.unlikely
  }

  /// How well a column fits only because of its values.
  static let fitOfValues = 0.5
  private static let manyKeys = 20
  private static let unlikely = 1e-6
  /// With a lower density, the keys may be a few dense blocks of IDs, and then every ID of another table is also a key.
  private static let leastDensity = 0.25

  func check(
    _ candidates: [Candidate], of table: SurveyedTable
  ) throws(IngestError) -> [Candidate] {
    guard !candidates.isEmpty else { return [] }
    var checked = candidates
    let fieldCount = table.columns.count
    var scan = try table.scan()
    try scan.forEachBatch { batch, first throws(IngestError) in
      for record in batch.records[first...] where record.isSound(fieldCount: fieldCount) {
        for index in checked.indices where checked[index].firstMissing == nil {
          check(record, of: batch, table, &checked[index])
        }
      }
      return checked.contains { $0.firstMissing == nil }
    }
    return checked
  }

  private func check(
    _ record: Record, of batch: borrowing RecordBatch, _ table: SurveyedTable,
    _ candidate: inout Candidate
  ) {
    let place = batch.place(candidate.column, of: record)
    if place.isEmpty { return }
    let bytes = batch.bytes.span
    let hash = seed.hash(place, of: bytes)
    if tables[candidate.parent].keyValues?.ordinal(of: hash) == nil {
      if let word = MissingWords.index(place, of: bytes),
        table.columns[candidate.column].format.missingValues.contains(MissingWords.all[word])
      {
        return
      }
      candidate.firstMissing = record.line
    }
    candidate.values += 1
    if let key = tables[candidate.parent].singleKey, !candidate.isOfOthers {
      candidate.isOfOthers =
        tables[candidate.parent].name != table.name
        || seed.hash(batch.place(key, of: record), of: bytes) != hash
    }
  }

  static func confidence(of candidate: Candidate) -> Confidence {
    switch (candidate.fit >= goodFit, candidate.values >= manyValues) {
    case (true, true): .high
    case (false, false): .low
    default: .medium
    }
  }
}
