@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

/// A folder of standing repairs beside the dumps of a workplace.
struct Repairs {
  let folder: String

  init(_ workplace: Workplace, _ files: [String: String]) throws {
    folder = workplace.path + "/repairs"
    try makeFolder(folder)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)), as: UTF8.self)
  }
}

/// Standing repairs are applied to the dumps before they are checked, and each is accounted for.
@Suite struct RepairTests {
  static let dumps = [
    "nodes.csv": "name,parent\nroot,\nleaf,root\ntwig,branch\n",
    "things.csv":
      "id,node,size,kind,is_new,code\n1,leaf,3,a,t,\n2,twig,3x,,,\n3,leaf,,,f,\n4,\"le\"af,,,,\n",
  ]

  private func load(
    _ files: [String: String], _ dumps: [String: String] = dumps, limit: RejectLimit = .records(0)
  ) throws -> (Outcome, Workplace) {
    let workplace = try Family.workplace(dumps)
    let repairs = try Repairs(workplace, files)
    let outcome = IngestPipelineTests.load(workplace, Family.schema, limit: limit) {
      $0.repairsFolder = repairs.folder
    }
    return (outcome, workplace)
  }

  @Test func `records are added, replaced and removed before anything is checked`() throws {
    let (outcome, workplace) = try load([
      "nodes.add.csv": "name,parent\nbranch,root\n",
      "things.replace.csv": "id,node,size,kind,is_new,code\n2,twig,4,,,\n",
      "things.leave-out.csv": "id,node,size,kind,is_new,code\n4,\"le\"af,,,,\n3,leaf,,,False,\n",
      "README": "why",
    ])
    #expect(outcome.error == nil && outcome.rejected.isEmpty && outcome.warnings.isEmpty)
    #expect(
      try workplace.rows("SELECT name, parent FROM nodes ORDER BY 1")
        == ["'branch'|'root'", "'leaf'|'root'", "'root'|-", "'twig'|'branch'"])
    #expect(
      try workplace.rows("SELECT id, node, size FROM things ORDER BY 1")
        == ["1|'leaf'|3", "2|'twig'|4"])
    let tables = outcome.whole.tables
    #expect(tables.map(\.read) == [4, 5, 1, 2])
    #expect(tables.map(\.inserted) == [4, 2, 1, 2])
    #expect(tables.map(\.leftOut) == [0, 3, 0, 0])
    #expect(tables.flatMap(\.imbalances).isEmpty)
    #expect(
      tables[1].sources.map { [$0.name, "\($0.records)", "\($0.loaded.records)"] }
        == [["things.csv", "4", "1"], ["things.replace.csv", "1", "1"]])
    #expect(
      try workplace.rows(
        "SELECT table_name, kind, records, applied, needless, inapplicable FROM ingest_repairs")
        == [
          "'nodes'|'add'|1|1|0|0", "'things'|'leave-out'|2|2|0|0", "'things'|'replace'|1|1|0|0",
        ])
    #expect(
      try workplace.rows(
        "SELECT file_name, is_repaired, records, inserted, rejected, replaced, left_out FROM ingest_sources WHERE table_name = 'things'"
      ) == ["'things.csv'|0|4|1|0|0|3", "'things.replace.csv'|1|1|1|0|0|0"])
    #expect(try workplace.names == ["dumps", "out.sqlite", "repairs"])
  }

  @Test func `equal dumps and repairs give equal bytes, wherever the repairs are`() throws {
    let files = [
      "nodes.add.csv": "name,parent\nbranch,root\n",
      "things.leave-out.csv": "id\n2\n4\n",
      "things.add.csv": "id,node,size,kind,is_new,code\n4,leaf,,,,\n",
    ]
    let (first, one) = try load(files, limit: .records(1))
    let (_, other) = try load(files, limit: .records(1))
    // The record with a stray quote has no fields, and so no key by which it could be left out.
    #expect(first.rejected == ["things.csv:5 text-after-quote node"])
    #expect(first.warnings.map(\.code) == [.repairInapplicable])
    #expect(try one.bytesOfOutput() == other.bytesOfOutput())
  }

  /// Repairs, and what is told of them.
  private static let told: [(files: [String: String], warnings: [String], things: [String])] = [
    (
      ["things.add.csv": "node,id,is_new,size,kind\nleaf,1,True,3,a\nleaf,9,,,\n"],
      ["things.add.csv repair-needless line 2: the source file now has these records"],
      ["1|3", "3|-", "9|-"]
    ),
    (
      ["things.add.csv": "id,node,size\n1,leaf,4\n"],
      ["things.add.csv repair-inapplicable line 2: the source file now has other records"],
      ["1|3", "3|-"]
    ),
    (
      ["things.replace.csv": "id,node,size,kind,is_new\n1,leaf,3,a,True\n3,leaf,5,,\n8,leaf,,,\n"],
      [
        "things.replace.csv repair-needless line 2: the source file now has the same records",
        "things.replace.csv repair-inapplicable line 4: the source file has no records with these keys",
      ], ["1|3", "3|5"]
    ),
    (
      ["things.leave-out.csv": "id\n3\n7\n3\n"],
      ["things.leave-out.csv repair-inapplicable lines 3-4: the source file has no such records"],
      ["1|3"]
    ),
    (
      ["things.leave-out.csv": "id,size\n3,1\n1,3\n"],
      ["things.leave-out.csv repair-inapplicable line 2: the source file has no such records"],
      ["3|-"]
    ),
    // What is left out leaves room for what is added.
    (
      [
        "things.leave-out.csv": "id,node,size,kind,is_new,code\n1,leaf,3,a,t,\n",
        "things.add.csv": "id,node,size\n1,root,7\n",
      ], [], ["1|7", "3|-"]
    ),
  ]

  @Test(arguments: told.indices)
  func `needless and inapplicable repairs are reported`(index: Int) throws {
    let (files, warnings, things) = Self.told[index]
    let sound = ["things.csv": "id,node,size,kind,is_new,code\n1,leaf,3,a,t,\n3,leaf,,,f,\n"]
    let (outcome, workplace) = try load(files, sound)
    #expect(outcome.error == nil)
    #expect(outcome.warnings.count == warnings.count)
    for (warning, expected) in zip(outcome.warnings, warnings) {
      #expect("\(warning.file) \(warning.code.rawValue) \(warning.message)".hasPrefix(expected))
    }
    #expect(try workplace.rows("SELECT id, size FROM things ORDER BY 1") == things)
    for account in outcome.whole.tables.flatMap(\.repairs) {
      #expect(account.records == account.applied + account.needless + account.inapplicable)
    }
    #expect(outcome.whole.tables.flatMap(\.imbalances).isEmpty)
  }

  @Test func `a warning about repairs is suppressed until its lines change`() throws {
    let files = [
      "things.add.csv": "id,node\n1,leaf\n", "things.leave-out.csv": "id\n7\n8\n9\n1\n11\n",
      "things.replace.csv": "id,node,size,kind,is_new,code\n3,leaf,,,f,\n",
      "labels.leave-out.csv":
        "label\n" + (0..<12).map { "\($0)\n\($0 == 5 ? "y\n" : "")" }.joined(),
    ]
    let dumps = [
      "things.csv": "id,node,size,kind,is_new,code\n1,root,,,,\n3,leaf,,,f,\n",
      "labels.csv": "label\nx\ny\n",
    ]
    let (outcome, workplace) = try load(files, dumps)
    let lines = outcome.warnings.compactMap(\.suppression)
    #expect(
      lines == [
        "repair-inapplicable things: leave-out lines 2-4, 6",
        "repair-needless things: replace line 2",
        "repair-inapplicable labels: leave-out lines 2-7, 9-14",
      ])
    let path = workplace.path + "/suppressed.txt"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    func warnings(after change: String) throws -> [String] {
      let leaveOut = workplace.path + "/repairs/things.leave-out.csv"
      try Data(change.utf8).write(to: URL(fileURLWithPath: leaveOut))
      let again = IngestPipelineTests.load(workplace, Family.schema) {
        $0.repairsFolder = workplace.path + "/repairs"
        $0.suppressFile = path
      }
      return again.warnings.map(\.code.rawValue)
    }
    #expect(try warnings(after: "id\n7\n8\n9\n1\n11\n").isEmpty)
    #expect(try warnings(after: "id\n7\n8\n9\n1\n12\n").isEmpty)
    #expect(try warnings(after: "id\n7\n8\n1\n") == ["repair-inapplicable", "acceptance-unused"])
  }

  @Test func `each line removes one of several equal records`() throws {
    let header = "id,node,size,kind,is_new,code\n"
    let twice = header + "1,leaf,,,,\n1,leaf,,,,\n1,leaf,,,,\n"
    let (outcome, workplace) = try load(
      ["things.leave-out.csv": header + "1,leaf,,,,\n1,leaf,,,,\n"], ["things.csv": twice])
    #expect(outcome.error == nil && outcome.warnings.isEmpty)
    #expect(outcome.whole.tables[1].leftOut == 2)
    #expect(try workplace.rows("SELECT id FROM things") == ["1"])
    // One that replaces takes the place of all.
    let (replaced, _) = try load(
      ["things.replace.csv": header + "1,leaf,5,,,\n"], ["things.csv": twice])
    #expect(replaced.error == nil && replaced.warnings.isEmpty)
    #expect(replaced.whole.tables[1].leftOut == 3 && replaced.whole.tables[1].inserted == 1)
  }

  @Test func `a bad repair is rejected at its own place, and stays where it is`() throws {
    let (outcome, workplace) = try load(
      [
        "things.replace.csv": "id,node,size\n1,leaf,99\n3,\"leaf,2\",2,\n",
        "nodes.add.csv": "name,parent\nleaf2,nobody\nroot2,\nroot2,root\n",
      ], Self.dumps, limit: .records(100))
    #expect(
      outcome.rejected.filter { $0.contains("add") || $0.contains("replace") } == [
        "nodes.add.csv:2 missing-parent parent", "nodes.add.csv:4 duplicate-key name",
        "things.replace.csv:2 not-allowed size", "things.replace.csv:3 wrong-field-count -",
      ])
    #expect(outcome.whole.tables.flatMap(\.imbalances).isEmpty)
    #expect(try !workplace.kept.records("things").contains("99"))
    #expect(try workplace.kept.reasons("things").map { $0["file"] }.contains("things.replace.csv"))
    // Their reasons beside those of the source file do not disturb its edits.
    try workplace.kept.replace("2,twig,3x", by: "2,leaf,3", in: "things.csv")
    #expect(try repair(workplace) == ["things.add.csv +1 -0", "things.leave-out.csv +1 -0"])
    let next = loadRepaired(workplace, limit: .records(100))
    #expect(next.whole.rejected == outcome.whole.rejected - 1)
  }

  @Test func `repairs of a table without a source file are reported`() throws {
    let workplace = try Workplace()
    try workplace.write("nodes.csv", "name,parent\nroot,\n")
    let repairs = try Repairs(workplace, ["labels.add.csv": "label\nx\n"])
    let outcome = IngestPipelineTests.load(workplace, Family.schema, allowedMissing: .all) {
      $0.repairsFolder = repairs.folder
    }
    #expect(outcome.error == nil)
    #expect(outcome.warnings.map(\.code).filter { $0 != .tableAbsent } == [.repairInapplicable])
    #expect(outcome.whole.tables[2].repairs.map(\.inapplicable) == [1])
  }

  @Test(arguments: [
    ("nodse.add.csv", "name\n", "\"nodse.add.csv\" is not a file of repairs"),
    ("nodes.csv", "name\n", "\"nodes.csv\" is not a file of repairs"),
    ("nodes.add.csv.gz", "name\n", "is not a file of repairs"),
    ("nodes.add.csv", "nmae,parent\n", "nodes.add.csv: line 1: no column name in the header"),
    ("nodes.add.csv", "name,parnet\nx,\n", "line 1: column \"parnet\" is neither in nodes"),
    (
      "nodes.add.csv", "name,name\n",
      "line 1: duplicate column \"name\" in the header: \"name,name\""
    ),
    ("things.leave-out.csv", "node\n", "Expected the header of the source file, id,node,size"),
    ("nodes.replace.csv", "", "nodes.replace.csv: line 1: no header"),
    ("nodes.replace.csv", "name\n\"x\n", "nodes.replace.csv: line 2: the file ends inside quotes"),
  ])
  func `an invalid file of repairs ends the run`(
    name: String, text: String, message: String
  ) throws {
    let (outcome, workplace) = try load([name: text])
    let error = try #require(outcome.error)
    #expect(error.kind == .data && error.code == .file(.repairInvalid))
    #expect(error.message.contains(message), "\(error.message)")
    #expect(try !workplace.names.contains("out.sqlite"))
  }

  @Test func `a missing folder ends the run`() throws {
    let workplace = try Family.workplace()
    let outcome = IngestPipelineTests.load(workplace, Family.schema) {
      $0.repairsFolder = workplace.path + "/none"
    }
    #expect(outcome.error?.kind == .inputMissing && outcome.error?.code == .file(.repairInvalid))
  }
}
