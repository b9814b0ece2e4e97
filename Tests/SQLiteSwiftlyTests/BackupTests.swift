import Foundation
import Testing

@testable import SQLiteSwiftly

struct BackupTests {
  /// A database of `rows` rows, each on its own page.
  private func fill(
    _ connection: Connection, rows: Int, text: String = "new"
  ) throws -> Connection {
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB)")
    try connection.execute(
      """
      WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < \(rows))
      INSERT INTO t SELECT a, \(text), zeroblob(3000) FROM n
      """)
    return connection
  }

  private func summary(_ connection: Connection) throws -> [[SQLiteValue]] {
    try connection.query("SELECT min(b), max(b), count(*), sum(a) FROM t")
  }

  private func summary(ofFile path: String) throws -> [[SQLiteValue]] {
    let connection = try Connection(path, opening: .readOnly)
    #expect(try connection.faults(.full) == [])
    return try summary(connection)
  }

  private let hundred: [[SQLiteValue]] = [
    [.text("new"), .text("new"), .integer(100), .integer(5050)]
  ]
  private let twenty: [[SQLiteValue]] = [[.text("old"), .text("old"), .integer(20), .integer(210)]]

  @Test func `a backup is the database, step by step`() throws {
    try withFolder { folder in
      let path = folder + "/copy.sqlite"
      let source = try fill(.inMemory(), rows: 100)
      try source.set(.userVersion, to: 7)
      let pages = try source.value(of: .pageCount)
      var progress: [BackupProgress] = []
      try source.backUp(to: path, opening: .createNew, pagesPerStep: 40) { progress.append($0) }
      #expect(
        progress == [
          BackupProgress(remainingPages: pages - 40, totalPages: pages),
          BackupProgress(remainingPages: pages - 80, totalPages: pages),
        ])
      #expect(try openFiles(below: folder) == [])
      #expect(try contents(of: folder).keys.sorted() == ["copy.sqlite"])
      #expect(try summary(ofFile: path) == hundred)
      let copy = try Connection(path, opening: .readOnly)
      #expect(try copy.value(of: .userVersion) == 7)
      #expect(try copy.value(of: .pageCount) == pages)
    }
  }

  @Test func `an empty database can be backed up, and a backup restored`() throws {
    try withFile { path in
      try Connection.inMemory().backUp(to: path, opening: .openOrCreate)
      #expect(try Connection(path, opening: .readOnly).value(of: .pageCount) == 1)
      try fill(.inMemory(), rows: 100).backUp(to: path, opening: .openExisting)
      let restored = try fill(.inMemory(), rows: 20, text: "old")
      try Connection(path, opening: .readOnly).backUp(into: restored)
      #expect(try summary(restored) == hundred)
    }
  }

  /// The expected state of the target, whether it exists, and the code of the error, if any.
  static let openings: [(Connection.Opening, Bool, SQLiteError.ResultCode?)] = [
    (.createNew, false, nil), (.createNew, true, .cannotOpen),
    (.openExisting, false, .cannotOpen), (.openExisting, true, nil),
    (.openOrCreate, false, nil), (.openOrCreate, true, nil),
    (.readOnly, false, .cannotOpen), (.readOnly, true, .readOnly),
  ]

  @Test("SW-33 SW-34 a target is in the expected state, or unchanged", arguments: openings)
  func expectations(
    opening: Connection.Opening, isThere: Bool, code: SQLiteError.ResultCode?
  ) throws {
    try withFolder { folder in
      let path = folder + "/copy.sqlite"
      if isThere { _ = try fill(Connection(path, opening: .createNew), rows: 20, text: "old") }
      let before = try contents(of: folder)
      let source = try fill(.inMemory(), rows: 100)
      if let code {
        #expect(try failure { try source.backUp(to: path, opening: opening) }.code == code)
        #expect(try contents(of: folder) == before)
      } else {
        try source.backUp(to: path, opening: opening)
        #expect(try summary(ofFile: path) == hundred)
      }
      #expect(try openFiles(below: folder) == [])
    }
  }

  @Test(
    "SW-65 a backup that its caller ends leaves all as it was",
    arguments: [
      (.createNew, false), (.openOrCreate, false), (.openOrCreate, true), (.openExisting, true),
    ] as [(Connection.Opening, Bool)])
  func ended(opening: Connection.Opening, isThere: Bool) throws {
    try withFolder { folder in
      let path = folder + "/copy.sqlite"
      if isThere { _ = try fill(Connection(path, opening: .createNew), rows: 20, text: "old") }
      let before = try contents(of: folder)
      let source = try fill(.inMemory(), rows: 100)
      let own = SQLiteError(.abort, "enough")
      let error = try failure {
        try source.backUp(to: path, opening: opening, pagesPerStep: 1) {
          progress throws(SQLiteError) in
          if progress.remainingPages < 5 { throw own }
        }
      }
      #expect(error == own)
      #expect(try openFiles(below: folder) == [])
      #expect(try contents(of: folder) == before)
      // The source is as good as before.
      try source.execute("DROP TABLE t")
    }
  }

  @Test func `a crash in the middle leaves the target as it was`() throws {
    try withFolder { folder in
      let (path, crashed) = (folder + "/copy.sqlite", folder + "/crashed.sqlite")
      let target = try fill(Connection(path, opening: .createNew), rows: 20, text: "old")
      // Pages that do not fit into memory are written early.
      try target.set(.cacheSize, to: .pages(5))
      let before = try #require(try contents(of: folder)["copy.sqlite"])
      let source = try fill(.inMemory(), rows: 100)
      var result = Result<String?, any Error> { nil }
      try source.backUp(into: target, pagesPerStep: 1) { progress in
        guard progress.remainingPages == 10 else { return }
        result = Result { () throws -> String? in
          // Closing the file releases SQLite's locks on it; nothing else uses them here.
          for suffix in ["", "-journal"] {
            try Data(contentsOf: URL(filePath: path + suffix))
              .write(to: URL(filePath: crashed + suffix))
          }
          return try contents(of: folder)["crashed.sqlite"]
        }
      }
      #expect(try result.get() != before && result.get() != nil)
      #expect(try summary(ofFile: path) == hundred)
      let recovered = try Connection(crashed, opening: .openExisting)
      #expect(try summary(recovered) == twenty)
      #expect(try recovered.faults(.full) == [])
    }
  }

  @Test("SW-62 a target that may not grow is full and stays as it was") func full() throws {
    try withFile { path in
      let target = try fill(Connection(path, opening: .createNew), rows: 20, text: "old")
      try target.set(.maximumPageCount, to: 50)
      let source = try fill(.inMemory(), rows: 100)
      let error = try failure { try source.backUp(into: target) }
      #expect(error == SQLiteError(.full, "backup: database or disk is full"))
      #expect(try summary(target) == twenty)
      #expect(try !target.isInTransaction)
    }
  }

  @Test("SW-62 a database cannot be backed up into itself") func itself() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let source = try fill(Connection(path, opening: .createNew), rows: 20, text: "old")
      try FileManager.default.linkItem(atPath: path, toPath: folder + "/hard.sqlite")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/soft.sqlite", withDestinationPath: path)
      let before = try contents(of: folder)
      let expected = SQLiteError(.misuse, "a database cannot be backed up into itself")
      for name in ["a", "hard", "soft"] {
        for opening in [Connection.Opening.openExisting, .openOrCreate] {
          let target = folder + "/\(name).sqlite"
          #expect(try failure { try source.backUp(to: target, opening: opening) } == expected)
        }
      }
      #expect(try failure { try source.backUp(into: source) } == expected)
      let memory = try Connection.inMemory()
      #expect(try failure { try memory.backUp(into: memory) } == expected)
      #expect(try contents(of: folder) == before)
      #expect(try openFiles(below: folder) == [path])
    }
  }

  @Test(
    "SW-62 a step of no pages is refused, since it would never end", arguments: [0, -1, Int.min])
  func noPages(pages: Int) throws {
    let source = try fill(.inMemory(), rows: 20)
    let error = try failure { try source.backUp(into: .inMemory(), pagesPerStep: pages) }
    #expect(error.message == "pagesPerStep must be positive, not \(pages)")
    try source.backUp(into: .inMemory(), pagesPerStep: .max)
  }

  @Test("SW-62 conflicting transactions are errors") func transactions() throws {
    let (source, target) = (try fill(.inMemory(), rows: 100), try Connection.inMemory())
    try source.execute("BEGIN")
    try source.backUp(into: target)
    #expect(try summary(target) == hundred)
    try source.execute("DELETE FROM t WHERE a > 20")
    #expect(
      try failure { try source.backUp(into: target) }.message
        == "a backup cannot run within a write transaction; commit it first")
    try source.execute("ROLLBACK")
    try target.execute("BEGIN")
    _ = try summary(target)
    try expectFailure("destination database is in use") { try source.backUp(into: target) }
    try target.execute("ROLLBACK")
    try source.backUp(into: target)
  }

  @Test("SW-62 a database in memory keeps its page size") func pageSizes() throws {
    let source = try Connection.inMemory()
    try source.set(.pageSize, to: 512)
    let target = try fill(.inMemory(), rows: 20, text: "old")
    let error = try failure { try fill(source, rows: 100).backUp(into: target) }
    #expect(error == SQLiteError(.readOnly, "backup: attempt to write a readonly database"))
    #expect(try summary(target) == twenty)
  }

  @Test("SW-62 a backup waits for a lock on the target up to its timeout") func busy() throws {
    try withFolder { folder in
      let path = folder + "/copy.sqlite"
      let holder = try fill(Connection(path, opening: .createNew), rows: 20, text: "old")
      let source = try fill(Connection(folder + "/a.sqlite", opening: .createNew), rows: 100)
      try holder.beginTransaction()
      let error = try failure { try source.backUp(to: path, opening: .openExisting) }
      #expect(error == SQLiteError(.busy, "backup: database is locked"))
      source.busyTimeout = .milliseconds(50)
      let start = ContinuousClock.now
      #expect(try failure { try source.backUp(to: path, opening: .openExisting) } == error)
      #expect(.now - start >= .milliseconds(50))
      try holder.commitTransaction()
      #expect(try summary(holder) == twenty)
      try source.backUp(to: path, opening: .openExisting)
      #expect(try summary(holder) == hundred)
    }
  }

  @Test(arguments: [Connection.JournalMode.wal, .delete])
  func `a backup beside a writer is of one moment, and ends`(
    mode: Connection.JournalMode
  ) throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let source = try fill(
        Connection(path, opening: .createNew, busyTimeout: .seconds(10)), rows: 300)
      try source.set(.journalMode, to: mode)
      try source.execute("CREATE TABLE rounds AS SELECT 0 AS number, 0 AS sum")
      let writer = Writer(path)
      try writer.awaitRound()
      var steps = 0
      try source.backUp(to: folder + "/copy.sqlite", opening: .createNew, pagesPerStep: 10) { _ in
        steps += 1
        usleep(1000)
      }
      try writer.stop()
      // A restarted copy would have made more steps.
      #expect(try steps < source.value(of: .pageCount) / 10 + 1)
      let copy = try Connection(folder + "/copy.sqlite", opening: .openExisting)
      #expect(try copy.faults(.full) == [])
      let round = try copy.query("SELECT number, sum FROM rounds")[0]
      let number = try #require(round[0].integerValue)
      #expect(number > 0 && round[1] == .integer(number * (number + 1) / 2))
      #expect(
        try copy.query("SELECT count(*) FROM t WHERE b = \("\(number)")")
          == [[.integer(300)]])
      let last = try source.value(of: "SELECT number FROM rounds")?.integerValue
      #expect(try #require(last) > number)
    }
  }
}

