import Text

/// The differences between the samples of two nights, by the keys that both would have sampled.
package struct SampleChanges: Equatable, Sendable {
  /// The rows of the earlier sample.
  package var before = 0
  /// The keys that both have, and those of them with another value.
  package var (common, changed) = (0, 0)
  package var removed = Kind()
  package var added = Kind()
  /// For each column that can be compared, the keys with another value; of a counter, those whose value has moved far.
  package var columns: [String: Kind] = [:]

  package struct Kind: Equatable, Sendable {
    package fileprivate(set) var keys = 0
    package fileprivate(set) var examples: [NightDifference.Example] = []
    /// Whether the only example shows no difference, since that is where the values were cut.
    fileprivate var hasEmptyExample = false

    init(keys: Int = 0) { self.keys = keys }
  }

  /// The keys that are gone or have another value.
  package var lost: Int { removed.keys + changed }
}

extension SampleChanges.Kind {
  private static let mostExamples = 3

  /// Adds a key, without an example if that would show no difference, unless it is the first.
  mutating func add(_ example: () -> NightDifference.Example, isShown: Bool = true) {
    keys += 1
    if hasEmptyExample, isShown { examples.removeAll() }
    guard isShown || examples.isEmpty, examples.count < Self.mostExamples else { return }
    hasEmptyExample = !isShown
    examples.append(example())
  }
}

extension RowSample {
  /// The columns that both samples have with the same type, except the key.
  private func shared(with old: RowSample) -> [(old: Int, new: Int)] {
    columns.indices.compactMap { index in
      guard !columns[index].isKey else { return nil }
      return old.columns.firstIndex { $0 == columns[index] }.map { ($0, index) }
    }
  }

  /// The differences from an earlier sample; nil if the tables have different keys.
  ///
  /// `counters` are the columns whose values may move a little, and `new` those that had no value.
  ///
  /// - Complexity: one pass over both samples.
  package func changes(
    since old: RowSample, counters: Set<String> = [], new: Set<String> = []
  ) -> SampleChanges? {
    guard columns.filter(\.isKey) == old.columns.filter(\.isKey) else { return nil }
    var changes = SampleChanges()
    let shared = shared(with: old).filter { !new.contains(columns[$0.new].name) }
    for (_, index) in shared { changes.columns[columns[index].name] = .init() }
    let last = Swift.min(lastHash, old.lastHash)
    let known = old.rows.prefix { $0.hash <= last }
    changes.before = known.count
    var rest = Dictionary(uniqueKeysWithValues: known.map { ($0.hash, $0) })
    for row in rows.prefix(while: { $0.hash <= last }) {
      guard let before = rest.removeValue(forKey: row.hash) else {
        changes.added.add { .init(kind: .added, key: key(of: row)) }
        continue
      }
      changes.common += 1
      if columns != old.columns || old.bytes[before.place] != bytes[row.place] {
        compare(row, with: before, of: old, shared, counters, in: &changes)
      }
    }
    for row in known where rest[row.hash] != nil {
      changes.removed.add { .init(kind: .removed, key: old.key(of: row)) }
    }
    return changes
  }

  private func compare(
    _ row: Row, with oldRow: Row, of old: RowSample, _ shared: [(old: Int, new: Int)],
    _ counters: Set<String>, in changes: inout SampleChanges
  ) {
    let (before, after) = (old.values(of: oldRow), values(of: row))
    var isChanged = false
    for (oldIndex, index) in shared where before[oldIndex] != after[index] {
      isChanged = true
      let (old, new) = (before[oldIndex], after[index])
      if counters.contains(columns[index].name), !Self.isFar(old, new) { continue }
      changes.columns[columns[index].name]?.add(
        {
          .init(
            kind: .changed, key: key(of: row), before: Self.text(of: old), after: Self.text(of: new)
          )
        }, isShown: Self.uncut(old) != Self.uncut(new))
    }
    if isChanged { changes.changed += 1 }
  }

  /// A counter that moves by more than this number and this percentage of it has moved far.
  private static let (nearDifference, nearPercent) = (2.0, 5.0)

  private static func isFar(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
    let numbers = [old, new].map { Double(String(decoding: $0, as: UTF8.self)) }
    guard let before = numbers[0], let after = numbers[1] else { return true }
    return abs(after - before) > nearDifference + abs(before) * nearPercent / 100
  }

  /// The most common value of a column, and its number of rows; nil if it is NULL or the sample is empty.
  package func mostCommonValue(ofColumn index: Int) -> (value: ArraySlice<UInt8>, count: Int)? {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for row in rows { counts[values(of: row)[index], default: 0] += 1 }
    guard let most = counts.max(by: { $0.value < $1.value }), most.key.first != Self.null else {
      return nil
    }
    return (most.key, most.value)
  }

  /// The share of a value among those of the column with that name, in percent; 0 without the column.
  package func percent(of value: ArraySlice<UInt8>, inColumn name: String) -> Double {
    guard let index = columns.firstIndex(where: { $0.name == name }), !rows.isEmpty else {
      return 0
    }
    return Double(rows.count { values(of: $0)[index] == value } * 100) / Double(rows.count)
  }

  private func values(of row: Row) -> [ArraySlice<UInt8>] {
    bytes[row.place].split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
  }

  /// The values of a row's key.
  private func key(of row: Row) -> [String] {
    zip(columns, values(of: row)).filter(\.0.isKey).prefix(Self.mostKeys).map {
      Self.text(of: $1) ?? "NULL"
    }
  }

  /// The part of a value before the mark of a cut.
  private static func uncut(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    value.prefix { $0 != cut }
  }

  /// A value as it was, or its beginning; nil for NULL.
  package static func text(of value: ArraySlice<UInt8>) -> String? {
    let shown = uncut(value)
    return value.first == null
      ? nil : String(decoding: shown, as: UTF8.self) + (shown.count < value.count ? "…" : "")
  }
}
