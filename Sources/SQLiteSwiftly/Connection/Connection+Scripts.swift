import CSQLite

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
    var values = script.values[...]
    var places = script.places[...]
    // What a query builder made has no places.
    let hasPlaces = places.count == values.count
    do throws(ScriptError) {
      _ = try forEachStatement(of: Array(script.text.utf8)) { statement, end throws(SQLiteError) in
        // A value in a comment or a literal is no parameter, and must not become one of a later statement.
        let count =
          hasPlaces
          ? places.prefix { $0 < end }.count : min(statement.parameterCount, values.count)
        try statement.checkReturnsNoRows()
        try statement.run(Array(values.prefix(count)))
        values = values.dropFirst(count)
        places = places.dropFirst(count)
      }
    } catch {
      let (number, error) = (error.statement, error.error)
      throw SQLiteError(error.extendedCode, "statement \(number): \(error.message)", sql: error.sql)
    }
    guard values.isEmpty else {
      throw SQLiteError(
        .range, "\(counted(values.count, "value")) of the script belong to no statement",
        sql: script.text)
    }
  }

  /// Runs all statements of a script that somebody else has written, which must have no parameters, and passes
  /// over the rows that they return; returns how many there are.
  package func run(
    script: [UInt8], checking check: () throws(SQLiteError) -> Void
  ) throws(ScriptError) -> Int {
    try forEachStatement(of: script) { statement, _ throws(SQLiteError) in
      guard statement.parameterCount == 0 else {
        let name = statement.parameterNames.compactMap(\.self).first ?? "?"
        throw SQLiteError(.misuse, "there is no value for the parameter \(name)")
      }
      try statement.run([])
      try check()
    }
  }

  /// Compiles the statements of a script without a NUL, each when `body` has done with the one before it, and
  /// returns how many there are; `end` is the offset of the byte after a statement.
  private func forEachStatement(
    of script: [UInt8], _ body: (Statement, _ end: Int) throws(SQLiteError) -> Void
  ) throws(ScriptError) -> Int {
    let text = script + [0]
    let end = script.count
    var (start, number) = (0, 0)
    while start < end {
      var next = start
      do throws(SQLiteError) {
        let compiled = try unsafe compileNext(text, from: start)
        // What SQLite takes no statement off is the end.
        next = unsafe compiled.end > start ? compiled.end : end
        if let handle = unsafe compiled.statement {
          try body(unsafe Statement(compiled: handle, on: self), next)
          number += 1
        }
      } catch {
        let statement = script.count - afterBlanks(script[start...]).count
        // Only of one that cannot be compiled it may be known where in it the fault is.
        let place = next == start ? start + max(errorOffset, statement - start) : statement
        let line = script[..<min(place, end)].count { $0 == 0x0a } + 1
        throw ScriptError(statement: number + 1, line: line, error: error)
      }
      start = next
    }
    return number
  }

  /// Where the fault of the last statement is that could not be compiled; -1 if that is not known.
  private var errorOffset: Int {
    guard let handle = try? unsafe openHandle() else { return -1 }
    return Int(unsafe csqlite_error_offset(handle))
  }
}

package struct ScriptError: Error, Equatable, Sendable {
  /// The number of the statement that failed, from 1.
  package let statement: Int
  /// The line of its fault if that is known, and else of its beginning, from 1.
  package let line: Int
  package let error: SQLiteError
}
