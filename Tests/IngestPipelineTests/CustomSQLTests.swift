import Schema
import Vocabulary
@testable import SQLiteDestination
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct CustomSQLTests {
  private static let everything = """
    -- What an operator may want.
    CREATE VIEW leaves AS SELECT name, datetime('now') AS asked FROM nodes WHERE parent IS NOT NULL;
    CREATE INDEX by_parent ON nodes (parent);
    CREATE INDEX some ON nodes (parent) WHERE parent IS NOT NULL;
    CREATE INDEX lower_names ON nodes (lower(name));
    CREATE TABLE notes (node TEXT PRIMARY KEY REFERENCES nodes, note TEXT CHECK (note <> '')) STRICT;
    INSERT INTO notes SELECT name, 'about ' || name FROM nodes;
    INSERT OR IGNORE INTO notes SELECT name, 'again' FROM nodes;
    CREATE TEMP TABLE scratch AS SELECT 1 AS a;
    CREATE TRIGGER logging AFTER INSERT ON notes BEGIN SELECT 1; END;
    CREATE VIRTUAL TABLE found USING fts5(note, content='notes');
    INSERT INTO found (found) VALUES ('rebuild');
    CREATE VIRTUAL TABLE numbers USING fts5(code, content='things', content_rowid='id');
    INSERT INTO numbers (numbers) VALUES ('rebuild');
    PRAGMA foreign_keys = ON;
    SELECT * FROM nodes;
    ANALYZE;
    """

  private static let made = [
    "'index'|'by_parent'|'a.sql'", "'index'|'lower_names'|'a.sql'", "'index'|'some'|'a.sql'",
    "'table'|'found'|'a.sql'", "'table'|'notes'|'a.sql'", "'table'|'numbers'|'a.sql'",
    "'trigger'|'logging'|'a.sql'", "'view'|'leaves'|'a.sql'",
  ]

  /// Writes a file of SQL beside the output, and returns its path.
  private func sql(_ text: String, _ name: String = "a.sql", in workplace: Workplace) throws
    -> String
  {
    let path = workplace.path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `what SQL makes is in the catalog, and known as such`() throws {
    let workplace = try Family.workplace()
    let file = try sql(Self.everything, in: workplace)
    let outcome = load(workplace, Family.schema) { $0.sqlFiles = [file] }
    let report = try #require(outcome.report, "\(String(describing: outcome.error))")
    #expect(report.sqlFiles.map(\.file) == [file])
    #expect(report.sqlFiles.map(\.statements) == [16])
    #expect(
      try workplace.rows("SELECT type, name, source_file FROM ingest_objects ORDER BY type, name")
        == Self.made)
    #expect(try workplace.rows("SELECT name FROM leaves") == ["'leaf'"])
    #expect(
      try workplace.rows("SELECT note FROM found WHERE found MATCH 'leaf'") == ["'about leaf'"])
    #expect(
      try workplace.rows("SELECT count(*) FROM sqlite_stat1 WHERE idx = 'by_parent'") == ["1"])
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try connection.faults(.full) == [])
    #expect(report.stages.map(\.stage).contains(.sql))
  }

  /// SQLite 3.40 takes columns for NULL that are stored after the last one.
  @Test func `a table may have its last column in the key`() throws {
    let workplace = try Family.workplace()
    let file = try sql(
      """
      CREATE TABLE pairs (a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (b)) WITHOUT ROWID;
      INSERT INTO pairs SELECT upper(name), name FROM nodes;
      """, in: workplace)
    #expect(load(workplace, Family.schema) { $0.sqlFiles = [file] }.error == nil)
    #expect(try workplace.rows("SELECT * FROM pairs") == ["'LEAF'|'leaf'", "'ROOT'|'root'"])
    #expect(try DatabaseCheck(workplace.output, schema: Family.schema).run().faults == 0)
  }

  @Test func `equal dumps and equal SQL give equal bytes, wherever the files are`() throws {
    var outputs: [Data] = []
    for name in ["a.sql", "dumps/a.sql"] {
      let workplace = try Family.workplace()
      let file = try sql(Self.everything, name, in: workplace)
      #expect(load(workplace, Family.schema) { $0.sqlFiles = [file] }.error == nil)
      outputs.append(try workplace.bytesOfOutput())
    }
    #expect(outputs[0] == outputs[1])
  }

  @Test func `what is made again is neither lost nor compared`() throws {
    let workplace = try Family.workplace()
    let file = try sql(Self.everything, in: workplace)
    #expect(load(workplace, Family.schema) { $0.sqlFiles = [file] }.error == nil)
    let again = loaded(workplace, Family.schema) { $0.sqlFiles = [file] }
    #expect(again.warnings.map(\.code) == [])
    #expect(again.whole.changes?.tables.map(\.name) == Family.schema.tables.map(\.name))
    // A table that has lost its rows is the operator's own affair.
    _ = try sql("CREATE TABLE notes (a); CREATE VIEW leaves AS SELECT 1;", in: workplace)
    let less = loaded(workplace, Family.schema) { $0.sqlFiles = [file] }
    #expect(less.warnings.map(\.code) == [.objectsLost])
    let without = loaded(workplace, Family.schema)
    #expect(
      without.warnings.map(\.message) == [
        "made by custom SQL of an earlier run, but not in the new database: table notes (a.sql), "
          + "view leaves (a.sql); to keep them, pass the files in parentheses to --sql in every run"
      ])
    #expect(load(workplace, Family.schema).warnings.map(\.code) == [])
  }

  @Test func `a table that was added by hand and is made by SQL now does not stop the run`() throws
  {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.changeOutput("CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1), (2)")
    #expect(load(workplace, Family.schema).error?.code == .run(.catalogShrunk))
    let file = try sql("CREATE TABLE mine (a)", in: workplace)
    let outcome = loaded(workplace, Family.schema) { $0.sqlFiles = [file] }
    #expect(outcome.warnings.map(\.code) == [])
  }

  /// Whoever may write to a catalog could hide a loss by naming a table of the dumps there.
  @Test func `a table of the dumps is compared, whatever the old catalog says`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.changeOutput("INSERT INTO ingest_objects VALUES ('table', 'labels', 'a.sql')")
    try workplace.write("labels.csv", "label\n")
    try workplace.write("owners.csv", "owner,of,rank\nme,leaf,1\n")
    #expect(load(workplace, Family.schema).error?.code == .run(.catalogShrunk))
  }

  @Test func `a folder is its SQL in the order of the names' bytes`() throws {
    let workplace = try Family.workplace()
    try makeFolder(workplace.path + "/d")
    _ = try sql("CREATE TABLE b (a)", "d/B.sql", in: workplace)
    _ = try sql("INSERT INTO b VALUES ('10')", "d/a10.sql", in: workplace)
    _ = try sql("INSERT INTO b VALUES ('9')", "d/a9.sql", in: workplace)
    _ = try sql("nonsense", "d/.a.sql", in: workplace)
    _ = try sql("nonsense", "d/a.sql~", in: workplace)
    let last = try sql("DROP TABLE IF EXISTS none; CREATE TABLE c (a)", "A.sql", in: workplace)
    let outcome = loaded(workplace, Family.schema) { $0.sqlFiles = [workplace.path + "/d", last] }
    #expect(outcome.whole.sqlFiles.map(\.name) == ["B.sql", "a10.sql", "a9.sql", "A.sql"])
    #expect(try workplace.rows("SELECT a FROM b") == ["'10'", "'9'"])
  }

  @Test func `a file may build on the one before it, and drop what that made`() throws {
    let workplace = try Family.workplace()
    let files = [
      try sql("CREATE TABLE t (a); CREATE VIEW v AS SELECT * FROM later", "1.sql", in: workplace),
      try sql(
        "CREATE TABLE later (a); DROP TABLE t; CREATE TEMP TABLE x (a)", "2.sql", in: workplace),
      try sql("CREATE TEMP TABLE x (a)", "3.sql", in: workplace),
    ]
    loaded(workplace, Family.schema) { $0.sqlFiles = files }
    #expect(
      try workplace.rows("SELECT name, source_file FROM ingest_objects ORDER BY 1")
        == ["'later'|'2.sql'", "'v'|'1.sql'"])
  }
}
