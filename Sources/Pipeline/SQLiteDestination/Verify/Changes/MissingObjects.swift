package import Facts

/// What is in the catalog that is replaced and not in the new one: views, indexes, triggers, tables and
/// columns that somebody has added, or that the schema had before.
package struct MissingObjects {
  private static let named = 20

  /// Each as its kind and name: `view sets_by_year`, `column sets.note`.
  private let objects: [String]
  /// Those that an operator's own SQL made, with the names of its files.
  private let made: [(object: SchemaObject, file: String)]

  /// Takes what a catalog has and a new one has not; `made` is what an operator's own SQL made of it.
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

  /// Warnings that name them; empty if there are none.
  package func warnings(of catalog: String) -> [Warning] {
    let made = made.map { "\($0.object.words) (\($0.file))" }
    return [
      warning(of: catalog, objects) {
        "the catalog that is replaced has what the new one does not have: \($0)"
      },
      warning(of: catalog, made) {
        "the SQL of an earlier run made what the new catalog does not have: \($0); "
          + "to keep it, give the files in brackets to --sql in each run"
      },
    ].compactMap(\.self)
  }

  private func warning(
    of catalog: String, _ objects: [String], _ message: (String) -> String
  ) -> Warning? {
    guard !objects.isEmpty else { return nil }
    let more = objects.count > Self.named ? " and \(objects.count - Self.named) more" : ""
    let list = objects.prefix(Self.named).map(\.escapedForMessage).joined(separator: ", ") + more
    return Warning(file: catalog, code: .objectsLost, message(list), facts: list)
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
