import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples in the comments of the members of connections, of their settings and of stores.
struct DocumentationMemberTests {
  typealias Team = DocumentationCommentTests.Team
  typealias TeamHelper = DocumentationCommentTests.TeamHelper

  private func withParts(_ body: (Connection, String) throws -> Void) throws {
    try withFolder { folder in
      let path = folder + "/parts.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
      try connection.execute(
        "INSERT INTO parts VALUES ('3001', 'Brick'), ('973', 'Torso'), ('x1', NULL)")
      try body(connection, path)
    }
  }

  @Test func `the examples of openings and of closing`() throws {
    try withParts { connection, path in
      let writer = try Connection(path, opening: .openExisting)
      let reader = try Connection(path, opening: .readOnly)

      try writer.execute("DELETE FROM parts WHERE name IS NULL")
      let error = try failure { try reader.execute("DELETE FROM parts") }
      #expect(error.code == .readOnly)
      #expect(try reader.rows(of: "parts").count == 2)

      try connection.close()
      try FileManager.default.removeItem(atPath: path)

      #expect(try failure { _ = try connection.changes }.code == .misuse)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `the examples of transactions`() throws {
    try withParts { connection, _ in
      let counts = try connection.transaction(.deferred) {
        let all = try connection.value(of: "SELECT count(*) FROM parts")
        let named = try connection.value(of: "SELECT count(name) FROM parts")
        return (all, named)
      }

      try connection.execute("BEGIN")
      try connection.execute("DELETE FROM parts")

      if try connection.isInTransaction { try connection.execute("ROLLBACK") }

      #expect(counts == (3, 2))
      #expect(try !connection.isInTransaction)
      #expect(try connection.rows(of: "parts").count == 3)
    }
  }

  private struct TooMany: Error, Equatable { var count: Int }
  private struct NoName: Error, Equatable { var part: String }

  @Test func `the examples of closures with their own errors`() throws {
    try withParts { connection, _ in
      #expect(throws: TooMany(count: 3)) { try deleteFew(connection, like: "*") }
      #expect(throws: NoName(part: "x1")) { try names(connection) }
      let rows = try connection.rows(of: "parts")
      #expect(rows.count == 3)
    }
  }

  private func deleteFew(_ connection: Connection, like pattern: String) throws {
    try connection.transaction {
      try connection.execute("DELETE FROM parts WHERE part_num GLOB \(pattern)")
      let count = try connection.changes
      guard count <= 2 else { throw TooMany(count: count) }
    }
  }

  private func names(_ connection: Connection) throws -> [String] {
    var names: [String] = []

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      guard let name = try row.text(at: 1) else { throw NoName(part: try row["part_num"]) }
      names.append(name)
    }

    return names
  }

  @Test func `the examples of an interrupter and of trace events`() throws {
    struct Button {
      var press: () -> Void

      init(_ title: String, press: @escaping () -> Void) { self.press = press }
    }

    try withParts { connection, _ in
      var log: [String] = []

      let interrupter = connection.interrupter
      let stop = Button("Stop") { interrupter.interrupt() }
      connection.traceHandler = { event in
        if case .failed(let error) = event { log.append("\(error.code): \(error.message)") }
      }

      let error = try failure {
        try connection.forEachRow(of: "SELECT name FROM parts") { _ in stop.press() }
      }
      #expect(error.code == .interrupted)
      #expect(log == ["SQLITE_INTERRUPT: interrupted"])
    }
  }

  @Test func `the examples of backups and checks`() throws {
    try withParts { connection, path in
      let copy = path + ".copy"
      var done = 0.0

      try connection.backUp(to: copy, opening: .createNew, pagesPerStep: 1) { progress in
        done = 1 - Double(progress.remainingPages) / Double(progress.totalPages)
      }

      let isSound = try connection.faults(.full, ofTable: "parts").isEmpty

      try connection.execute("CREATE TABLE stock (part_num TEXT REFERENCES parts)")
      try connection.execute("INSERT INTO stock VALUES ('3001'), ('4711')")

      for violation in try connection.foreignKeyViolations() {
        guard let rowid = violation.rowid else { continue }
        try connection.execute(
          "DELETE FROM \(identifier: violation.table) WHERE rowid = \(rowid)")
      }

      #expect(done > 0 && done < 1)
      #expect(isSound)
      #expect(try connection.rows(of: "stock") == [["3001"]])
    }
  }

  @Test func `the examples of settings`() throws {
    try withParts { connection, _ in
      let option = "wal"

      try connection.set(.foreignKeys, to: true)
      let version = try connection.value(of: .userVersion)
      try connection.set(.userVersion, to: version + 1)
      #expect(try connection.value(of: .foreignKeys))
      #expect(try connection.value(of: .userVersion) == 1)

      try connection.set(.journalMode, to: .truncate)
      #expect(try connection.value(of: .journalMode) == .truncate)

      if let mode = Connection.JournalMode(rawValue: option) {
        try connection.set(.journalMode, to: mode)
      }
      #expect(try connection.value(of: .journalMode) == .wal)

      try connection.set(.synchronous, to: .normal)
      let mode = try connection.value(of: .synchronous)
      let mayLoseCommits = mode == .off || mode == .normal
      #expect(mayLoseCommits)

      try connection.set(.cacheSize, to: .kibibytes(64 * 1024))
      #expect(try connection.value(of: .cacheSize) == .kibibytes(65_536))
      let pageSize = try connection.value(of: .pageSize)
      try connection.set(.cacheSize, to: .pages(8_000_000 / pageSize))
      #expect(try connection.value(of: .cacheSize) == .pages(1953))
    }

    let banner = "with SQLite \(SQLiteLibrary.version)"
    #expect(banner.hasPrefix("with SQLite 3."))
  }

  @Test func `the examples of a store`() throws {
    try withFolder { folder in
      let path = folder + "/teams.sqlite"
      let store = DataStore(path)
      let teams = TeamHelper(store: store)

      try store.connection?.set(.foreignKeys, to: true)
      try teams.createTable()
      try teams.insert(Team(city: "Boston"))
      let cities = try teams.findAll().map(\.city)

      #expect(try store.connection?.value(of: .foreignKeys) == true)
      #expect(cities == ["Boston"])
      #expect(try rest(ofFileAt: path) == cities)

      try store.close()
      try FileManager.default.removeItem(atPath: path)

      #expect(throws: DataAccessError.self) { try teams.findAll() }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  private func rest(ofFileAt path: String) throws -> [String?] {
    let store = DataStore(path, opening: .readOnly)
    let teams = try TeamHelper(store: store).findAll()

    #expect(throws: DataAccessError.self) { try TeamHelper(store: store).insert(Team(city: "x")) }
    return teams.map(\.city)
  }

  @Test func `the example of a store of a connection`() throws {
    let store = DataStore(try Connection.inMemory())

    try store.createTables([TeamHelper(store: store)])
    #expect(try TeamHelper(store: store).findAll() == [])
  }
}
