@testable import SQLiteDestination
@testable import Vocabulary
import Schema
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct DatabaseCheckTests {
  /// Loads a small catalog, changes it, and returns what the check finds.
  private func check(_ changes: [SQL]) throws -> DatabaseCheck.Outcome {
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\n",
      "things.csv": "id,node,size,kind,is_new,code\n1,root,1,a,,\n2,leaf,,b,t,0F\n",
      "labels.csv": "label\nl1\n",
      "owners.csv": "owner,of,rank\no,leaf,1\no,l1,2\n",
    ])
    #expect(load(workplace, Family.schema).error == nil)
    try changeDatabase(workplace.output, ["PRAGMA ignore_check_constraints = ON"] + changes)
    let names = try workplace.names
    let outcome = try DatabaseCheck(workplace.output, schema: Family.schema).run()
    #expect(try workplace.names == names)
    return outcome
  }

  @Test func `a catalog that was loaded is sound`() throws {
    let outcome = try check([])
    #expect(outcome.findings.map(\.subject) == DatabaseCheck.Subject.allCases)
    #expect(outcome.findings.flatMap(\.faults) == [])
    #expect(outcome.additions == [])
    #expect(outcome.notChecked == [])
    #expect(outcome.summary == "schema version 3, made by ingest \(toolVersion)")
  }

  @Test func `what somebody has added is no fault`() throws {
    let outcome = try check([
      "CREATE VIEW v AS SELECT 1 AS x", "CREATE INDEX by_kind ON things (kind)",
      "CREATE TABLE mine (a)", "CREATE TRIGGER t AFTER INSERT ON mine BEGIN SELECT 1; END",
      "CREATE VIRTUAL TABLE words USING fts5 (word)",
    ])
    #expect(outcome.faults == 0)
    #expect(
      outcome.additions == [
        "index (kind) of things", "table mine", "table words", "trigger t of mine", "view v",
      ])
  }

  @Test func `what an older version did not write is no fault`() throws {
    let outcome = try check(OlderVersion.structure + OlderVersion.records)
    #expect(outcome.findings.flatMap(\.faults) == [])
    #expect(outcome.additions == [])
    #expect(
      Set(outcome.notChecked) == [
        "table ingest_options", "table ingest_repairs",
        "column change_counter of ingest_catalog", "column left_out of ingest_sources",
      ])
  }

  @Test func `what a catalog says that it was made with and lacks is a fault`() throws {
    let outcome = try check(OlderVersion.structure)
    let schema = try #require(outcome.findings.first { $0.subject == .schema })
    #expect(
      Set(schema.faults) == [
        "table ingest_options is missing", "table ingest_repairs is missing",
        "table ingest_catalog: column change_counter is missing",
        "table ingest_sources: column left_out is missing",
      ])
    #expect(outcome.notChecked == [])
    let unrecorded = try check(["DROP TABLE ingest_columns"])
    #expect(unrecorded.faults == 1)
    #expect(unrecorded.notChecked == [])
  }

  static let cases: [(SQL, DatabaseCheck.Subject, [String])] = [
    (
      "UPDATE things SET size = 11, code = 'x' WHERE id = 2", .values,
      [
        #"things (2), column size: expected "size" BETWEEN 1 AND 10, found 11"#,
        #"things (2), column code: expected length("code") = 2 AND "#
          + #"length(CAST("code" AS BLOB)) = 2 AND "code" NOT GLOB '*[^0-9A-Fa-f]*', found 'x'"#,
      ]
    ),
    (
      "UPDATE things SET kind = 'c', is_new = 2 WHERE id = 1", .values,
      [
        #"things (1), column kind: expected "kind" IN ('a', 'b'), found 'c'"#,
        #"things (1), column is_new: expected "is_new" IN (0, 1), found 2"#,
      ]
    ),
    (
      "UPDATE things SET node = 'nowhere' WHERE id = 2", .references,
      ["things (2), column node: expected a value of nodes.name, found 'nowhere'"]
    ),
    (
      "UPDATE nodes SET parent = 'up' WHERE name = 'leaf'", .references,
      ["nodes ('leaf'), column parent: expected a value of nodes.name, found 'up'"]
    ),
    (
      "INSERT INTO names VALUES ('more')", .derived,
      ["names ('more'): found, but not expected from nodes or labels"]
    ),
    (
      "DELETE FROM names WHERE name = 'root'", .derived,
      ["names ('root'): missing, but expected from nodes or labels"]
    ),
    (
      "DELETE FROM things WHERE id = 1", .rowCounts,
      ["things: expected 2 rows, as recorded in ingest_sources, found 1"]
    ),
    (
      "UPDATE ingest_sources SET rejected = 1 WHERE table_name = 'owners'", .rowCounts,
      [
        "ingest_sources, owners.csv of owners: 2 records were read, but the counts are 2 inserted, "
          + "1 rejected"
      ]
    ),
    (
      "UPDATE ingest_catalog SET schema_version = 2", .rowCounts,
      ["ingest_catalog, column schema_version: expected 3, found 2"]
    ),
    ("DELETE FROM ingest_catalog", .rowCounts, ["ingest_catalog: expected 1 row, found 0"]),
    ("ALTER TABLE labels ADD COLUMN note TEXT", .schema, ["table labels: unexpected column note"]),
    ("DROP INDEX things_node_code", .schema, ["table things: unique key (node, code) is missing"]),
    ("ALTER TABLE things RENAME COLUMN size TO weight", .schema, []),
  ]

  @Test(arguments: cases.indices) func `a fault is told with its place`(index: Int) throws {
    let (change, subject, expected) = Self.cases[index]
    let outcome = try check([change])
    let finding = try #require(outcome.findings.first { $0.subject == subject })
    #expect(!finding.faults.isEmpty)
    if !expected.isEmpty { #expect(finding.faults == expected) }
  }

  @Test func `an index that has lost an entry is a fault of the structure`() throws {
    let outcome = try check([
      "PRAGMA writable_schema = ON",
      // The index is emptied behind SQLite's back: it is another tree, which has nothing.
      "CREATE TABLE empty (a TEXT PRIMARY KEY) WITHOUT ROWID",
      """
      UPDATE sqlite_schema SET rootpage =
        (SELECT rootpage FROM sqlite_schema WHERE name = 'empty')
      WHERE name = 'things_node_code'
      """,
      "DELETE FROM sqlite_schema WHERE name = 'empty'",
    ])
    let structure = try #require(outcome.findings.first { $0.subject == .structure })
    #expect(structure.faults.contains("row 1 missing from index things_node_code"))
    #expect(structure.faults.contains("wrong # of entries in index things_node_code"))
  }

  @Test func `a file that is not a database of the family is an error`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    func path(_ name: String) -> String { workplace.path + "/" + name }
    for (name, bytes) in [
      ("cut", try workplace.bytesOfOutput().prefix(20_000)), ("empty", Data()),
      ("text", Data("text\n".utf8)),
    ] {
      try bytes.write(to: URL(filePath: path(name)))
    }
    #expect(unsafe mkfifo(path("pipe"), 0o600) == 0)
    try changeDatabase(path("other"), ["CREATE TABLE t (a)"])
    try changeDatabase(
      path("log"), [Family.identification, "CREATE TABLE t (a)", "PRAGMA journal_mode = WAL"])
    for (name, kind, message) in [
      ("missing", IngestError.Kind.inputMissing, "cannot be opened: No such file"),
      ("text", .data, "not a database made by ingest: it is not an SQLite database"),
      ("other", .data, "with application_id 0x4d, found 0x0"),
      ("cut", .data, "truncated: it has 20,000 bytes, but its header states"),
      ("dumps", .data, "not a database made by ingest: it is a folder"),
      ("pipe", .data, "not a database made by ingest: it is a pipe, a socket or a device"),
      ("empty", .data, "not a database made by ingest: it is empty"),
      ("log", .data, "the database uses a write-ahead log (WAL)"),
    ] {
      let error = #expect(throws: IngestError.self) {
        try DatabaseCheck(path(name), schema: Family.schema).run()
      }
      #expect(
        error?.kind == kind && error?.message.contains(message) == true,
        "\(name): \(String(describing: error))")
    }
  }
}
