extension Connection {
  /// Runs all statements of a script, one after the other.
  ///
  /// Blanks, comments and empty statements are nothing. Each statement is compiled when those before it have
  /// run, so that it may use what they made. An interpolated value belongs to the statement that it is in.
  ///
  /// ```swift
  /// try connection.execute(
  ///   script: """
  ///     CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT); -- what is in stock
  ///     INSERT INTO boxes (name) VALUES (\(name));
  ///     INSERT INTO boxes (name) VALUES ('Castle');
  ///     """)
  /// ```
  ///
  /// - Throws: `SQLiteError`, whose message begins with the number of the statement, from 1; with `misuse` if
  ///   a statement returns rows, which would be lost. What the statements before it did stays, unless the
  ///   script is run in a `transaction`.
  public func execute(script: SQL) throws(SQLiteError) {
    if let failure = script.failure { throw failure }
    guard !script.text.utf8.contains(0) else {
      throw SQLiteError(.misuse, "There is a NUL in the SQL", sql: script.text)
    }
    let text = Array(script.text.utf8) + [0]
    let end = text.count - 1
    var values = script.values[...]
    var places = script.places[...]
    // What a query builder made has no places.
    let hasPlaces = places.count == values.count
    var (start, number) = (0, 1)
    while start < end {
      do throws(SQLiteError) {
        let (handle, next) = try unsafe compileNext(text, from: start)
        // What SQLite takes no statement off is the end.
        start = next > start ? next : end
        guard let handle = unsafe handle else { continue }
        let statement = unsafe Statement(compiled: handle, on: self)
        // A value in a comment or a literal is no parameter, and must not become one of a later statement.
        let count =
          hasPlaces
          ? places.prefix { $0 < start }.count : min(statement.parameterCount, values.count)
        try statement.checkReturnsNoRows()
        try statement.run(Array(values.prefix(count)))
        values = values.dropFirst(count)
        places = places.dropFirst(count)
        number += 1
      } catch {
        throw SQLiteError(
          error.extendedCode, "statement \(number): \(error.message)", sql: error.sql)
      }
    }
    guard values.isEmpty else {
      throw SQLiteError(
        .range, "\(counted(values.count, "value")) of the script belong to no statement",
        sql: script.text)
    }
  }
}
