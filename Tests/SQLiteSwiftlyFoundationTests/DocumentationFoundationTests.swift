import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

/// The examples of the module's page and comments.
struct DocumentationFoundationTests {
  @Test func `the example of the module`() throws {
    let connection = try Connection.inMemory()

    let events = TableDescription(
      "events",
      columns: [
        ColumnDescription("id", .text), ColumnDescription("at", .text),
        ColumnDescription("content", .blob, isNullable: true),
      ],
      primaryKey: ["id"])
    try connection.createTable(describedBy: events)

    let (id, now) = (UUID(), Date.now)
    try connection.execute("INSERT INTO events VALUES (\(id), \(now), \(Data([1, 2, 3])))")

    var sizes: [Date: Int] = [:]
    for row in try connection.readAllRows(fromTable: events) {
      let content: Data? = try row.value("content")
      sizes[try row.value("at")] = content?.count
    }
    let recent = try connection.query(
      "SELECT id FROM events WHERE at >= datetime('now', '-1 hour')", as: UUID.self)

    #expect(recent == [id])
    #expect(sizes.count == 1 && sizes.values.first == 3)
    #expect(abs(try #require(sizes.keys.first).timeIntervalSince(now)) < 0.000_6)
  }

  @Test func `the example of an error`() throws {
    let connection = try Connection.inMemory()
    let id = UUID()
    var report = ""

    do {
      try connection.execute("INSERT INTO events (id) VALUES (\(id))")
    } catch {
      report = error.localizedDescription
    }

    #expect(
      report == "no such table: events (SQLITE_ERROR, 1) in: INSERT INTO events (id) VALUES (?)")
  }

  @Test func `the example of dates as integers`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE visits (at INTEGER) STRICT")
    let visit = Date(timeIntervalSince1970: 1_709_209_800)

    try connection.execute("INSERT INTO visits VALUES (\(IntegerDate(visit)))")
    let visits = try connection.query("SELECT at FROM visits", as: IntegerDate.self).map(\.date)

    #expect(visits == [visit])
    #expect(try connection.query("SELECT at FROM visits") == [[1_709_209_800]])
  }

  @Test func `the example of dates`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE events(id TEXT, at TEXT, content BLOB) STRICT")

    let start = Date(timeIntervalSince1970: 1_709_209_800.25)
    try connection.execute("INSERT INTO events VALUES (\(UUID()), \(start), \(Data([1, 2])))")

    let dates = try connection.query(
      "SELECT at FROM events WHERE at >= \(start)", as: Date.self)
    let weekday = try connection.value(of: "SELECT strftime('%w', at) FROM events")?.textValue

    #expect(dates == [start])
    #expect(weekday == "4")
    #expect(try start.sqliteValue == "2024-02-29 12:30:00.250")
  }
}
