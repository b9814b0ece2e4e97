import CSQLite
import Text

extension Connection {
  /// Runs all statements of a script in order.
  ///
  /// Blanks, comments and empty statements are ignored. Each statement is compiled after the previous one has run, so
  /// it can use the objects created before it. An interpolated value belongs to the statement that contains it.
  ///
  /// ```swift
  /// try connection.execute(
  ///   script: """
  ///     CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT); -- boxes in stock
  ///     INSERT INTO boxes (name) VALUES (\(name));
  ///     INSERT INTO boxes (name) VALUES ('Castle');
  ///     """)
  /// ```
  ///
  /// - Throws: `SQLiteError`, whose message begins with the number of the statement, from 1; with
  ///   `misuse` if a statement returns rows, which would be lost. The effects of the earlier
  ///   statements remain, unless the script runs in a `transaction`.
  public func execute(script: SQL) throws(SQLiteError) {
    try script.checkValues()
    guard !script.text.utf8.contains(0) else {
      throw SQLiteError(.misuse, "the SQL contains a NUL character", sql: script.text)
    }
    var values = script.values[...]
    var places = script.places[...]
    // SQL from a query builder has no value positions.
    let hasPlaces = places.count == values.count
    _ = try mapError(
      forEachStatement(of: Array(script.text.utf8)) { statement, end throws(SQLiteError) in
        // A value in a comment or a literal is not a parameter, and must not become one of a later statement.
        let count =
          hasPlaces
          ? places.prefix { $0 < end }.count : min(statement.parameterCount, values.count)
        try statement.checkReturnsNoRows()
        try statement.run(Array(values.prefix(count)))
        values = values.dropFirst(count)
        places = places.dropFirst(count)
      },
      as: { (error: ScriptError) in error.error.prefixed(by: "statement \(error.statement)") })
    guard values.isEmpty else {
      throw SQLiteError(
        .range, "\(counted(values.count, "unused value")) in the script",
        sql: script.text)
    }
  }

  /// Runs all statements of an untrusted script without parameters, discards the rows that they
  /// return, and returns the number of statements.
  package func run(
    script: [UInt8], checking check: () throws(SQLiteError) -> Void
  ) throws(ScriptError) -> Int {
    try forEachStatement(of: script) { statement, _ throws(SQLiteError) in
      guard statement.parameterCount == 0 else {
        let name = statement.parameterNames.compactMap(\.self).first ?? "?"
        throw SQLiteError(.misuse, "parameter \(name) has no value")
      }
      try statement.run([])
      try check()
    }
  }

  /// Passes each statement of a script without NUL, compiled after the previous one has run, to
  /// `body` with the offset of the byte after it; returns their number.
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
        // SQLite consumes nothing at the end of the script.
        next = unsafe compiled.end > start ? compiled.end : end
        if let handle = unsafe compiled.statement {
          try body(unsafe Statement(compiled: handle, on: self), next)
          number += 1
        }
      } catch {
        let statement = script.count - afterBlanks(script[start...]).count
        // The exact position is known only for a statement that cannot be compiled.
        let place = next == start ? start + max(errorOffset, statement - start) : statement
        let line = script[..<min(place, end)].count { $0 == 0x0a } + 1
        throw ScriptError(statement: number + 1, line: line, error: error)
      }
      start = next
    }
    return number
  }

  private var errorOffset: Int {
    guard let handle = try? unsafe openHandle() else { return -1 }
    return Int(unsafe csqlite_error_offset(handle))
  }
}

package struct ScriptError: Error, Equatable, Sendable {
  package let statement: Int
  /// The line of the error if known, otherwise the first line of the statement, from 1.
  package let line: Int
  package let error: SQLiteError
}
