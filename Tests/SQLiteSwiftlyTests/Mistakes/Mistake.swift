import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// A wrong or unusual call, and its result.
///
/// It must not end the process, and the database must remain usable.
struct Mistake: CustomTestStringConvertible, Sendable {
  typealias Call<Result> = @Sendable (Connection, _ folder: String) throws -> Result

  enum Outcome: Equatable {
    /// The whole text that is printed, with `FOLDER` for the folder of the test.
    case prints(String)
    /// The code of the error and a part of its message.
    case fails(SQLiteError.ResultCode, String)
    /// The text of the value that is returned.
    case returns(String)
  }

  let testDescription: String
  let expected: Outcome
  /// Makes the call on a connection to the file `a.sqlite` in a folder, whose tables of words, teams
  /// and members have two rows, one and none.
  private let call: Call<Any>

  init(_ name: String, _ text: String, _ call: @escaping Call<Void>) {
    (testDescription, expected, self.call) = (name, .prints(text), call)
  }

  /// A statement that fails.
  init(_ name: String, sql: SQL, _ text: String) {
    self.init(name, "\(text) in: \(sql.text)") { connection, _ in try connection.execute(sql) }
  }

  init(line: Int, _ expected: Outcome, _ call: @escaping Call<Any>) {
    (testDescription, self.expected, self.call) = ("line \(line)", expected, call)
  }

  /// What happens, and whether the database is usable afterwards.
  func happen() throws -> (outcome: Outcome, isUsable: Bool) {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      // Nothing is to survive a crash of the machine, and hundreds of cases would wait for the disk.
      try connection.set(.synchronous, to: .off)
      try connection.createTable(describedBy: words)
      try connection.execute(
        script: """
          CREATE TABLE teams (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> ''), city TEXT
          ) STRICT;
          CREATE TABLE members (name TEXT, team INTEGER REFERENCES teams) STRICT;
          INSERT INTO words VALUES (1, 'one'), (2, NULL);
          INSERT INTO teams VALUES (1, 'Reds', NULL)
          """)
      let outcome = try outcome(connection, folder)
      return (outcome, try isUsable(connection, path))
    }
  }

  private func outcome(_ connection: Connection, _ folder: String) throws -> Outcome {
    do {
      return .returns("\(try call(connection, folder))")
    } catch let error as SQLiteError {
      return failed(error.extendedCode, error.message, "\(error)", folder)
    } catch let error as DataAccessError {
      return failed(error.cause?.extendedCode ?? .ok, "\(error)", "\(error)", folder)
    }
  }

  private func failed(
    _ code: SQLiteError.ResultCode, _ message: String, _ text: String, _ folder: String
  ) -> Outcome {
    guard case .fails(_, let part) = expected else {
      return .prints(text.replacing(folder, with: "FOLDER"))
    }
    return .fails(code, message.contains(part) ? part : message)
  }

  /// Uses the connection, or another one if it is closed.
  private func isUsable(_ connection: Connection, _ path: String) throws -> Bool {
    connection.traceHandler = nil
    var used = connection
    if (try? connection.isInTransaction) == nil {
      used = try Connection(path, opening: .openExisting)
    }
    if try used.isInTransaction { try used.execute("ROLLBACK") }
    try used.set(.queryOnly, to: false)
    try used.set(.maximumPageCount, to: 1 << 20)
    try used.execute(script: "CREATE TABLE afterwards (a); INSERT INTO afterwards VALUES (\(7))")
    let value = try used.value(of: "SELECT a FROM afterwards")
    let faults = try used.faults(.full)
    // A statement that was left over would be in the way.
    try used.close()
    return value == 7 && faults.isEmpty
  }
}

/// A call of the connection that fails.
func refused(
  _ code: SQLiteError.ResultCode, _ part: String, line: Int = #line,
  _ call: @escaping @Sendable (Connection) throws -> Void
) -> Mistake {
  Mistake(line: line, .fails(code, part)) { connection, _ in try call(connection) }
}

/// A call that fails with a path.
func refusedInFolder(
  _ code: SQLiteError.ResultCode, _ part: String, line: Int = #line,
  _ call: @escaping Mistake.Call<Void>
) -> Mistake {
  Mistake(line: line, .fails(code, part)) { try call($0, $1) }
}

/// A call of the connection that returns a value.
func returned(
  _ text: String, line: Int = #line, _ call: @escaping @Sendable (Connection) throws -> Any
) -> Mistake {
  Mistake(line: line, .returns(text)) { connection, _ in try call(connection) }
}
