import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

/// The examples of the module's page and comments.
struct FoundationExamples {
  @Test func `the example of the module`() throws {
    let connection = try Connection.inMemory()

    // Example: SQLiteSwiftlyFoundation # Overview

    #expect(recent == [id])
    #expect(sizes.count == 1 && sizes.values.first == 3)
    #expect(abs(try #require(sizes.keys.first).timeIntervalSince(now)) < 0.000_6)
  }

  @Test func `the example of dates as integers`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE visits (at INTEGER) STRICT")
    let visit = Date(timeIntervalSince1970: 1_709_209_800)

    // Example: OtherForms.swift # IntegerDate

    #expect(visits == [visit])
    #expect(try connection.query("SELECT at FROM visits") == [[1_709_209_800]])
  }

  @Test func `the example of dates`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE events(id TEXT, at TEXT, content BLOB) STRICT")

    // Example: DateAsText.swift # sqliteValue

    #expect(dates == [start])
    #expect(weekday == "4")
    #expect(try start.sqliteValue == "2024-02-29 12:30:00.250")
  }
}