/// A thread that changes every row and a sum of the database `a.sqlite` in one transaction after the other.
private final class Writer: @unchecked Sendable {
  private let lock = NSLock()
  private let ended = DispatchSemaphore(value: 0)
  private var rounds = 0
  private var isStopped = false
  private var failure: (any Error)?

  init(_ path: String) {
    Thread.detachNewThread { [self] in
      do { try write(path) } catch { lock.withLock { failure = error } }
      ended.signal()
    }
  }

  private func write(_ path: String) throws {
    let connection = try Connection(path, opening: .openExisting, busyTimeout: .seconds(10))
    while lock.withLock({ !isStopped }) {
      let round = lock.withLock { rounds } + 1
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("UPDATE t SET b = \("\(round)")")
        try connection.execute("UPDATE rounds SET number = \(round), sum = sum + \(round)")
      }
      lock.withLock { rounds = round }
    }
  }

  /// Waits until a round is done.
  func awaitRound() throws {
    while lock.withLock({ rounds == 0 && failure == nil }) { usleep(1000) }
    if let failure = lock.withLock({ failure }) { throw failure }
  }

  /// Lets another round come to its end, and the thread to its own.
  func stop() throws {
    let round = lock.withLock { rounds }
    while lock.withLock({ rounds < round + 2 && failure == nil }) { usleep(1000) }
    lock.withLock { isStopped = true }
    ended.wait()
    if let failure = lock.withLock({ failure }) { throw failure }
  }
}
