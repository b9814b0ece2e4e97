import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization
import Testing

/// A server as its tasks use a pool: accounts whose sum never changes, whatever is read and written at the same time.
@Suite struct ConnectionPoolServerTests {
  private final class Counts: Sendable {
    let requests = Atomic(0)
    let writes = Atomic(0)
    let mistakes = Atomic(0)
  }

  private static let accounts = 100
  private static let tasks = 64
  private static let requests = 10_000

  @Test func `10,000 mixed requests of 64 tasks find every state consistent`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try ConnectionPool(folder.path + "/bank.sqlite", opening: .openOrCreate, readers: 4)
    {
      connection throws(SQLiteError) in
      // The disk is not what is tested.
      try connection.set(.synchronous, to: .normal)
    }
    try await pool.write { connection in
      try connection.execute("CREATE TABLE accounts (id INTEGER PRIMARY KEY, coins INTEGER)")
      try connection.execute("CREATE TABLE transfers (source INTEGER, target INTEGER)")
      for id in 0..<Self.accounts {
        try connection.execute("INSERT INTO accounts VALUES (\(id), 1000)")
      }
    }
    let counts = Counts()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.tasks {
        group.addTask {
          while true {
            let number = counts.requests.add(1, ordering: .relaxed).oldValue
            guard number < Self.requests else { return }
            if number % 4 == 0 {
              try await Self.transfer(number, pool)
              counts.writes.add(1, ordering: .relaxed)
            } else if try await !Self.isConsistent(number, pool) {
              counts.mistakes.add(1, ordering: .relaxed)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let (mistakes, writes) = (
      counts.mistakes.load(ordering: .relaxed), counts.writes.load(ordering: .relaxed)
    )
    #expect(mistakes == 0)
    let transfers = try await pool.read {
      try $0.first("SELECT count(*) FROM transfers", as: Int.self)
    }
    #expect(transfers == Self.requests / 4 && transfers == writes)
    try await pool.close()
  }

  private static func transfer(_ number: Int, _ pool: ConnectionPool) async throws {
    let (source, target) = (number * 7 % accounts, (number * 13 + 1) % accounts)
    try await pool.write { connection in
      try connection.execute("UPDATE accounts SET coins = coins - 1 WHERE id = \(source)")
      try connection.execute("UPDATE accounts SET coins = coins + 1 WHERE id = \(target)")
      try connection.execute("INSERT INTO transfers VALUES (\(source), \(target))")
    }
  }

  private static func isConsistent(_ number: Int, _ pool: ConnectionPool) async throws -> Bool {
    let id = number % accounts
    return try await pool.read { connection in
      let balance = try connection.first(
        "SELECT coins FROM accounts WHERE id = \(id)", as: Int.self)
      let sum = try connection.first("SELECT sum(coins) FROM accounts", as: Int.self)
      let moved = try connection.first(
        """
        SELECT 1000 + (SELECT count(*) FROM transfers WHERE target = \(id))
          - (SELECT count(*) FROM transfers WHERE source = \(id))
        """, as: Int.self)
      return sum == 1000 * accounts && balance == moved
    }
  }
}
