import CSQLite

extension Connection {
  @unsafe func compile(_ text: String, isPersistent: Bool) throws(SQLiteError) -> OpaquePointer {
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    do throws(SQLiteError) {
      let statement = try unsafe compileOne(text, isPersistent: isPersistent)
      if isPooled { noteChange(by: text) }
      trace(.prepared(sql: text))
      return unsafe statement
    } catch let cause {
      let error = SQLiteError(cause.extendedCode, cause.message, sql: text)
      trace(.failed(error))
      throw error
    }
  }

  /// Notes that a statement may change the connection: its settings, its databases or its temporary tables.
  private func noteChange(by text: String) {
    let statement = afterBlanks(text.utf8[...])
    switch String(decoding: statement.prefix(6).map { $0 | 0x20 }, as: UTF8.self) {
    // A `BEGIN IMMEDIATE` that was compiled before locks only the databases of that time.
    case "attach", "detach": statementCache.clear()
    case "create": break
    // Without a value, it only reads.
    case "pragma" where statement.contains { [UInt8(ascii: "="), UInt8(ascii: "(")].contains($0) }:
      break
    default: return
    }
    hasChanged = true
  }

  /// Compiles the first statement of `script`, which ends with NUL, from `start`; the caller must finalize it.
  ///
  /// Nil if only blanks and comments precede the next semicolon. An error has the rest of the script.
  @unsafe func compileNext(
    _ script: [UInt8], from start: Int
  ) throws(SQLiteError) -> (statement: OpaquePointer?, end: Int) {
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    let database = try unsafe openHandle()
    let (code, statement, end) = unsafe prepare(script, from: start, on: database)
    guard code == SQLITE_OK else {
      let text = String(decoding: script[start...].dropLast(), as: UTF8.self)
      let error = unsafe SQLiteError(code, on: database, sql: text)
      trace(.failed(error))
      throw error
    }
    if let statement = unsafe statement {
      let text = unsafe SQLiteSwiftly.text(of: statement)
      if isPooled { noteChange(by: text) }
      trace(.prepared(sql: text))
    }
    return unsafe (statement, end)
  }

  private func compileOne(
    _ text: String, isPersistent: Bool
  ) throws(SQLiteError) -> OpaquePointer {
    let database = try unsafe openHandle()
    guard !text.utf8.contains(0) else {
      throw SQLiteError(.misuse, "the SQL contains a NUL character", sql: text)
    }
    let flags = UInt32(isPersistent ? SQLITE_PREPARE_PERSISTENT : 0)
    let bytes = Array(text.utf8) + [0]
    let (code, first, end) = unsafe prepare(bytes, from: 0, flags: flags, on: database)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: database, sql: text) }
    guard let handle = unsafe first else {
      throw SQLiteError(.misuse, "the SQL contains no statement", sql: text)
    }
    // Blanks, comments and semicolons may follow; SQLite ignores them.
    let (nextCode, next, _) = unsafe prepare(bytes, from: end, on: database)
    // Text that cannot be compiled is a statement, too; but running out of memory proves nothing.
    guard nextCode == SQLITE_OK || nextCode & 0xff == SQLITE_ERROR else {
      let error = unsafe SQLiteError(nextCode, on: database, sql: text)
      unsafe sqlite3_finalize(handle)
      throw error
    }
    guard nextCode == SQLITE_OK, unsafe next == nil else {
      unsafe sqlite3_finalize(handle)
      unsafe sqlite3_finalize(next)
      throw SQLiteError(
        .misuse, "the SQL contains more than one statement; use execute(script:)", sql: text)
    }
    return unsafe handle
  }

  /// The text must end with NUL: otherwise SQLite copies the whole rest for each statement.
  private func prepare(
    _ text: [UInt8], from start: Int, flags: UInt32 = 0, on database: OpaquePointer
  ) -> (code: Int32, statement: OpaquePointer?, end: Int) {
    var handle: OpaquePointer?
    return unsafe text.withUnsafeBytes { bytes in
      guard start < bytes.count - 1, let base = bytes.baseAddress else {
        return (SQLITE_OK, nil, bytes.count - 1)
      }
      let first = unsafe (base + start).assumingMemoryBound(to: CChar.self)
      var tail: UnsafePointer<CChar>?
      // SQLite refuses text that is too long, far below the largest count.
      let count = Int32(clamping: bytes.count - start)
      let code = unsafe sqlite3_prepare_v3(database, first, count, flags, &handle, &tail)
      let length = unsafe tail.map { unsafe first.distance(to: $0) } ?? 0
      return unsafe (code, handle, start + length)
    }
  }

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
    return unsafe Statement(compiled: try compile(text, isPersistent: true), on: self, keptAs: text)
  }
}

/// Compiled statements between their runs, by their text.
///
/// A statement that is in use is not in the cache, so that a query within the same query compiles
/// another one. The cache holds handles without owners: an owner would keep the connection open.
@safe struct StatementCache {
  /// Zero for no cache.
  let limit: Int
  private var entries: [String: Entry] = [:]
  /// The statement that was kept last, often the next one to be used: comparing its text takes less time than hashing it.
  private var latest: (text: String, entry: Entry)?
  private var uses = 0

  @safe private struct Entry {
    let handle: OpaquePointer
    let lastUse: Int
  }

  init(limit: Int) { self.limit = limit }

  @unsafe mutating func take(_ text: String) -> OpaquePointer? {
    if let found = latest, haveSameBytes(found.text, text) {
      latest = nil
      return unsafe found.entry.handle
    }
    return unsafe entries.removeValue(forKey: text)?.handle
  }

  /// Takes over a statement whose run has ended.
  @unsafe mutating func keep(_ handle: OpaquePointer, _ text: String) {
    // The memory of bound texts belongs to the last owner.
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
    uses += 1
    let entry = unsafe Entry(handle: handle, lastUse: uses)
    guard let previous = exchange(&latest, with: (text, entry)) else { return }
    if let replaced = entries.updateValue(previous.entry, forKey: previous.text) {
      unsafe sqlite3_finalize(replaced.handle)
    }
    guard entries.count >= limit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    unsafe sqlite3_finalize(entries.removeValue(forKey: oldest.key)?.handle)
  }

  /// Frees all statements; to be called before the connection is closed.
  mutating func clear() {
    if let handle = unsafe latest?.entry.handle { unsafe sqlite3_finalize(handle) }
    latest = nil
    for entry in entries.values { unsafe sqlite3_finalize(entry.handle) }
    entries = [:]
  }
}

/// An event reported to a connection's trace handler.
///
/// The SQL is the text of the statement, without values.
public enum TraceEvent: Equatable, Sendable {
  /// A statement was compiled.
  case prepared(sql: String)
  /// A run of a statement ended, successfully or not, after this time.
  case finished(sql: String, duration: Duration)
  /// A statement failed, or was misused.
  case failed(SQLiteError)
}
