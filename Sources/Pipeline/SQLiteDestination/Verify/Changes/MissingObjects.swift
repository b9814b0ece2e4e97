package import Facts
package import SQLiteSwiftly
package import Schema

/// What is in the catalogue that is replaced and not in the new one: views, indexes, triggers, tables and
/// columns that somebody has added, or that the schema had before.
package struct MissingObjects {
  /// The most that are named.
  private static let named = 20

  /// Each as its kind and name: `view sets_by_year`, `column sets.note`.
  private let objects: [String]
  /// Those that an operator's own SQL made, with the names of its files.
  private let made: [(object: SchemaObject, file: String)]

  /// Takes what a catalogue has and a new one has not.
  ///
  /// - Parameters:
  ///   - lost: its objects.
  ///   - made: what an operator's own SQL made of it.
  ///   - tables: the tables of both.
  package init(
    _ lost: [SchemaObject], made: [(object: SchemaObject, file: String)], _ tables: [TablePair]
  ) {
    let sources = Dictionary(made.map { ($0.object.bytes, $0.file) }, uniquingKeysWith: { $1 })
    let inOldOrder = tables.sorted { ($0.oldPlace ?? 0) < ($1.oldPlace ?? 0) }
    let columns = inOldOrder.flatMap { table in
      table.removedColumns.map { "column \(table.name).\($0)" }
    }
    objects = lost.filter { sources[$0.bytes] == nil }.map(\.words) + columns
    self.made = lost.compactMap { object in sources[object.bytes].map { (object, $0) } }
  }

  /// What a server says that one schema has and another has not.
  package init(_ objects: [String]) { (self.objects, made) = (objects, []) }

  /// Notices that name them; empty if there are none.
  package func notices(of catalog: String) -> [Notice] {
    var notices: [Notice] = []
    if !objects.isEmpty {
      notices.append(
        Notice(
          file: catalog, code: .objectsLost,
          "the catalogue that is replaced has what the new one does not have: "
            + Self.list(objects), facts: Self.list(objects)))
    }
    if !made.isEmpty {
      let words = made.map { "\($0.object.words) (\($0.file))" }
      notices.append(
        Notice(
          file: catalog, code: .objectsLost,
          "the SQL of an earlier run made what the new catalogue does not have: \(Self.list(words)); "
            + "to keep it, give the files in brackets to --sql in each run",
          facts: Self.list(words)))
    }
    return notices
  }

  private static func list(_ objects: [String]) -> String {
    let more = objects.count > named ? " and \(objects.count - named) more" : ""
    return objects.prefix(named).map(\.escapedForMessage).joined(separator: ", ") + more
  }
}

extension Connection {
  /// The tables, views, indexes and triggers of the main database; those of SQLite's own and of a search apart,
  /// and those that a virtual table has made for itself.
  package func objects(besides search: SearchDescription?) throws(SQLiteError) -> [SchemaObject] {
    let derived = search.map { [$0.name] + $0.tableNames } ?? []
    return try StoredObject.all(in: self, withShadows: false).map(\.object)
      .filter { !derived.hasName($0.name) }
  }
}

extension [SchemaObject] {
  /// Those that are not among `others`.
  package func besides(_ others: [SchemaObject]) -> [SchemaObject] {
    let known = Set(others.map(\.bytes))
    return filter { !known.contains($0.bytes) }
  }
}

extension SchemaObject {
  /// What is compared: texts can be equal although their bytes differ.
  fileprivate var bytes: [UInt8] { Array(words.utf8) }

  fileprivate var words: String { "\(type) \(name)" }
}
