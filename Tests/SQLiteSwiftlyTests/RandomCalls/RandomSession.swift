import SQLiteSwiftly
import Testing

/// A difference between the effect of a call and the model.
struct Divergence: Error, CustomStringConvertible {
  let description: String
}

/// Makes random calls on a connection, and holds each of them to a model.
///
/// Calls are made inside transactions, between the rows of cursors, and while another connection
/// holds a lock, as deep as these can be nested.
final class RandomSession {
  static let tableNames = ["a", "b", "c"]

  let path: String
  var connection: Connection
  let otherConnection: Connection
  var model = SessionModel()
  var random: SeededGenerator
  var keptInserts: [KeptInsert] = []
  var keptStatements: [KeptStatement] = []
  /// The last event of the trace handler.
  var lastFailure: SQLiteError?
  /// The error stored by a closure that cannot throw it.
  var divergence: Divergence?
  /// An error for closures to throw.
  let sampleError: SQLiteError
  private var remainingCalls: Int
  private var journal: [String] = []
  private(set) var depth = 0

  init(seed: UInt64, calls: Int, path: String) throws {
    self.path = path
    random = SeededGenerator(seed: seed)
    remainingCalls = calls
    connection = try Self.open(path, .createNew)
    otherConnection = try Self.open(path, .openExisting)
    sampleError = try failure { [connection] in try connection.execute("no SQL") }
    noteFailures()
  }

  private static func open(_ path: String, _ opening: Connection.Opening) throws -> Connection {
    let connection = try Connection(path, opening: opening)
    try connection.execute("PRAGMA synchronous = OFF")
    _ = try connection.query("PRAGMA journal_mode = MEMORY")
    return connection
  }

  private func noteFailures() {
    connection.traceHandler = { [weak self] event in
      if case .failed(let error) = event { self?.lastFailure = error }
    }
  }

  /// Makes all calls.
  func run() throws {
    while remainingCalls > 0 { try makeCalls(remainingCalls) }
    try checkEnd()
  }

  /// Makes some calls, and compares the database with the model after each of them.
  func makeCalls(_ count: Int) throws {
    depth += 1
    defer { depth -= 1 }
    for _ in 0..<count where remainingCalls > 0 {
      remainingCalls -= 1
      try makeCall()
      try compare()
    }
  }

  /// Makes a few calls inside something else, unless that is deep already.
  func makeInnerCalls() throws {
    guard depth < 5 else { return }
    try makeCalls(Int.random(in: 1...6, using: &random))
  }

  private func makeCall() throws {
    if model.tables.count < 2, happens(onceIn: 3) { return try createTable() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<8: try createTable()
    case 8..<14: try alterTable()
    case 14..<20: try prepareInsert()
    case 20..<38: try insertThroughKeptStatement()
    case 38..<50: try executeChange()
    case 50..<56: try prepareStatement()
    case 56..<70: try useKeptStatement()
    case 70..<76: try read()
    case 76..<81: try readThroughCursor()
    case 81..<86: try transact()
    case 86..<90: try beginOrEndTransaction()
    case 90..<92: try beginOrEndSavepoint()
    case 92..<96: try lockFromOtherConnection()
    case 96..<97: try useWrongly()
    case 97..<98: try close()
    default: dropStatement()
    }
  }

  /// Makes one call and compares its end with a prediction.
  ///
  /// - Returns: The result of the call, or its error if that was predicted.
  func call<Value>(
    _ name: String, _ prediction: Prediction, _ body: () throws -> Value
  ) throws -> Result<Value, SQLiteError> {
    journal(name)
    do {
      let value = try body()
      guard prediction.failures.isEmpty || prediction.maySucceed else {
        throw diverges("\(name) succeeded, and not with \(prediction.failures)")
      }
      return .success(value)
    } catch let error as SQLiteError {
      if let divergence { throw divergence }
      journal("\(error)")
      guard prediction.failures.contains(error.extendedCode) else {
        let expected = prediction.failures
        throw diverges("\(name) failed with \(error.extendedCode), and not \(expected): \(error)")
      }
      return .failure(error)
    }
  }

