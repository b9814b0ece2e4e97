package import Vocabulary
import Text

/// The objects of the previous database that the new one lacks: views, indexes, triggers, tables and columns that were
/// added to it, or that an earlier schema had.
package struct MissingObjects {
  private static let maximumNames = 20

  /// Each as its kind and name: `view sets_by_year`, `column sets.note`.
  private let objects: [String]
  /// The objects made by custom SQL, with the names of their files.
  private let made: [(object: SchemaObject, file: String)]

  /// `lost` are the objects missing from the new database; `made` are the objects of custom SQL in the previous one.
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

  /// The objects missing from a schema, as listed by a server.
  package init(_ objects: [String]) { (self.objects, made) = (objects, []) }

  /// The warning about rows of other tables that foreign keys have deleted or changed.
  package static func warning(ofRows rows: [String], _ catalog: String) -> Warning? {
    warning(of: catalog, rows) { "deleted or changed by foreign keys to the schema: \($0)" }
  }

  package func warnings(of catalog: String) -> [Warning] {
    let made = made.map { "\($0.object.words) (\($0.file))" }
    return [
      Self.warning(of: catalog, objects) {
        "in the previous database, but not in the new one: \($0)"
      },
      Self.warning(of: catalog, made) {
        "made by custom SQL of an earlier run, but not in the new database: \($0); "
          + "to keep them, pass the files in parentheses to --sql in every run"
      },
    ].compactMap(\.self)
  }

  private static func warning(
    of catalog: String, _ objects: [String], _ message: (String) -> String
  ) -> Warning? {
    guard !objects.isEmpty else { return nil }
    let more =
      objects.count > maximumNames ? " and \(objects.count - maximumNames) more" : ""
    let list =
      objects.prefix(maximumNames).map(\.escapedForMessage).joined(separator: ", ") + more
    return Warning(file: catalog, code: .objectsLost, message(list), facts: list)
  }
}

extension [SchemaObject] {
  package func besides(_ others: [SchemaObject]) -> [SchemaObject] {
    let known = Set(others.map(\.bytes))
    return filter { !known.contains($0.bytes) }
  }
}

extension SchemaObject {
  /// The bytes to compare: texts can be equal although their bytes differ.
  fileprivate var bytes: [UInt8] { Array(words.utf8) }

  fileprivate var words: String { "\(type) \(name)" }
}
