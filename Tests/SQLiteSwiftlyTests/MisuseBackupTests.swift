import SQLiteSwiftly
import Testing

/// Backups and interrupts that come at the wrong time.
struct MisuseBackupTests {
  /// The action of a backup's closure.
  private static func during(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    _ body:
      @escaping @Sendable (_ source: Connection, _ target: Connection) throws(SQLiteError) ->
      Void
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      let target = try Connection.inMemory()
      try connection.backUp(into: target, pagesPerStep: 1) { _ throws(SQLiteError) in
        try body(connection, target)
      }
    }
  }

  private static let written = "the connection is the target of a running backup"

  static let cases: [Misuse] = [
    Misuse("no pages for each step", .misuse, "pagesPerStep must be positive, not") {
      connection, _ in
      try connection.backUp(into: .inMemory(), pagesPerStep: 0)
    },
    Misuse("the least pages for each step", .misuse, "pagesPerStep must be positive, not") {
      connection, _ in
      try connection.backUp(into: .inMemory(), pagesPerStep: .min)
    },
    Misuse("the most pages for each step", gives: "2") { connection, _ in
      let copy = try Connection.inMemory()
      try connection.backUp(into: copy, pagesPerStep: .max)
      return try copy.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("a database into itself", .misuse, "into itself") { connection, _ in
      try connection.backUp(into: connection)
    },
    Misuse("a file into itself", .misuse, "into itself") { connection, folder in
      try connection.backUp(into: Connection(folder + "/a.sqlite", opening: .openExisting))
    },
    Misuse("a file into its own path", .misuse, "into itself") { connection, folder in
      try connection.backUp(
        to: folder + "/../" + (folder.split(separator: "/").last ?? "") + "/a.sqlite",
        opening: .openOrCreate)
    },
    Misuse("a path that is taken", .cannotOpen, "File exists") { connection, folder in
      try connection.backUp(to: folder + "/a.sqlite", opening: .createNew)
    },
    Misuse("a path for reading", .readOnly, "readonly database") { connection, folder in
      try Connection(folder + "/b.sqlite", opening: .createNew).execute("CREATE TABLE t (a)")
      try connection.backUp(to: folder + "/b.sqlite", opening: .readOnly)
    },
    Misuse("a folder", .cannotOpen, "folder") { connection, folder in
      try connection.backUp(to: folder, opening: .openOrCreate)
    },
    Misuse("no path", .cannotOpen, "not a valid file path") { connection, _ in
      try connection.backUp(to: "", opening: .openOrCreate)
    },
    Misuse("a target in a transaction", .error, "destination database is in use") { connection, _ in
      let target = try Connection.inMemory()
      try target.execute(script: "BEGIN; CREATE TABLE t (a)")
      try connection.backUp(into: target)
    },
    Misuse("a source that writes", .misuse, "within a write transaction") { connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.backUp(into: try .inMemory())
      }
    },
    Misuse("a target that is closed", .misuse, "the connection is closed") { connection, _ in
      let target = try Connection.inMemory()
      try target.close()
      try connection.backUp(into: target)
    },
    during("closing the source", .busy, "unable to close") { source, _ throws(SQLiteError) in
      try source.close()
    },
    during("closing the target", .busy, written) { _, target throws(SQLiteError) in
      try target.close()
    },
    during("using the target", .busy, written) { _, target throws(SQLiteError) in
      _ = try target.query("SELECT 1")
    },
    during("a bulk insert into the target", .busy, written) { _, target throws(SQLiteError) in
      try target.bulkInsert(intoTable: words) { _ throws(SQLiteError) in }
    },
    during("a backup into the target", .busy, written) { source, target throws(SQLiteError) in
      try source.backUp(into: target)
    },
    during("a backup of the target", .busy, written) { source, target throws(SQLiteError) in
      try target.backUp(into: source)
    },
    during("dropping a table of the source", .locked, "locked") { source, _ throws(SQLiteError) in
      try source.execute("DROP TABLE words")
    },
    during("an error of the caller's", .warning, "so what") { _, _ throws(SQLiteError) in
      throw SQLiteError(.warning, "so what")
    },
    Misuse("an interrupt and a new time to wait during a backup", gives: "2") { connection, _ in
      let target = try Connection.inMemory()
      try connection.backUp(into: target, pagesPerStep: 1) { _ throws(SQLiteError) in
        target.interrupter.interrupt()
        target.busyTimeout = .seconds(1)
      }
      return try target.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("an interrupt of nothing, and after all", gives: "done") { _, _ in
      let interrupter: Interrupter
      do {
        let connection = try Connection.inMemory()
        interrupter = connection.interrupter
        for _ in 0..<3 { interrupter.interrupt() }
        _ = try connection.query("SELECT 1")
        try connection.close()
        interrupter.interrupt()
      }
      interrupter.interrupt()
      return "done"
    },
    Misuse("an interrupt in the middle of a read", .interrupted, "interrupted") { connection, _ in
      try connection.forEachRow(of: "SELECT * FROM words") { _ in connection.interrupter.interrupt()
      }
    },
    Misuse("work that stops on cancellation, within itself", gives: "1") { connection, _ in
      try connection.interruptingOnCancellation { () throws(SQLiteError) in
        try connection.interruptingOnCancellation { () throws(SQLiteError) in
          try connection.first("SELECT 1", as: Int.self)
        }
      } ?? 0
    },
    Misuse("closing in work that stops on cancellation", .misuse, "the connection is closed") {
      connection, _ in
      try connection.interruptingOnCancellation { () throws(SQLiteError) in
        try connection.close()
        try connection.execute("SELECT 1")
      }
    },
  ]

  @Test(arguments: cases) func `an invalid backup or interruption is reported`(misuse: Misuse)
    throws
  {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
