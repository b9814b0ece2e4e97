import Vocabulary
import SQLiteSwiftly
import Provenance

/// The rules for custom SQL: it can read everything and create objects, but it cannot change an object made by
/// ingest, nor use another file.
final class SQLPolicy {
  private let names: [String]
  /// Why something was refused; nil if nothing was.
  private(set) var refusal: String?
  /// Whether a table may have been renamed since the names were checked.
  private var mayHaveRenamed = false

  init(protecting names: [String]) { self.names = names }

  func answer(_ action: AuthorizedAction) -> Authorization {
    if case .alterTable = action.operation { mayHaveRenamed = true }
    guard let reason = reason(against: action.operation) else { return .allow }
    // Later refusals follow from the first.
    refusal = refusal ?? reason
    return .deny
  }

  /// Throws if a statement has renamed a table to a reserved name: SQLite does not ask the authorizer about the new
  /// names in `ALTER TABLE`.
  func checkNames(in connection: Connection) throws(SQLiteError) {
    guard mayHaveRenamed else { return }
    mayHaveRenamed = false
    let objects = try connection.query(
      """
      SELECT name, 0 FROM main.sqlite_schema UNION ALL SELECT name, 1 FROM temp.sqlite_schema ORDER BY 1
      """, as: (String, Bool).self)
    for (name, isTemporary) in objects where isTemporary || !isOwn(name) {
      guard let reason = reason(againstNaming: name) else { continue }
      throw SQLiteError(.misuse, reason)
    }
  }

  private func reason(against operation: AuthorizedAction.Operation) -> String? {
    switch operation {
    case .createTable(let name), .createView(let name), .createVirtualTable(let name, _),
      .createIndex(let name, _):
      return reason(againstNaming: name)
    case .createTrigger(let name, let table):
      return reason(againstChanging: table) ?? reason(againstNaming: name)
    case .dropTable(let name), .dropView(let name), .dropVirtualTable(let name, _),
      .dropIndex(let name, _), .dropTrigger(let name, _), .alterTable(let name),
      .insert(let name), .update(let name, _), .delete(let name):
      return reason(againstChanging: name)
    case .pragma(let name, let argument): return Self.reason(againstPragma: name, argument)
    case .function(let name):
      return areSameName(name, "load_extension") ? "extensions cannot be loaded" : nil
    case .transaction, .savepoint:
      return "each file runs in one transaction that ingest begins and ends: remove BEGIN, COMMIT, "
        + "ROLLBACK and SAVEPOINT"
    case .attach, .detach:
      return "other database files cannot be attached or written"
    case .read, .select, .recursive, .analyze, .reindex: return nil
    case .other(let code): return "the SQLite action \(code) is not supported"
    }
  }

  private func reason(againstNaming name: String) -> String? {
    if isOwn(name) { return "\(name) is already the name of an object made by ingest" }
    guard name.hasNamePrefix(provenancePrefix) else { return nil }
    return "names beginning with \(provenancePrefix), such as \(name), are reserved"
  }

  private func reason(againstChanging name: String) -> String? {
    guard isOwn(name) else { return nil }
    return "\(name) was made by ingest: it can be read and indexed, but not changed"
  }

  private func isOwn(_ name: String) -> Bool { names.contains { areSameName($0, name) } }
}

extension SQLPolicy {
  /// The pragmas that only return a value, and those that affect only the statements of the file.
  private static let pragmas = [
    "application_id", "cache_size", "collation_list", "compile_options", "data_version",
    "database_list", "defer_foreign_keys", "encoding", "foreign_key_check", "foreign_key_list",
    "foreign_keys", "freelist_count", "function_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "module_list", "page_count", "page_size", "pragma_list", "quick_check",
    "recursive_triggers", "schema_version", "table_info", "table_list", "table_xinfo",
    "user_version",
  ]

  /// The pragmas that would change the file if used with a value.
  private static let withoutValue = [
    "application_id", "encoding", "page_size", "schema_version", "user_version",
  ]

  private static func reason(againstPragma name: String, _ argument: String?) -> String? {
    let name = name.lowercased()
    guard pragmas.contains(name), argument == nil || !withoutValue.contains(name) else {
      return
        "PRAGMA \(name) cannot be used\(argument == nil ? "" : " with a value"): custom SQL cannot "
        + "change the settings of the database"
    }
    let isOn = argument.map { ["1", "on", "yes", "true"].contains($0.lowercased()) } ?? true
    guard name != "foreign_keys" || isOn else {
      return "PRAGMA foreign_keys cannot be turned off: all foreign keys of the database must hold"
    }
    return nil
  }
}

struct StoredObject: Equatable {
  let object: SchemaObject
  /// Its root page and its definition; nil for an object without one.
  private let root: Int64?
  private let definition: String?

  /// All objects of the main database but SQLite's own; those of virtual tables only `withShadows`.
  static func all(
    in connection: Connection, withShadows: Bool
  ) throws(SQLiteError) -> [StoredObject] {
    try connection.query(
      """
      SELECT type, name, rootpage, sql FROM main.sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND (\(withShadows) OR tbl_name NOT IN (\(sql: Connection.shadowTables)))
      ORDER BY type, name
      """
    ).map { row in
      StoredObject(
        object: SchemaObject(type: row[0].textValue ?? "", name: row[1].textValue ?? ""),
        root: row[2].integerValue, definition: row[3].textValue)
    }
  }
}
