@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct CustomSQLFailureTests {
  /// SQL that fails, the place of the failure, and a part of what is said.
  private static let cases = #"""
    SELECT 1;\n\nSELECT nmae FROM nodes => 3: statement 2 => no such column: nmae
    INSERT INTO nodes VALUES ('x', NULL) => 1: statement 1 => nodes was made by ingest
    REPLACE INTO NODES VALUES ('x', NULL) => 1: statement 1 => nodes was made by ingest
    DELETE FROM nodes => 1: statement 1 => nodes was made by ingest
    WITH a AS (SELECT 1) DELETE FROM nodes => 1: statement 1 => nodes was made by ingest
    UPDATE nodes SET parent = NULL => 1: statement 1 => nodes was made by ingest
    DROP TABLE nodes => 1: statement 1 => nodes was made by ingest
    ALTER TABLE nodes ADD COLUMN x => 1: statement 1 => nodes was made by ingest
    ALTER TABLE nodes RENAME TO x => 1: statement 1 => nodes was made by ingest
    ALTER TABLE nodes RENAME COLUMN parent TO x => 1: statement 1 => nodes was made by
    ALTER TABLE nodes DROP COLUMN parent => 1: statement 1 => nodes was made by ingest
    ALTER TABLE ingest_sources RENAME TO x => 1: statement 1 => ingest_sources was made
    CREATE TABLE m (a);\nALTER TABLE m RENAME TO Ingest_x => 2: statement 2 => names beginning with ingest_, such as Ingest_x
    CREATE TABLE m (a);\nALTER TABLE m RENAME TO ingest_new;\nSELECT 1 => 2: statement 2 => names beginning with ingest_
    CREATE VIRTUAL TABLE m USING fts5 (a);\nALTER TABLE m RENAME TO ingest_m => 2: statement 2 => names beginning with ingest_
    CREATE TEMP TABLE m (a);\nALTER TABLE m RENAME TO ingest_m => 2: statement 2 => names beginning with ingest_
    CREATE TEMP TABLE m (a);\nALTER TABLE m RENAME TO Nodes;\nCREATE TABLE n AS SELECT * FROM nodes => 2: statement 2 => Nodes is already the name of an object made by ingest
    CREATE TABLE ingest_x AS SELECT 1 => 1: statement 1 => names beginning with ingest_
    CREATE INDEX ingest_i ON nodes (parent) => 1: statement 1 => names beginning with ingest_
    CREATE TEMP VIEW ingest_v AS SELECT 1 => 1: statement 1 => names beginning with ingest_
    CREATE VIRTUAL TABLE ingest_f USING fts5 (a) => 1: statement 1 => names beginning with ingest_
    CREATE TABLE m (a);\nCREATE TRIGGER ingest_t AFTER INSERT ON m BEGIN SELECT 1; END => 2: statement 2 => names beginning with ingest_
    CREATE TRIGGER t AFTER INSERT ON nodes BEGIN SELECT 1; END => 1: statement 1 => nodes was made by ingest
    CREATE TEMP TRIGGER t AFTER INSERT ON nodes BEGIN SELECT 1; END => 1: statement 1 => nodes was made by ingest
    CREATE TABLE m (a);\nCREATE TRIGGER t AFTER INSERT ON m BEGIN DELETE FROM nodes; END;\nINSERT INTO m VALUES (1) => 3: statement 3 => nodes was made by ingest
    CREATE TABLE IF NOT EXISTS nodes (a) => 1: statement 1 => nodes is already the name of an object
    CREATE TEMP TABLE Nodes (a) => 1: statement 1 => Nodes is already the name of an object
    CREATE VIEW Ingest_x AS SELECT 1 => 1: statement 1 => names beginning with ingest_
    DELETE FROM ingest_sources => 1: statement 1 => ingest_sources was made by ingest
    INSERT INTO ingest_objects VALUES ('a', 'b', 'c') => 1: statement 1 => ingest_objects was
    DELETE FROM sqlite_schema => 1: statement 1 => may not be modified
    ATTACH ':memory:' AS x => 1: statement 1 => other database files
    DETACH main => 1: statement 1 => other database files
    SELECT load_extension('x') => 1: statement 1 => extensions cannot be loaded
    BEGIN => 1: statement 1 => each file runs in one transaction
    COMMIT => 1: statement 1 => each file runs in one transaction
    SAVEPOINT s => 1: statement 1 => each file runs in one transaction
    VACUUM => 1: statement 1 => cannot VACUUM from within a transaction
    VACUUM INTO 'stolen.sqlite' => 1: statement 1 => cannot VACUUM
    PRAGMA writable_schema = ON => 1: statement 1 => PRAGMA writable_schema cannot be used
    PRAGMA journal_mode = WAL => 1: statement 1 => PRAGMA journal_mode cannot be used
    PRAGMA user_version = 5 => 1: statement 1 => PRAGMA user_version cannot be used
    SELECT * FROM pragma_journal_mode => 1: statement 1 => PRAGMA journal_mode cannot
    PRAGMA foreign_keys = 0 => 1: statement 1 => cannot be turned off
    CREATE TABLE t AS SELECT date('now') => 1: statement 1 => the current time is not available
    CREATE TABLE t (a, b DEFAULT CURRENT_TIME);\nINSERT INTO t (a) VALUES (1) => 2: statement 2 => the current time is not available
    CREATE TABLE t AS SELECT random() => 1: statement 1 => a different result each time
    INSERT INTO t SELECT ? => 1: statement 1 => no such table: t
    SELECT :name => 1: statement 1 => parameter :name has no value
    .mode csv => 1: statement 1 => Commands of the sqlite3 shell are not SQL
    -- In CSV\n.mode csv => 2: statement 1 => Commands of the sqlite3 shell are not SQL
    \nSELECT 'a => 2: statement 1 => unrecognized token
    CREATE TABLE t (a REFERENCES nodes);\nINSERT INTO t VALUES ('x') => 2: statement 2 => FOREIGN KEY
    CREATE TABLE t (a REFERENCES nodes DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO t VALUES ('x') => at the end => FOREIGN KEY
    CREATE TABLE t (a CHECK (a > 1));\nINSERT INTO t VALUES (1) => 2: statement 2 => CHECK
    CREATE TABLE t (a);\nINSERT INTO t VALUES (abs(-1)), (abs(-9223372036854775807 - 1)) => 2: statement 2 => integer overflow
    CREATE VIEW v AS SELECT nmae FROM nodes => view v => no such column: nmae
    CREATE UNIQUE INDEX u ON owners (owner) => 1: statement 1 => UNIQUE
    """#.split(separator: "\n")

  @Test func `SQL that fails publishes nothing, and the message has the place`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let before = try workplace.bytesOfOutput()
    let path = workplace.path + "/bad.sql"
    let names = try workplace.names + ["bad.sql"]
    for line in Self.cases {
      let parts = line.components(separatedBy: " => ")
      let (sql, message) = (parts[0].replacing("\\n", with: "\n"), parts[2])
      let place = ":" + (parts[1].first?.isNumber == true ? "" : " ") + parts[1] + ": "
      try Data(sql.utf8).write(to: URL(fileURLWithPath: path))
      let outcome = load(workplace, Family.schema) { $0.sqlFiles = [path] }
      let error = try #require(outcome.error, "\(sql)")
      #expect(error.kind == .data && error.code == .run(.sqlFailed), "\(sql): \(error)")
      let isPlaced = error.message.hasPrefix(path + place)
      #expect(isPlaced || SQLiteLibrary.versionNumber < 3_038_000, "\(sql): \(error.message)")
      #expect(error.message.contains(message), "\(sql): \(error.message)")
      #expect(error.message.contains("Nothing was published."), "\(sql): \(error.message)")
      #expect(try workplace.bytesOfOutput() == before, "\(sql)")
      #expect(try workplace.names == names.sorted(), "\(sql)")
    }
  }

  @Test func `tables of your own are renamed and altered`() throws {
    let workplace = try Family.workplace()
    let path = workplace.path + "/good.sql"
    let sql = """
      CREATE TABLE m (a, b);
      ALTER TABLE m RENAME TO my_ingest_m;
      ALTER TABLE my_ingest_m RENAME COLUMN a TO c;
      ALTER TABLE my_ingest_m ADD COLUMN d;
      CREATE TEMP TABLE m (a);
      ALTER TABLE m RENAME TO n;
      """
    try Data(sql.utf8).write(to: URL(fileURLWithPath: path))
    loaded(workplace, Family.schema) { $0.sqlFiles = [path] }
    #expect(
      try workplace.rows("SELECT name FROM pragma_table_info('my_ingest_m')") == [
        "'c'", "'b'", "'d'",
      ])
  }

  @Test func `an unreadable file is reported before any source file is read`() throws {
    let workplace = try Workplace()
    let folder = workplace.path + "/empty.d"
    try makeFolder(folder)
    let cases = [
      (workplace.path + "/none.sql", "No such file or directory"),
      (folder, "no .sql file in this folder"),
      ("/dev/null", "not a regular file"),
    ]
    for isDryRun in [false, true] {
      for (path, message) in cases {
        // Source files are missing, too, but would be checked later.
        let outcome = load(workplace, Family.schema) {
          $0.sqlFiles = [path]
          $0.isDryRun = isDryRun
        }
        #expect(outcome.error?.kind == .inputMissing)
        #expect(outcome.error?.code == nil)
        #expect(outcome.error?.message.hasPrefix(path + ": ") == true)
        #expect(outcome.error?.message.contains(message) == true, "\(outcome)")
      }
    }
  }

  private static let noTexts: [([UInt8], String)] = [
    (Array("SELECT 1;\n\0".utf8), ":2: contains a NUL byte"),
    (Array("SELECT 1;\n\n".utf8) + [0xff, 0xfe], ":3: not valid UTF-8"),
  ]

  @Test(arguments: noTexts)
  func `a file that is not text is refused before any source file is read`(
    bytes: [UInt8], message: String
  ) throws {
    let workplace = try Workplace()
    let path = workplace.path + "/a.sql"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let outcome = load(workplace, Family.schema) { $0.sqlFiles = [path] }
    #expect(outcome.error?.code == .run(.sqlFailed))
    #expect(outcome.error?.message.hasPrefix(path + message) == true, "\(outcome)")
  }

  @Test func `a dry run reads the files and does not run them`() throws {
    let workplace = try Family.workplace()
    let path = workplace.path + "/a.sql"
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
    let outcome = loaded(workplace, Family.schema) {
      $0.sqlFiles = [path]
      $0.isDryRun = true
    }
    #expect(outcome.whole.sqlFiles == [SQLFileResult(file: path)])
  }
}
