import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization
import Testing

/// What work in a pool can do wrong, or leave behind for the work after it.
struct ConnectionPoolMisuseTests {
  @Test func `nothing of an authorizer is left in the statements that are kept`() async throws {
    try await withPool { pool, _ in
      try await pool.write { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        let query: SQL = "SELECT a FROM t"
        #expect(try connection.query(query) == [[1]])
        connection.authorizer = { action in
          if case .read = action.operation { .ignore } else { .allow }
        }
        #expect(try connection.query(query) == [[.null]])
        connection.authorizer = nil
        #expect(try connection.query(query) == [[1]])
      }
    }
  }

  @Test func `the error of work outside of a transaction is its own`() async throws {
    try await withPool { pool, _ in
      let error = try await refusal {
        try await pool.writeWithoutTransaction { connection in
          try connection.execute("BEGIN")
          try connection.execute("INSERT INTO t VALUES (1)")
          try connection.execute("INSERT INTO t VALUES (1)")
        }
      }
      #expect(error.code == .constraint)
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [])
      try await pool.write { try $0.execute("INSERT INTO t VALUES (1)") }
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [[1]])
    }
  }

  /// Keeps the decoder of a row beyond its read.
  private final class Keeper: Sendable {
    private struct Kept: @unchecked Sendable { var decoder: SQLiteQueryDecoder? }
    private let kept = Mutex(Kept())

    func keep(_ row: borrowing Row) {
      let kept = Kept(decoder: row.decoder())
      self.kept.withLock { $0 = kept }
    }

    func drop() { kept.withLock { $0 = Kept() } }
  }

  @Test func `a decoder that is kept keeps no other connection open`() async throws {
    try await withPool(readers: 2) { pool, _ in
      try await pool.write { try $0.execute("INSERT INTO t VALUES (1)") }
      let keeper = Keeper()
      try await pool.read { connection in
        try connection.forEachRow(of: "SELECT a FROM t") { keeper.keep($0) }
      }
      let error = try await refusal { try await pool.close() }
      #expect(error.code == .busy)
      let write = try await refusal { try await pool.write { _ in } }
      #expect(write == SQLiteError(.misuse, "the pool is closed"))
      keeper.drop()
    }
  }

  @Test func `a write locks a database that was attached after another one`() async throws {
    try await withPool { pool, path in
      let second = path + "-second"
      let other = try Connection(second, opening: .createNew)
      try other.execute("CREATE TABLE u (b INTEGER)")
      try await pool.writeWithoutTransaction { connection in
        try connection.transaction { try connection.execute("INSERT INTO t VALUES (1)") }
        try connection.execute("ATTACH \(second) AS second")
        try connection.transaction {
          let own = try Connection(second, opening: .openExisting)
          let error = try #require(throws: SQLiteError.self) {
            try own.execute("INSERT INTO u VALUES (1)")
          }
          #expect(error.code == .busy)
        }
      }
      try other.execute("INSERT INTO u VALUES (2)")
    }
  }

  @Test func `a pool that is dropped loses nothing`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/pool.sqlite"
    for number in 1...3 {
      let pool = try ConnectionPool(path, opening: .openOrCreate)
      try await pool.write { connection in
        try connection.execute("CREATE TABLE IF NOT EXISTS t (a INTEGER)")
        try connection.execute("INSERT INTO t VALUES (\(number))")
      }
    }
    #expect(
      try Connection(path, opening: .openExisting).query("SELECT a FROM t") == [[1], [2], [3]])
  }

  @Test func `an interrupter that is kept interrupts no later work`() async throws {
    let pool = try ConnectionPool.inMemory(readers: 1)
    let kept = try await pool.read { $0.interrupter }
    @Sendable func count(
      _ connection: Connection, _ interrupter: Interrupter
    ) throws -> Int {
      var count = 0
      try connection.forEachRow(of: "VALUES (1), (2), (3)") { _ in
        interrupter.interrupt()
        count += 1
      }
      return count
    }
    #expect(try await pool.read { try count($0, kept) } == 3)
    let error = try await #require(throws: SQLiteError.self) {
      try await pool.read { try count($0, $0.interrupter) }
    }
    #expect(error.code == .interrupted)
  }
}
