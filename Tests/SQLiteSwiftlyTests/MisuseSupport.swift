import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// A misuse of the library, and its result: an error or a value.
///
/// It must not end the process, and the database must remain usable.
struct Misuse: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The code of the error; nil if there is none.
  let code: SQLiteError.ResultCode?
  /// A part of the message, or all of the value.
  let text: String
  /// Makes the call on a connection to the file `a.sqlite` in its own folder, whose table of words
  /// has two rows.
  private let call: @Sendable (_ connection: Connection, _ folder: String) throws -> Any

  init(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    _ call: @escaping @Sendable (Connection, String) throws -> Void
  ) {
    (testDescription, self.code, text) = (name, code, part)
    self.call = call
  }

  init(
    _ name: String, gives value: String,
    _ call: @escaping @Sendable (Connection, String) throws -> Any
  ) {
    (testDescription, code, text) = (name, nil, value)
    self.call = call
  }

  /// The result of the call.
  struct Outcome {
    let code: SQLiteError.ResultCode?
    let text: String
    /// The state of the database afterwards, in a word.
    var state = ""
  }

  func happen() throws -> Outcome {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      // Nothing is to survive a crash of the machine, and hundreds of cases would wait for the disk.
      try connection.set(.synchronous, to: .off)
      try connection.createTable(describedBy: words)
      try connection.execute("INSERT INTO words VALUES (1, 'one'), (2, NULL)")
      var outcome = try outcome(connection, folder)
      outcome.state = try state(of: connection, path)
      return outcome
    }
  }

  private func outcome(_ connection: Connection, _ folder: String) throws -> Outcome {
    do {
      return Outcome(code: nil, text: "\(try call(connection, folder))")
    } catch let error as SQLiteError {
      return Outcome(code: error.extendedCode, text: error.message)
    } catch let error as DataAccessError {
      return Outcome(code: error.cause?.extendedCode ?? .ok, text: "\(error)")
    }
  }

  /// Uses the connection, or another one if it is closed.
  private func state(of connection: Connection, _ path: String) throws -> String {
    connection.traceHandler = nil
    var used = connection
    if (try? connection.isInTransaction) == nil {
      used = try Connection(path, opening: .openExisting)
    }
    if try used.isInTransaction { try used.execute("ROLLBACK") }
    try used.execute(script: "CREATE TABLE afterwards (a); INSERT INTO afterwards VALUES (\(7))")
    let value = try used.value(of: "SELECT a FROM afterwards")
    let faults = try used.faults(.full)
    // A statement that was left over would be in the way.
    try used.close()
    return value == 7 && faults.isEmpty ? "usable" : "\(faults)"
  }

  /// Whether an outcome is the one that is expected.
  func expects(_ outcome: Outcome) -> Bool {
    guard outcome.code == code else { return false }
    return code == nil ? outcome.text == text : outcome.text.contains(text)
  }
}

struct MisuseTableTests {
  @Test func `the table has the promised number of cases with unique names`() {
    let groups = [
      MisuseOpeningTests.cases, MisuseSQLTests.cases, MisuseParameterTests.cases,
      MisuseStatementTests.cases, MisuseRowTests.cases, MisuseDecodingTests.cases,
      MisuseTransactionTests.cases, MisuseDescriptionTests.cases, MisuseInsertTests.cases,
      MisuseBulkInsertTests.cases, MisuseHelperTests.cases, MisuseMigrationTests.cases,
      MisusePragmaTests.cases, MisuseBackupTests.cases, MisuseTraceTests.cases,
      MisuseSchemaTests.cases,
    ]
    #expect(groups.allSatisfy { $0.count >= 8 })
    #expect(groups.joined().count >= 180)
    for group in groups { #expect(Set(group.map(\.testDescription)).count == group.count) }
  }
}