  /// Records an action, for the report of a divergence.
  func journal(_ text: String) {
    journal.append("\(journal.count): " + String(repeating: "  ", count: depth) + text)
  }

  func diverges(_ text: String) -> Divergence {
    Divergence(description: text + "\n" + journal.suffix(60).joined(separator: "\n"))
  }

  /// Throws unless two things are equal.
  func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
    guard found != expected else { return }
    throw diverges("\(what): \(found), and not \(expected)")
  }

  func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  /// Whether something that happens once in `count` times happens now.
  func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}

extension RandomSession {
  /// Compares the data visible to both connections with the model.
  private func compare() throws {
    try expect(try connection.isInTransaction, model.isInTransaction, "isInTransaction")
    if let lastRowID = model.lastRowID {
      try expect(try connection.lastInsertedRowID, lastRowID, "lastInsertedRowID")
    }
    model.lastRowID = try connection.lastInsertedRowID
    if model.canBeRead {
      try expect(try tables(through: connection), model.tables, "what the connection sees")
    }
    if model.canBeReadByOther {
      try expect(
        try tables(through: otherConnection), model.seenByOther, "what the other connection sees")
    }
  }

  /// All tables, with their columns and rows.
  private func tables(through connection: Connection) throws -> DatabaseModel {
    var tables: DatabaseModel = [:]
    do {
      let names = try connection.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      for case let name? in names {
        let columns = try connection.texts("SELECT name FROM pragma_table_info(\(name))")
        let shape = TableShape.allCases.first { $0.columns == columns }
        guard let shape else { throw diverges("\(name) has the columns \(columns)") }
        var table = TableModel(shape: shape)
        for row in try connection.query("SELECT * FROM \(identifier: name)") {
          table.rows[row[0].integerValue ?? 0] = row
        }
        tables[name] = table
      }
    } catch let error as SQLiteError {
      let name = connection === otherConnection ? "the other" : "this"
      throw diverges("\(name) connection: \(error)")
    }
    return tables
  }

  /// Closes everything, and finds the same in the file.
  private func checkEnd() throws {
    keptInserts = []
    keptStatements = []
    try connection.close()
    let faults = try otherConnection.faults(.full)
    try expect(faults, [], "faults of the file")
    try expect(
      try tables(through: otherConnection), model.committed, "what is in the file at the end")
  }

  /// Tries to close the connection, which must be refused while there are statements.
  private func close() throws {
    let isInUse = !keptInserts.isEmpty || !keptStatements.isEmpty || model.openCursors > 0
    // A transaction that is a closure needs its connection.
    guard isInUse || depth == 1 else { return }
    let prediction = isInUse ? Prediction.failure(Code.busy) : .success
    guard case .success = try call("close", prediction, { try connection.close() }) else { return }
    _ = try call("close again", .success) { try connection.close() }
    let closed = Prediction.failure(Code.misuse)
    _ = try call("execute, closed", closed) { try connection.execute("CREATE TABLE t (a)") }
    _ = try call("query, closed", closed) { try connection.query("SELECT 1") }
    _ = try call("transaction, closed", closed) { try connection.transaction {} }
    if model.isInTransaction { model.rollBack() }
    connection = try Self.open(path, .openExisting)
    noteFailures()
    model.lastRowID = 0
  }

  /// Gives up a statement that was kept.
  private func dropStatement() {
    if happens(onceIn: 4) {
      keptInserts.removeAll()
      keptStatements.removeAll()
    }
    if let index = keptInserts.indices.randomElement(using: &random) {
      keptInserts.remove(at: index)
    }
    if let index = keptStatements.indices.randomElement(using: &random) {
      keptStatements.remove(at: index)
    }
  }
}
