import SQLiteFormat
import SQLiteSwiftly
package import Schema

/// The words of some queries.
///
/// A query reads a table or a view only if it has all words of its name. The converse costs only time.
struct QueryWords {
  private let words: Set<ArraySlice<UInt8>>
  /// Whether a query may read the definitions of tables.
  private let nameDefinitions: Bool

  init(_ queries: [SQL]) {
    words = Set(queries.flatMap { Self.words(of: $0.text) })
    nameDefinitions = words.contains { word in
      ["sqlite_", "pragma_"].contains { word.starts(with: $0.utf8) }
    }
  }

  func mayName(_ name: String) -> Bool {
    nameDefinitions || words.isSuperset(of: Self.words(of: name))
  }

  /// What is between the spaces and signs of a query or a name.
  private static func words(of text: String) -> [ArraySlice<UInt8>] {
    foldedName(text).split {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), 0x80...:
        false
      default: true
      }
    }
  }
}

extension SchemaDescription {
  /// For each table, whether the index of its primary key is loaded like the other indexes, instead of being updated by
  /// SQLite for each row.
  ///
  /// Such an index exists only at the end, too late for key unions, derived tables and the search.
  package var loadedKeys: [Bool] {
    let words = QueryWords(derivingQueries + (search?.entries ?? []))
    let readsView = views.contains { words.mayName($0.name) }
    let members = keyUnions.flatMap { $0.members.map(\.table) }
    return tables.map { table in
      KeyIndex(of: table) != nil && !readsView && !members.hasName(table.name)
        && !words.mayName(table.name)
    }
  }

  /// Whether the derived tables, or what the computation of statistics needs, may be read from key unions.
  var readsUnions: Bool {
    let words = QueryWords(derivingQueries)
    return keyUnions.contains { words.mayName($0.table.name) }
  }

  /// Whether a search reads neither derived tables nor views.
  func readsOnlySources(_ search: SearchDescription) -> Bool {
    let words = QueryWords(search.entries)
    return !(allDerivedTables.map(\.name) + views.map(\.name)).contains(where: words.mayName)
  }

  private var derivingQueries: [SQL] {
    derivedTables.map(\.query) + [statistics?.contents.source].compactMap(\.self)
  }
}
