import SQLiteSwiftly

/// What SQL of an operator's own may do: read all, and make things of its own; but change nothing of the
/// catalog, and reach nothing outside.
final class SQLPolicy {
  /// The names of everything that the catalog has of its own.
  private let names: [String]
  /// Why something was not allowed; nil as long as all was.
  private(set) var refusal: String?
  /// Whether a table may have got another name since the names were checked.
  private var mayHaveRenamed = false

  init(protecting names: [String]) { self.names = names }

  /// Answers SQLite, and keeps the reason of a refusal.
  func answer(_ action: AuthorizedAction) -> Authorization {
    if case .alterTable = action.operation { mayHaveRenamed = true }
    guard let reason = reason(against: action.operation) else { return .allow }
    // Others follow from the first.
    refusal = refusal ?? reason
    return .deny
  }

  /// Throws if a statement has given a table a name that it must not have: SQLite does not ask about the new
  /// names of `ALTER TABLE`.
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
      return "each file is one transaction, which ingest begins and ends: leave BEGIN, COMMIT, "
        + "ROLLBACK and SAVEPOINT out"
    case .attach, .detach:
      return
        "other files can be neither attached nor written to"
    case .read, .select, .recursive, .analyze, .reindex: return nil
    case .other(let code): return "SQLite's action \(code) is not known to ingest"
    }
  }

  private func reason(againstNaming name: String) -> String? {
    if isOwn(name) { return "the catalog has something of its own that is called \(name)" }
    guard name.lowercased().hasPrefix(Provenance.prefix) else { return nil }
    return "names that begin with \(Provenance.prefix), as \(name) does, are the catalog's own"
  }

  private func reason(againstChanging name: String) -> String? {
    guard isOwn(name) else { return nil }
    return "\(name) is the catalog's own, and can be read and have indexes, but not be changed"
  }

  private func isOwn(_ name: String) -> Bool { names.contains { areSameName($0, name) } }
}

extension SQLPolicy {
  /// Those that only answer, and those that hold for no more than the file's own statements.
  private static let pragmas = [
    "application_id", "cache_size", "collation_list", "compile_options", "data_version",
    "database_list", "defer_foreign_keys", "encoding", "foreign_key_check", "foreign_key_list",
    "foreign_keys", "freelist_count", "function_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "module_list", "page_count", "page_size", "pragma_list", "quick_check",
    "recursive_triggers", "schema_version", "table_info", "table_list", "table_xinfo",
    "user_version",
  ]

  /// Those that would change the file if they were given a value.
  private static let withoutValue = [
    "application_id", "encoding", "page_size", "schema_version", "user_version",
  ]

  private static func reason(againstPragma name: String, _ argument: String?) -> String? {
    let name = name.lowercased()
    guard pragmas.contains(name), argument == nil || !withoutValue.contains(name) else {
      return "PRAGMA \(name) cannot be used\(argument == nil ? "" : " with a value"): what the "
        + "catalog is like is not for SQL of your own to decide"
    }
    let isOn = argument.map { ["1", "on", "yes", "true"].contains($0.lowercased()) } ?? true
    guard name != "foreign_keys" || isOn else {
      return "PRAGMA foreign_keys cannot be switched off: foreign keys hold in a catalog"
    }
    return nil
  }
}
