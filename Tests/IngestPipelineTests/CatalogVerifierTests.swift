import SQLiteSwiftly
import Testing

@testable import IngestPipeline

/// A finished file is looked at before it is published.
@Suite struct CatalogVerifierTests {
  @Test func `the verifier finds values that a check forbids`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let verifier = CatalogVerifier(
      path: workplace.output, descriptor: -1, schema: Family.schema, indexes: [])
    #expect(throws: Never.self) { try verifier.check(inserted: [2, 1, 1, 2]) }
    let connection = try Connection(workplace.output, opening: .openExisting)
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("UPDATE things SET size = 11")
    try connection.close()
    #expect {
      try verifier.check(inserted: [2, 1, 1, 2])
    } throws: { error in
      (error as? IngestError)?.message.contains("CHECK constraint failed in things") == true
    }
  }

  @Test func `the verifier finds missing rows and missing parents`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let verifier = CatalogVerifier(
      path: workplace.output, descriptor: -1, schema: Family.schema, indexes: [])
    #expect(throws: IngestError.self) { try verifier.check(inserted: [2, 1, 1, 3]) }
    let connection = try Connection(workplace.output, opening: .openExisting)
    try connection.execute("UPDATE things SET node = 'nobody'")
    try connection.close()
    #expect {
      try verifier.check(inserted: [2, 1, 1, 2])
    } throws: { error in
      (error as? IngestError)?.message.contains("things.node has the value") == true
    }
  }

  @Test(arguments: ["INSERT INTO things (id, node) VALUES (2, 'leaf')", "DELETE FROM things"])
  func `the verifier finds an index that has not the rows of its table`(change: String) throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let rows = change.hasPrefix("INSERT") ? 2 : 0
    try pretendNoIndexes(in: workplace.output) { try $0.execute(SQL(generated: change)) }
    let connection = try Connection(workplace.output, opening: .readOnly)
    // It does not look for that.
    #expect(try connection.faults(.structure).isEmpty)
    #expect(try !connection.faults(.full).isEmpty)
    try connection.close()
    let verifier = CatalogVerifier(
      path: workplace.output, descriptor: -1, schema: Family.schema, indexes: [])
    let error = #expect(throws: IngestError.self) {
      try verifier.check(inserted: [2, rows, 1, 2])
    }
    #expect(error?.kind == .inputOutput)
    let words = "the index things_node_code has 1 entries for the \(rows) rows of things"
    #expect(error?.message.contains(words) == true)
  }

  /// Changes a file of whose indexes SQLite knows nothing meanwhile.
  private func pretendNoIndexes(in path: String, _ change: (Connection) throws -> Void) throws {
    var connection = try Connection(path, opening: .openExisting)
    let indexes = try connection.query(
      "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE type = 'index' AND sql != ''"
    )
    #expect(!indexes.isEmpty)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute("DELETE FROM sqlite_schema WHERE type = 'index' AND sql != ''")
    try connection.close()
    connection = try Connection(path, opening: .openExisting)
    try change(connection)
    try connection.execute("PRAGMA writable_schema = ON")
    for index in indexes {
      try connection.execute(
        "INSERT INTO sqlite_schema VALUES (\(index[0]), \(index[1]), \(index[2]), \(index[3]), \(index[4]))"
      )
    }
    try connection.close()
  }
}
