import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import SQLiteSwiftlyFoundation
import Testing

/// Foundation's messages for the layer's errors.
struct LocalizedErrorTests {
  private static let cause = SQLiteError(.busy, "database is locked", sql: "BEGIN IMMEDIATE")

  static let errors: [(any Error, String)] = [
    (cause, "database is locked (SQLITE_BUSY, 5) in: BEGIN IMMEDIATE"),
    (
      DataAccessError.insert(cause),
      "cannot insert or update: database is locked (SQLITE_BUSY, 5) in: BEGIN IMMEDIATE"
    ),
    (DataAccessError.nilInData(column: "city"), "no value for the required column city"),
  ]

  @Test("an error without details reports what happened", arguments: errors)
  func localizedDescription(error: any Error, expected: String) {
    #expect(error.localizedDescription == expected)
    #expect("\(error)" == expected)
  }

  @Test func `a thrown error reports what happened`() {
    do {
      _ = try Connection("/nowhere/a.sqlite", opening: .openExisting)
      Issue.record("opened")
    } catch {
      let any: any Error = error
      #expect(any.localizedDescription.hasPrefix("/nowhere/a.sqlite: "))
    }
  }
}
