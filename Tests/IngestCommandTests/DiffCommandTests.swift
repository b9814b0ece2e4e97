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

  @Test func `diff reports changed rows only`() throws {
    let command = try Command()
    try put(.today, command, "old")
    try put(.today, command, "new")
    let same = try run(command, ["diff", "old", "new"])
    #expect(same.status == 0 && same.output.hasSuffix("\nthe databases have the same rows\n"))
    try changeDatabase(command.folder + "/old", ["UPDATE themes SET name = 'A' WHERE id = 4"])
    try changeDatabase(
      command.folder + "/new",
      ["UPDATE themes SET name = 'B' WHERE id = 4", "DELETE FROM inventory_sets"])
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
    try put(.today, command, "plain")
    try put(.today, command, "more")
    try changeDatabase(
      command.folder + "/more",
      [
        "CREATE TABLE mine (a INTEGER PRIMARY KEY)", "INSERT INTO mine VALUES (1)",
        "CREATE TABLE yours AS SELECT 1 AS a", "CREATE VIEW v AS SELECT 1",
        "CREATE INDEX i ON mine (a)",
      ])
    let added = try run(command, ["diff", "plain", "more"])
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
    let gone = try run(command, ["diff", "more", "plain"])
    #expect(gone.status == 1 && gone.output.contains("\nview v: only in the old database\n"))
    let document = try run(command, ["diff", "--json", "plain", "more"])
    #expect(
      document.output.contains(
        #""objects": [{"name": "i", "only_in": "new", "type": "index"}, "#
          + #"{"name": "v", "only_in": "new", "type": "view"}]"#), "\(document.output.suffix(400))")
  }

  @Test func `a file that cannot be compared or checked is an error`() throws {
    let command = try Command()
    try command.write("text", "text\n")
    let missing = try run(command, ["diff", "--", "--json", "text"])
    #expect(missing.status == 66 && missing.output == "", "\(missing)")
    #expect(
      missing.errors.hasPrefix("ingest: --json: cannot be opened: No such file or directory"),
      "\(missing)")
    let text = try run(command, ["check", "text"])
    #expect(text.status == 65 && text.output == "", "\(text)")
    #expect(
      text.errors.hasPrefix(
        "ingest: text: not a database made by ingest: it is not an SQLite database"), "\(text)")
  }

  @Test func `check reports that there are no faults, or each fault`() throws {
    let command = try Command()
    try put(.today, command, "good")
    let sound = try run(command, ["check", "good"])
    #expect(sound.status == 0)
    #expect(sound.output.hasSuffix("\nrow counts: ok\ngood: no faults found\n"))
    #expect(try run(command, ["check", "-q", "good"]).output == "")
    try changeDatabase(
      command.folder + "/good", ["DELETE FROM elements", "CREATE VIEW mine AS SELECT 1 AS x"])
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
    let outcome = try await command.start(["check", "locked"]).outcome(status: 75)
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
    let pages = stride(from: 0, to: sound.count / 16384, by: LongTests.areOn ? 1 : 9)
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
