/// The names of the tables and columns of a family, by the words in which related names agree.
///
/// Comparing only those keeps the work for a family proportional to its size.
struct FamilyNames {
  typealias Place = (table: Int, column: Int)

  private let tables: [UndescribedTable]
  private var tablesByWords: [ArraySlice<String>: [Int]] = [:]
  /// The tables by the stems of their last words.
  private var tablesByStem: [Substring: [Int]] = [:]
  /// The columns by the stems of their last words, with and without that of a key.
  private var columnsByStem: [Substring: [Place]] = [:]
  /// The columns by each run of last words.
  private var columnsByEnd: [ArraySlice<String>: [Place]] = [:]
  let hasReferenceLike: Bool

  init(_ tables: [UndescribedTable]) {
    self.tables = tables
    hasReferenceLike = tables.contains { $0.columns.contains { $0?.isReferenceLike == true } }
    for (index, table) in tables.enumerated() {
      tablesByWords[table.words.words[...], default: []].append(index)
      tablesByStem[Self.stem(table.words.words[...]), default: []].append(index)
      for (column, words) in table.columns.enumerated() {
        guard let words else { continue }
        for stem in Set([Self.stem(words.words[...]), Self.stem(words.subject)]) {
          columnsByStem[stem, default: []].append((index, column))
        }
        for start in words.words.indices {
          columnsByEnd[words.words[start...], default: []].append((index, column))
        }
      }
    }
  }

  /// What a word has in common with its abbreviations.
  private static func stem(_ words: ArraySlice<String>) -> Substring {
    words.last?.prefix(NameWords.leastAbbreviation) ?? ""
  }

  /// The other tables than `table` after which a column may be named.
  func tables(near column: NameWords, besides table: Int) -> [NameWords] {
    (tablesByStem[Self.stem(column.subject)] ?? []).filter { $0 != table }.map { tables[$0].words }
  }

  /// The columns of the tables whose name begins that of `table`.
  func columnsOfWhole(of table: Int) -> [NameWords] {
    let words = tables[table].words.words
    let wholes = words.indices.dropFirst().flatMap { tablesByWords[words[..<$0]] ?? [] }
    return wholes.flatMap { tables[$0].columns.compactMap(\.self) }
  }

  /// The columns whose names may suit a reference to the key of `parent`.
  func columns(near key: Int, of parent: Int) -> [Place] {
    guard let words = tables[parent].columns[key] else { return [] }
    let own = tables[parent].columns.indices.map { (table: parent, column: $0) }
    let named = words.isOwnName ? columnsByEnd[words.words[...]] ?? [] : []
    let others = named + (columnsByStem[Self.stem(tables[parent].words.words[...])] ?? [])
    return own + others.filter { $0.table != parent }
  }
}
