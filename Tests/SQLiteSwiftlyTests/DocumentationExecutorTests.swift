import Dispatch
import Foundation
import SQLiteSwiftly
import Testing

/// The overview's actor with its own thread.
struct DocumentationExecutorTests {
  final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "catalog")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  actor Writer {
    private let executor = QueueExecutor()
    private let connection: Connection

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe executor.asUnownedSerialExecutor()
    }

    init(_ path: String) throws(SQLiteError) {
      connection = try Connection(path, opening: .openExisting, busyTimeout: .seconds(5))
    }

    func insert(_ number: String, _ name: String) throws(SQLiteError) {
      try connection.execute("INSERT INTO parts VALUES (\(number), \(name))")
    }
  }

  /// Far more actors wait for a lock than tasks have threads.
  ///
  /// The task that holds the lock continues meanwhile. On the threads of tasks it could never release
  /// the lock, and each insert would fail.
  ///
  /// Runs in its own process, since the other tests block threads of tasks, too.
  @Test func `SK-31 actors on their own queues do not block the threads of tasks`() async {
    await #expect(processExitsWith: .success) { try await Self.releaseWhatActorsWaitFor() }
  }

  private static func releaseWhatActorsWaitFor() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/catalog.sqlite"
    let holder = try Connection(path, opening: .createNew)
    try holder.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    try holder.execute("BEGIN IMMEDIATE")

    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let (begun, signal) = AsyncStream<Void>.makeStream()
    let writers = try (0..<count).map { _ in try Writer(path) }
    let tasks = writers.enumerated().map { number, writer in
      Task {
        signal.yield()
        try await writer.insert("\(number)", "Brick")
      }
    }
    var waiting = 0
    for await _ in begun {
      waiting += 1
      if waiting == count { break }
    }
    try await Task.sleep(for: .milliseconds(50))
    try holder.execute("COMMIT")
    for task in tasks { try await task.value }
    let rows = try holder.value(of: "SELECT count(*) FROM parts")
    #expect(rows == .integer(Int64(count)))
  }
}
