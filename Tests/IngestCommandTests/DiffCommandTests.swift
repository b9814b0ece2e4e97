import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// `ingest diff` and `ingest check`, run like a user would.
@Suite struct DiffCommandTests {
  private func put(_ catalog: FixtureCatalog, _ command: Command, _ name: String) throws {
    try catalog.put(at: "\(command.folder)/\(name)")
  }

  /// Runs a command that must not change files or create any.
  private func run(_ command: Command, _ arguments: [String]) throws -> ChildProcess.Outcome {
    let before = try contents(command)
    let outcome = try command.run(arguments)
    #expect(try contents(command) == before, "\(arguments)")
    return outcome
  }

  private func contents(_ command: Command) throws -> [String: Data?] {
    Dictionary(
      uniqueKeysWithValues: try command.names().map {
        ($0, FileManager.default.contents(atPath: "\(command.folder)/\($0)"))
      })
  }

  @Test(.needs(.jsonschema))
  func `differences agree with Python's reading of the source files`() throws {
    let command = try Command()
    try put(.older, command, "old")
    try put(.today, command, "new")
    let (older, today) = (FixtureCatalog.older.dumps, FixtureCatalog.today.dumps)
    for (old, new, folders) in [("old", "new", [older, today]), ("new", "old", [today, older])] {
      let outcome = try run(command, ["diff", "--json", old, new])
      #expect(outcome.status == 1 && outcome.errors == "", "\(outcome.errors)")
      let path = command.folder + "/diff.json"
      try Data(outcome.output.utf8).write(to: URL(fileURLWithPath: path))
      let check = ChildProcess(
        Tool.pythonPath,
        [Command.package + "/Tests/System", "Catalog.differences"] + folders + [path])
      let checked = try check.run()
      #expect(checked.status == 0, "\(checked)")
      let schema = ChildProcess(
        Tool.pythonPath, [Command.package + "/Tests/System", "Reports.schema", "--diff", path])
      #expect(try schema.run().status == 0)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `diff reports changed rows only`() throws {
    let command = try Command()
    try put(.today, command, "old")
    try put(.today, command, "new")
    let same = try run(command, ["diff", "old", "new"])
    #expect(same.status == 0)
    #expect(same.output.hasSuffix("\nthe databases have the same rows\n"))
    let before = try Connection(command.folder + "/old", opening: .openExisting)
    try before.execute("UPDATE themes SET name = 'A' WHERE id = 4")
    try before.close()
    let connection = try Connection(command.folder + "/new", opening: .openExisting)
    try connection.execute("UPDATE themes SET name = 'B' WHERE id = 4")
    try connection.execute("DELETE FROM inventory_sets")
    try connection.close()
    let counts = try run(command, ["diff", "old", "new"])
    #expect(counts.status == 1)
    #expect(counts.output.contains("\nthemes.name        1\n"), "\(counts)")
    let keys = try run(command, ["diff", "old", "new", "--keys"])
    #expect(keys.status == 1)
    #expect(keys.output.contains("\nthemes (id)\n  ~ 4: name \"A\", now \"B\"\n"))
    #expect(keys.output.contains("\ninventory_sets (inventory_id, set_num)\n  - "))
  }

  @Test func `objects that only one database has are differences`() throws {
    let command = try Command()
    let sql = """
      CREATE TABLE mine (a INTEGER PRIMARY KEY); INSERT INTO mine VALUES (1);
      CREATE TABLE yours AS SELECT 1 AS a; CREATE VIEW v AS SELECT 1;
      CREATE INDEX i ON mine (a);
      """
    try Data(sql.utf8).write(to: URL(fileURLWithPath: command.folder + "/own.sql"))
    #expect(try command.load(FixtureCatalog.today.dumps, "--sql", "own.sql").status == 0)
    try put(.today, command, "plain")
    try FileManager.default.removeItem(atPath: command.folder + "/own.sql")
    let added = try run(command, ["diff", "plain", "catalog.sqlite"])
    #expect(added.status == 1, "\(added)")
    let lines = added.output.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    for line in [
      "mine - 1 - - -", "yours - 1 - - -", "view v: only in the new database",
      "index i: only in the new database",
    ] {
      #expect(lines.contains(line), "\(added)")
    }
    let gone = try run(command, ["diff", "catalog.sqlite", "plain"])
    #expect(gone.status == 1 && gone.output.contains("\nview v: only in the old database\n"))
    #expect(try run(command, ["diff", "catalog.sqlite", "catalog.sqlite"]).status == 0)
    let document = try run(command, ["diff", "--json", "plain", "catalog.sqlite"])
    #expect(
      document.output.contains(
        #""objects": [{"name": "i", "only_in": "new", "type": "index"}, "#
          + #"{"name": "v", "only_in": "new", "type": "view"}]"#), "\(document.output.suffix(400))")
    let connection = try Connection(command.folder + "/plain", opening: .openExisting)
    try connection.execute("CREATE VIEW only AS SELECT 1")
    try connection.close()
    #expect(try command.shell("cp plain more", []) == 0)
    let more = try Connection(command.folder + "/more", opening: .openExisting)
    try more.execute("DROP VIEW only")
    try more.close()
    let view = try run(command, ["diff", "plain", "more"])
    #expect(view.status == 1 && view.output.hasSuffix("\n\nview only: only in the old database\n"))
  }

  @Test(
    arguments: [
      (["diff"], 64, "'diff' requires OLD and NEW, two databases\nUsage: ingest diff "),
      (["diff", "old"], 64, "'diff' requires NEW, the second database"),
      (["diff", "old", "old", "old"], 64, "unexpected argument 'old' for 'diff'"),
      (["diff", "--jsno", "a", "b"], 64, "'diff' has no option '--jsno'; did you mean '--json'?"),
      (["diff", "--json", "--keys", "a", "b"], 64, "'--json' and '--keys' cannot be combined"),
      (["diff", "--", "--json", "old"], 66, "--json: cannot be opened: No such file or directory"),
      (["diff", "old", "missing"], 66, "missing: cannot be opened: No such file"),
      (
        ["diff", "text", "old"], 65,
        "text: not a database made by ingest: it is not an SQLite database"
      ),
      (["diff", "old", "other"], 65, "with application_id 0x52424b43, found 0x0"),
      (["diff", "old", "cut"], 65, "cut: truncated: it has 100,000 bytes, but its header states"),
      (
        ["check"], 64,
        "requires FILE, the database\nUsage: ingest check [-q] [--schema FILE] FILE\n"
      ),
      (["check", "old", "old"], 64, "unexpected argument 'old' for 'check'"),
      (["check", "missing"], 66, "missing: cannot be opened"),
      (["check", "."], 65, ".: not a database made by ingest: it is a folder"),
      (
        ["check", "pipe"], 65,
        "pipe: not a database made by ingest: it is a pipe, a socket or a device"
      ),
      (["check", "empty"], 65, "empty: not a database made by ingest: it is empty"),
      (["check", "log"], 65, "log: the database uses a write-ahead log (WAL)"),
      (["check", "later"], 65, "later: the database has schema version 77, made by ingest "),
    ] as [([String], Int32, String)])
  func `a file that cannot be compared or checked is an error`(
    words: [String], status: Int32, message: String
  ) throws {
    let command = try Command()
    try put(.today, command, "old")
    let script = """
      : >empty; echo text >text; mkfifo pipe; head -c 100000 old >cut; cp old log; cp old later
      sqlite3 other 'CREATE TABLE t (a)' && sqlite3 log 'PRAGMA journal_mode = WAL' >&2 &&
        sqlite3 later 'PRAGMA user_version = 77'
      """
    #expect(try command.shell(script, []) == 0)
    try FileManager.default.removeItem(atPath: command.folder + "/pipe")
    if words.contains("pipe") { #expect(try command.shell("mkfifo pipe", []) == 0) }
    let names = try command.names()
    let outcome = try command.run(words)
    #expect(outcome.status == status)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("ingest: ") && outcome.errors.contains(message), "\(outcome)")
    #expect(try command.names() == names)
  }

  @Test func `check reports that there are no faults, or each fault`() throws {
    let command = try Command()
    try put(.today, command, "good")
    let sound = try run(command, ["check", "good"])
    #expect(sound.status == 0)
    #expect(sound.output.hasSuffix("\nrow counts: ok\ngood: no faults found\n"))
    #expect(try run(command, ["check", "-q", "good"]).output == "")
    let connection = try Connection(command.folder + "/good", opening: .openExisting)
    try connection.execute("DELETE FROM elements")
    try connection.execute("CREATE VIEW mine AS SELECT 1 AS x")
    try connection.close()
    let outcome = try run(command, ["check", "good"])
    #expect(outcome.status == 65)
    #expect(outcome.output.contains("\nrow counts: 1 fault\n  elements: expected "))
    #expect(outcome.output.contains("\nadded by another program: view mine\ngood: faults found: "))
    let quiet = try run(command, ["check", "good", "--quiet"])
    #expect(quiet.status == 65)
    #expect(quiet.output.hasPrefix("good: row counts: elements: expected "))
    #expect(quiet.output.split(separator: "\n").count == 1)
  }

  @Test func `check waits for a writing program, and then reports it`() async throws {
    let command = try Command()
    try put(.today, command, "locked")
    let holder = try Connection(command.folder + "/locked", opening: .openExisting)
    try holder.execute("BEGIN EXCLUSIVE")
    let outcome = try await command.start(["check", "locked"]).outcome()
    #expect(outcome.status == 75)
    #expect(
      outcome.errors == "ingest: locked: cannot be read: database is locked (SQLITE_BUSY). Another "
        + "program is writing to it. Try again later.\n")
    try holder.execute("ROLLBACK")
  }

  /// Some bytes of each page are inverted: the command must end with one of its statuses, and find torn pages.
  ///
  /// Some pages are tried, at varying offsets after their headers; `.ci/nightly` tries all.
  @Test func `a damaged page never crashes a command`() throws {
    let command = try Command()
    let sound = try FixtureCatalog.today.contents
    try put(.today, command, "good")
    let later = [(offset: 8, bytes: 16), (offset: 8192, bytes: 4096)]
    let pages = stride(from: 0, to: sound.count / 16384, by: LongTests.areOn ? 1 : 3)
    for page in pages {
      let others = LongTests.areOn ? later : [later[page % later.count]]
      for (offset, bytes) in [(page == 0 ? 100 : 0, 1)] + others {
        var damaged = sound
        let range = page * 16384 + offset..<page * 16384 + offset + bytes
        for place in range { damaged[place] ^= 0xff }
        try damaged.write(to: URL(fileURLWithPath: command.folder + "/bad"))
        let checked = try command.run(["check", "bad"])
        #expect([0, 65].contains(checked.status), "page \(page), \(offset): \(checked)")
        // Free bytes in the middle of a page have no meaning.
        if offset < 8 { #expect(checked.status == 65, "page \(page): \(checked)") }
        guard offset >= 8 || LongTests.areOn else { continue }
        let diff = try command.run(["diff", "good", "bad"])
        #expect([0, 1, 65].contains(diff.status), "page \(page), \(offset): \(diff)")
      }
    }
    #expect(try command.names() == ["bad", "good"])
  }
}
