import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

/// A record with Foundation's types.
private struct Event: Codable, Equatable {
  var id: UUID
  var at: Date
  var end: Date?
  var content: Data?
}

struct RecordTests {
  private let table = TableDescription(
    "events",
    columns: [
      ColumnDescription("id", .text), ColumnDescription("at", .text),
      ColumnDescription("end", .text, isNullable: true),
      ColumnDescription("content", .blob, isNullable: true),
    ],
    primaryKey: ["id"])

  @Test func `dates, UUIDs and data are stored as without a record`() throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: table)
    let start = Date(timeIntervalSince1970: 1_709_209_800.25)
    let events = [
      Event(id: UUID(), at: start, end: start, content: Data([0, 255])),
      Event(id: UUID(), at: start, end: nil, content: nil),
    ]
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for event in events { try insert.insert(record: event) }
    #expect(
      try connection.query("SELECT * FROM events ORDER BY \"end\" DESC", as: Event.self) == events)
    #expect(
      try connection.query("SELECT id, at, content FROM events ORDER BY \"end\" DESC") == [
        [.text(events[0].id.uuidString), "2024-02-29 12:30:00.250", .blob([0, 255])],
        [.text(events[1].id.uuidString), "2024-02-29 12:30:00.250", .null],
      ])
    let invalid = Event(id: UUID(), at: Date(timeIntervalSince1970: .infinity))
    let error = try #require(throws: SQLiteError.self) { try insert.insert(record: invalid) }
    #expect(error.code == .range)
    #expect(error.message == "at: the date is not in the years 0000 to 9999")
  }

  @Test func `an unreadable date is an error`() throws {
    let connection = try Connection.inMemory()
    for (at, message) in [
      ("secret", "column 1 (at): expected a date, such as 2024-05-31 12:30:00"),
      (.null, "column 1 (at): expected a value, found NULL; read it as an optional"),
      (1.5, "column 1 (at): expected text, found a real"),
    ] as [(SQLiteValue, String)] {
      let id = UUID()
      let error = try #require(throws: SQLiteError.self) {
        _ = try connection.query(
          "SELECT \(id) AS id, \(at) AS at, NULL AS \"end\", NULL AS content", as: Event.self)
      }
      #expect(error.message == message)
    }
  }
}
