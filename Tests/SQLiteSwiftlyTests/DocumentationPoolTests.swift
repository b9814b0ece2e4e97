import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of the connection pool.
struct DocumentationPoolTests {
  /// Runs `body` with the path of a database with a table of parts.
  private static func withParts(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/catalog.sqlite"
    let connection = try Connection(path, opening: .createNew)
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    try connection.close()
    try await body(path)
  }

  @Test func `SK-30 SK-31 the example of the overview`() async throws {
    try await Self.withParts { path in
      let (number, name) = ("3001", "Brick 2 x 4")

      let pool = try ConnectionPool(path) { connection throws(SQLiteError) in
        try connection.set(.foreignKeys, to: true)
      }
      try await pool.write { connection in
        try connection.execute("INSERT INTO parts VALUES (\(number), \(name))")
      }
      let names = try await pool.read { connection in
        try connection.query("SELECT name FROM parts", as: String.self)
      }
      try await pool.writeWithoutTransaction { try $0.execute("VACUUM") }
      try await pool.close()

      #expect(names == ["Brick 2 x 4"])
      let rows = try Connection(path, opening: .readOnly).query("SELECT * FROM parts")
      #expect(rows == [["3001", "Brick 2 x 4"]])
    }
  }

  @Test func `SK-30 SK-31 the example of the comment`() async throws {
    try await Self.withParts { path in
      let (number, name) = ("3001", "Brick 2 x 4")

      let pool = try ConnectionPool(path, readers: 4)
      try await pool.write { connection in
        try connection.execute("INSERT INTO parts VALUES (\(number), \(name))")
      }
      let count = try await pool.read { connection in
        try connection.first("SELECT count(*) FROM parts", as: Int.self)
      }

      #expect(count == 1)
    }
  }

  /// Far more writers wait for a lock than tasks have threads.
  ///
  /// The task that holds the lock continues meanwhile, and so do reads. On the threads of tasks it
  /// could never release the lock, and each write would fail.
  ///
  /// Runs in its own process, since the other tests block threads of tasks, too.
  @Test func `SK-31 writers that wait for a lock do not block the threads of tasks`() async {
    await #expect(processExitsWith: .success) { try await Self.releaseWhatWritersWaitFor() }
  }

  private static func releaseWhatWritersWaitFor() async throws {
    try await withParts { path in
      let count = 4 * ProcessInfo.processInfo.activeProcessorCount
      let pools = try (0..<count).map { _ in
        try ConnectionPool(path, opening: .openExisting, readers: 1)
      }
      let holder = try Connection(path, opening: .openExisting)
      try holder.execute("BEGIN IMMEDIATE")

      let (begun, signal) = AsyncStream<Void>.makeStream()
      let tasks = pools.enumerated().map { number, pool in
        Task {
          signal.yield()
          try await pool.write { connection in
            try connection.execute("INSERT INTO parts VALUES (\(number), 'Brick')")
          }
        }
      }
      var waiting = 0
      for await _ in begun {
        waiting += 1
        if waiting == count { break }
      }
      // If reads waited for a writer, it would wait for the lock until its timeout, and fail.
      for pool in pools {
        try await Task.sleep(for: .milliseconds(2))
        let rows = try await pool.read { try $0.query("SELECT * FROM parts") }
        #expect(rows == [])
      }
      try holder.execute("COMMIT")
      for task in tasks { try await task.value }
      let rows = try holder.value(of: "SELECT count(*) FROM parts")
      #expect(rows == .integer(Int64(count)))
    }
  }
}
