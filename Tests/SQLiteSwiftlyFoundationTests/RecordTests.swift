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
      (1, "column 1 (at): expected text, found an integer"),
    ] as [(SQLiteValue, String)] {
      let id = UUID()
      let error = try #require(throws: SQLiteError.self) {
        _ = try connection.query(
          "SELECT \(id) AS id, \(at) AS at, NULL AS \"end\", NULL AS content", as: Event.self)
      }
      #expect(error.message == message)
    }
  }

  @Test func `a real is read as what a date encodes itself as`() throws {
    let connection = try Connection.inMemory()
    struct Visit: Codable, Equatable { var at: Date, end: Date? }
    let visits = try connection.query(
      "SELECT 730902600.25 AS at, 1.0 AS \"end\" UNION ALL SELECT '2024-02-29T12:30Z', NULL",
      as: Visit.self)
    #expect(
      visits == [
        Visit(
          at: Date(timeIntervalSinceReferenceDate: 730_902_600.25),
          end: Date(timeIntervalSinceReferenceDate: 1)),
        Visit(at: Date(timeIntervalSince1970: 1_709_209_800), end: nil),
      ])
    // Other reads take only the stored form.
    #expect(throws: SQLiteError.self) { _ = try connection.query("SELECT 1.0", as: Date.self) }
    #expect(
      try connection.query("SELECT 0.0 AS at, NULL AS \"end\"", as: Visit.self)
        == [Visit(at: Date(timeIntervalSinceReferenceDate: 0), end: nil)])
  }

  @Test func `nested values are JSON with dates in the same form`() throws {
    struct Place: Codable, Equatable { var name: String, opened: Date, site: URL, photo: Data? }
    struct Trip: Codable, Equatable {
      var id: Int, places: [Place], start: Place?, tags: [String: Int]
    }
    let table = TableDescription(
      "trips",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("places", .text),
        ColumnDescription("start", .text, isNullable: true), ColumnDescription("tags", .text),
      ], primaryKey: ["id"])
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: table)
    let site = try #require(URL(string: "https://example.org/a?b=c%20d"))
    let place = Place(
      name: "é\"/", opened: Date(timeIntervalSince1970: 1_709_209_800.25), site: site,
      photo: Data([0, 255]))
    let trips = [
      Trip(id: 1, places: [place, place], start: place, tags: ["b": 1, "a": 2]),
      Trip(id: 2, places: [], start: nil, tags: [:]),
    ]
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for trip in trips { try insert.insert(record: trip) }
    #expect(try connection.query("SELECT * FROM trips", as: Trip.self) == trips)
    // SQLite's own functions read it.
    #expect(
      try connection.query(
        "SELECT json(places) = places, start ->> 'opened', start ->> 'site', tags FROM trips") == [
          [1, "2024-02-29 12:30:00.250", .text(site.absoluteString), "{\"a\":2,\"b\":1}"],
          [1, .null, .null, "{}"],
        ])
    // Other programs store numbers from different starts.
    #expect(throws: SQLiteError.self) {
      _ = try connection.first(
        """
        SELECT '{"name":"x","opened":1.5,"site":"http:a"}' AS value
        """, as: [String: Place].self)
    }
    try connection.execute("UPDATE trips SET start = '{\"opened\":\"secret\"}' WHERE id = 2")
    let error = try #require(throws: SQLiteError.self) {
      _ = try connection.query("SELECT * FROM trips", as: Trip.self)
    }
    #expect(error.message.hasPrefix("column 2 (start): ") && !error.description.contains("secret"))
  }

  @Test func `a URL is text`() throws {
    let connection = try Connection.inMemory()
    let site = try #require(URL(string: "https://example.org/a?b=c%20d"))
    #expect(
      try connection.query("SELECT \(site), typeof(\(site))") == [
        [.text(site.absoluteString), "text"]
      ])
    #expect(
      try connection.query("SELECT \(site) UNION ALL SELECT NULL", as: URL?.self) == [site, nil])
    let error = try #require(throws: SQLiteError.self) {
      _ = try connection.query("SELECT ''", as: URL.self)
    }
    #expect(error.message == "column 0 (''): expected a URL")
  }
}
