import CSQLite

extension Connection {
  /// Adds an order of texts, for columns and for `ORDER BY name COLLATE swedish`.
  ///
  /// Texts of which neither precedes the other are equal, also to `=` and to unique keys. U+FFFD replaces bytes that are
  /// not UTF-8. Every connection to a file whose tables or indexes use the collation must add it, and with the same
  /// order: in another one, searches miss rows. The built-in collations cannot be replaced.
  ///
  /// - Parameters:
  ///   - name: as of a function.
  ///   - areInIncreasingOrder: a strict weak ordering, as for `sort(by:)`; it must not use the connection.
  /// - Throws: `SQLiteError` as for a function.
  /// - Complexity: Each comparison copies both texts, and calls `areInIncreasingOrder` up to twice.
  public func addCollation(
    _ name: String, by areInIncreasingOrder: @escaping @Sendable (String, String) -> Bool
  ) throws(SQLiteError) {
    guard !["binary", "nocase", "rtrim"].contains(name.lowercased()) else {
      throw SQLiteError(.misuse, "the built-in collation \(name) cannot be replaced")
    }
    typealias Order = (String, String) -> Bool
    try unsafe register(name) { handle in
      let registration = unsafe Registration<Order>(areInIncreasingOrder, on: self).retained()
      let code = unsafe sqlite3_create_collation_v2(
        handle, name, SQLITE_UTF8, registration,
        { pointer, leftCount, left, rightCount, right in
          let left = unsafe UnsafeRawBufferPointer(start: left, count: Int(leftCount))
          let right = unsafe UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          let (first, second) = unsafe (
            String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)
          )
          return unsafe Registration<Order>.at(pointer)?.occupyingConnection { order in
            order.body(first, second) ? -1 : order.body(second, first) ? 1 : 0
          } ?? 0
        }, { unsafe release($0) })
      // Unlike that of a function, SQLite does not release it.
      if code != SQLITE_OK { unsafe release(registration) }
      return code
    }
  }
}
