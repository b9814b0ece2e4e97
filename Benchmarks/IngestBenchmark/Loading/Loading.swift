import RebrickableCatalog
import ReferenceLoops
import SQLiteSwiftly

/// Fills new files with the rows of one table, from Swift or from C, with the settings of the
/// pipeline's writer in both.
struct Loading {
  let table: TableDescription
  private let workbench: Workbench
  private let settings: [SQL]
  private let creation: SQL

  /// Prepares for files of this page size; nil takes the pipeline's own.
  init(_ workbench: Workbench, table: TableDescription, pageBytes: Int? = nil) throws {
    self.workbench = workbench
    self.table = table
    let path = workbench.freshPath("settings.sqlite")
    try makeEmptyFile(path)
    defer { removeFile(path) }
    let writing = try WritingStage(path, schema: RebrickableCatalog.schema)
    // SQLite takes the page size only before anything else, and of two the last one.
    let pageSize = pageBytes.map { SQL(generated: "PRAGMA page_size = \($0)") }
    settings = try writing.settings().flatMap { setting in
      setting.text.hasPrefix("PRAGMA page_size") ? [pageSize ?? setting] : [setting]
    }
    creation = try table.creation
  }

  /// Inserts rows by a loop in C, so many of them with each run of its statement, and returns the
  /// processor time.
  func insert(
    _ rows: PartRows, rowsPerStatement: Int, expecting expected: Sums, in work: String
  ) throws -> Double {
    let row = "(?, ?, ?, ?, ?, ?)"
    let values = [String](repeating: row, count: rowsPerStatement).joined(separator: ", ")
    return try insertInC("VALUES \(values)", expecting: expected, in: work) { database in
      try database.insert(rows.parts, arena: rows.arena, rowsPerStatement: rowsPerStatement)
    }
  }

  /// Inserts rows from a virtual table in C, `rowsPerStatement` with each run of its statement, and
  /// returns the processor time.
  func insertFromTable(
    _ rows: PartRows, rowsPerStatement: Int, expecting expected: Sums, in work: String
  ) throws -> Double {
    let source = "SELECT * FROM \(REFERENCE_PARTS_TABLE)"
    return try insertInC(source, expecting: expected, in: work) { database in
      try database.insertFromTable(
        rows.parts, arena: rows.arena, rowsPerStatement: rowsPerStatement)
    }
  }

  private func insertInC(
    _ source: String, expecting expected: Sums, in work: String,
    _ body: (ReferenceDatabase) throws -> Void
  ) throws -> Double {
    let path = workbench.freshPath("reference.sqlite")
    defer { removeFile(path) }
    let setup = (settings + [creation]).map { $0.text + ";" }.joined(separator: "\n")
    let database = try ReferenceDatabase(path, setup: setup)
    try database.prepare(SQL(generated: "INSERT INTO \(table.name) \(source)"))
    let seconds = try processorSeconds { try body(database) }
    try check(database.sums(Sums.ofParts), is: expected, in: work)
    return seconds
  }

  /// Inserts rows through the layer, in one transaction, and returns the processor time.
  func insert(
    expecting expected: Sums, in work: String, _ body: (Connection) throws(SQLiteError) -> Void
  ) throws -> Double {
    let path = workbench.freshPath("layer.sqlite")
    defer { removeFile(path) }
    let connection = try Connection(path, opening: .createNew)
    for setting in settings { _ = try connection.query(setting) }
    try connection.execute(creation)
    let seconds = try processorSeconds {
      try connection.transaction { () throws(SQLiteError) in try body(connection) }
    }
    try check(connection.sums(Sums.ofParts), is: expected, in: work)
    return seconds
  }
}
