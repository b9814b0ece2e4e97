import CSQLite

/// Compiled statements between their runs, by their text.
///
/// A statement that is in use is not in the cache, so that a query within the same query compiles
/// another one. The cache holds handles without owners: an owner would keep the connection open.
@safe struct StatementCache {
  /// Zero for no cache.
  let limit: Int
  private var entries: [String: Entry] = [:]
  private var uses = 0

  @safe private struct Entry {
    let handle: OpaquePointer
    let lastUse: Int
  }

  init(limit: Int) { self.limit = limit }

  @unsafe mutating func take(_ text: String) -> OpaquePointer? {
    unsafe entries.removeValue(forKey: text)?.handle
  }

  /// Takes over a statement whose run has ended.
  @unsafe mutating func keep(_ handle: OpaquePointer, _ text: String) {
    // The memory of bound texts belongs to the last owner.
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
    uses += 1
    let entry = unsafe Entry(handle: handle, lastUse: uses)
    if let replaced = entries.updateValue(entry, forKey: text) {
      unsafe sqlite3_finalize(replaced.handle)
    }
    guard entries.count > limit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    unsafe sqlite3_finalize(entries.removeValue(forKey: oldest.key)?.handle)
  }

  /// Frees all statements; to be called before the connection is closed.
  mutating func clear() {
    for entry in entries.values { unsafe sqlite3_finalize(entry.handle) }
    entries = [:]
  }
}

extension Connection {
  /// Keeps the compiled statements of up to `count` queries, those used last.
  package func keepStatements(_ count: Int) { statementCache = StatementCache(limit: count) }

  /// Returns a statement for one query, which returns to the cache, if there is one.
  ///
  /// What an authorizer made of a statement would remain when it is removed; setting one makes
  /// SQLite compile all statements again.
  func statement(forQuery text: String) throws(SQLiteError) -> Statement {
    guard statementCache.limit > 0, authorizer == nil else {
      return try Statement(text, on: self, isPersistent: true)
    }
    _ = try unsafe openHandle()
    if let kept = unsafe statementCache.take(text) {
      return unsafe Statement(compiled: kept, on: self, keptAs: text)
    }
    return unsafe Statement(
      compiled: try compile(text, isPersistent: true), on: self, keptAs: text)
  }
}
