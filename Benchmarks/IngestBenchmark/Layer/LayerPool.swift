import Dispatch
import Glibc
import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization

/// Lookups by key through a pool, beside those of one connection on a thread.
func compareLookups(rows count: Int, rounds: Int, in folder: String) throws -> [Measurement] {
  let path = "\(folder)/lookups.sqlite"
  removeFile(path)
  defer { ["", "-wal", "-shm"].forEach { removeFile(path + $0) } }
  let connection = try Connection(path, opening: .openOrCreate)
  try connection.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, square INTEGER)")
  try connection.transaction {
    var insert = try connection.prepare("INSERT INTO numbers VALUES (?, ?)")
    for id in 0..<count { try insert.run(id, id * id) }
  }
  let pool = try ConnectionPool(path, opening: .openOrCreate, readers: 2)
  let sides = [
    Side(name: "lookups by key, a connection on a thread") {
      try clockSeconds { try lookUp(0..<count, on: connection) }
    },
    Side(name: "lookups by key, ConnectionPool, one read") {
      try clockSeconds {
        try wait { try await pool.read { try lookUp(0..<count, on: $0) } }
      }
    },
    Side(name: "lookups by key, ConnectionPool, a read for each of 64 tasks") {
      try clockSeconds {
        try wait {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
              group.addTask {
                for id in stride(from: task, to: count, by: 64) {
                  try await pool.read { try lookUp(id..<id + 1, on: $0) }
                }
              }
            }
            try await group.waitForAll()
          }
        }
      }
    },
  ]
  let series = zip(sides, try inTurn(sides, rounds: rounds)).map { side, seconds in
    Series(
      name: side.name, unit: .millionRowsPerSecond,
      figures: seconds.map { Double(count) / $0 / 1e6 })
  }
  return [series[0].measurement(of: .layer)]
    + series.dropFirst().map { $0.measurement(of: .layer, against: series[0]) }
}

/// The duration of a task's sleep of 0.1 s while four writers wait half a second for a lock: the
/// writers of pools, and actors with a connection each.
func compareSleeps(rounds: Int, in folder: String) throws -> [Measurement] {
  let path = "\(folder)/sleeps.sqlite"
  removeFile(path)
  defer { ["", "-wal", "-shm"].forEach { removeFile(path + $0) } }
  let holder = try Connection(path, opening: .openOrCreate)
  try holder.set(.journalMode, to: .wal)
  try holder.execute("CREATE TABLE t (a INTEGER)")
  let pools = try (0..<4).map { _ in try ConnectionPool(path, opening: .openOrCreate, readers: 1) }
  let actors = try (0..<4).map { _ in try Writer(path) }
  let sides = [
    Side(name: "a sleep of 100 ms beside 4 actors that wait for a lock") {
      try sleep(while: holder) { try await actors[$0].insert() }
    },
    Side(name: "a sleep of 100 ms beside 4 pools that wait for a lock") {
      try sleep(while: holder) { number in
        try await pools[number].write { try $0.execute("INSERT INTO t VALUES (1)") }
      }
    },
  ]
  return zip(sides, try inTurn(sides, rounds: rounds)).map { side, seconds in
    Series(name: side.name, unit: .milliseconds, figures: seconds.map { $0 * 1000 })
      .measurement(of: .layer)
  }
}

private func lookUp(_ ids: Range<Int>, on connection: Connection) throws(SQLiteError) {
  for id in ids {
    let square = try connection.first(
      "SELECT square FROM numbers WHERE id = \(id)", as: Int.self)
    guard square == id * id else { throw SQLiteError(.error, "wrong square of \(id)") }
  }
}

private actor Writer {
  private let connection: Connection

  init(_ path: String) throws(SQLiteError) {
    connection = try Connection(path, opening: .openExisting, busyTimeout: .seconds(5))
  }

  func insert() throws(SQLiteError) { try connection.execute("INSERT INTO t VALUES (1)") }
}

/// Holds the lock for half a second, in which four writers wait, and returns the seconds of the sleep.
private func sleep(
  while holder: Connection, _ write: @escaping @Sendable (Int) async throws -> Void
) throws -> Double {
  try holder.execute("BEGIN IMMEDIATE")
  let writers = (0..<4).map { number in Task { try await write(number) } }
  let slept = DispatchSemaphore(value: 0)
  let duration = Outcome(Duration.zero)
  // They wait by now.
  usleep(50_000)
  let start = ContinuousClock.now
  Task.detached {
    try await Task.sleep(for: .milliseconds(100))
    duration.set(ContinuousClock.now - start)
    slept.signal()
  }
  usleep(500_000)
  try holder.execute("COMMIT")
  slept.wait()
  for writer in writers { try wait { try await writer.value } }
  return duration.value / .seconds(1)
}

/// A value that a task sets, and a thread reads after it.
private final class Outcome<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>

  init(_ value: Value) { stored = Mutex(value) }

  func set(_ value: Value) { stored.withLock { $0 = value } }

  var value: Value { stored.withLock { $0 } }
}

/// Runs `body` in a task, and waits for it on this thread.
private func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
  let done = DispatchSemaphore(value: 0)
  let failure = Outcome<(any Error)?>(nil)
  Task.detached {
    do { try await body() } catch { failure.set(error) }
    done.signal()
  }
  done.wait()
  if let error = failure.value { throw error }
}
