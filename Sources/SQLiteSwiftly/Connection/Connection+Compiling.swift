import CSQLite

extension Connection {
  /// Compiles the one statement in `text`; whoever receives it has to finalize it.
  @unsafe func compile(_ text: String, isPersistent: Bool) throws(SQLiteError) -> OpaquePointer {
    do throws(SQLiteError) {
      let statement = try unsafe compileOne(text, isPersistent: isPersistent)
      tell(.prepared(sql: text))
      return unsafe statement
    } catch {
      tell(.failed(error))
      throw error
    }
  }

  private func compileOne(
    _ text: String, isPersistent: Bool
  ) throws(SQLiteError) -> OpaquePointer {
    let database = try unsafe openHandle()
    guard !text.utf8.contains(0) else {
      throw SQLiteError(.misuse, "There is a NUL in the SQL", sql: text)
    }
    var handle: OpaquePointer?
    var next: OpaquePointer?
    let flags = UInt32(isPersistent ? SQLITE_PREPARE_PERSISTENT : 0)
    let bytes = Array(text.utf8)
    let (code, nextCode) = unsafe bytes.withUnsafeBytes { bytes in
      var tail: UnsafePointer<CChar>?
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      // SQLite refuses text that is too long, far below the largest count.
      let code = unsafe sqlite3_prepare_v3(
        database, start, Int32(clamping: bytes.count), flags, &handle, &tail)
      guard code == SQLITE_OK, let start = unsafe start, let tail = unsafe tail else {
        return (code, SQLITE_OK)
      }
      // Blanks, comments and semicolons may follow, which SQLite ignores.
      let rest = unsafe Int32(clamping: bytes.count - start.distance(to: tail))
      return (code, unsafe sqlite3_prepare_v3(database, tail, rest, 0, &next, nil))
    }
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: database, sql: text) }
    guard let handle = unsafe handle else {
      throw SQLiteError(.misuse, "There is no statement in the SQL", sql: text)
    }
    // What cannot be compiled is a statement, too; but a lack of memory says nothing about the text.
    guard nextCode == SQLITE_OK || nextCode & 0xff == SQLITE_ERROR else {
      let error = unsafe SQLiteError(nextCode, on: database, sql: text)
      unsafe sqlite3_finalize(handle)
      throw error
    }
    guard nextCode == SQLITE_OK, unsafe next == nil else {
      unsafe sqlite3_finalize(handle)
      unsafe sqlite3_finalize(next)
      throw SQLiteError(.misuse, "There is a second statement in the SQL", sql: text)
    }
    return unsafe handle
  }
}
