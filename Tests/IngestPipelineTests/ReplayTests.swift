@testable import Quarantine
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

/// Records that were rejected and repaired come back, in place of what they were.
@Suite struct ReplayTests {
  private static let soundNodes = "name,parent\nroot,\nleaf,root\ntwig,branch\nbranch,root\n"
  private static let soundThings =
    "id,node,size,kind,is_new,code\n1,leaf,,,,\n2,twig,3,a,t,ff\n3,\"twig\",4,,,\n4,root,,,,\n"
  private static let damagedNodes = soundNodes.replacingOccurrences(
    of: "branch,root", with: "branch,rot")
  private static let damagedThings = soundThings.replacingOccurrences(
    of: "2,twig,3", with: "2,twig,3x"
  )
  .replacingOccurrences(of: "\"twig\",4", with: "\"twig,4")
  .replacingOccurrences(of: "4,root", with: "\"\",root")

  private static func damaged() throws -> Workplace {
    try Family.workplace(["nodes.csv": damagedNodes, "things.csv": damagedThings + "5,\"leaf\"\n"])
  }

  private func rows(_ workplace: Workplace) throws -> [[String]] {
    try ["nodes", "things", "labels", "owners"].map { table in
      try workplace.rows(SQL(generated: "SELECT * FROM \(table) ORDER BY 1"))
    }
  }

  /// Loads, with the folder of the rejected records repaired.
  private func replay(_ workplace: Workplace, from folder: String? = nil) -> Outcome {
    load(workplace, Family.schema) { $0.replayedFolder = folder ?? workplace.kept.folder }
  }

  @Test func `fixed records produce the rows of valid source files`() throws {
    let clean = try Family.workplace([
      "nodes.csv": Self.soundNodes, "things.csv": Self.soundThings + "5,leaf,,,,\n",
    ])
    #expect(load(clean, Family.schema).error == nil)
    let workplace = try Self.damaged()
    let first = load(workplace, Family.schema)
    #expect(
      first.rejected == [
        "nodes.csv:4 missing-parent parent", "nodes.csv:5 missing-parent parent",
        "things.csv:3 missing-parent node", "things.csv:4 text-after-quote node",
      ])
    // A quote is missing, so that one record has swallowed others.
    let swallowed = "3,\"twig,4,,,\n\"\",root,,,,\n5,\"leaf\"\n"
    try workplace.kept.replace(
      swallowed, by: "3,twig,4,,,\n4,root,,,,\n5,leaf,,,,", in: "things.csv")
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    try workplace.kept.replace("branch,rot", by: "branch,root", in: "nodes.csv")
    let outcome = replay(workplace)
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    #expect(try rows(workplace) == rows(clean))
    let report = try #require(outcome.report)
    #expect(report.tables.map(\.replaced) == [2, 2, 0, 0])
    #expect(report.tables.map(\.read) == [6, 7, 1, 2])
    #expect(report.tables.map(\.inserted) == [4, 5, 1, 2])
    #expect(
      report.tables[1].sources.map(\.name) == ["things.csv", "out.sqlite.rejects/things.csv"])
    #expect(report.tables[1].sources.map(\.isRepaired) == [false, true])
    #expect(report.tables.flatMap(\.imbalances).isEmpty)
    #expect(report.rejectsFolder == nil)
    #expect(
      try workplace.names == ["dumps", "out.sqlite", "out.sqlite.rejects.previous"])
  }

  /// Dumps of nodes with one record that is rejected, and the rows of the others.
  private static let unrepaired: [(dump: String, rows: [String])] = [
    ("parent,name\n,root\n,leaf\r", ["'root'|-"]),
    ("parent,name\n,root\n\r", ["'root'|-"]),
    ("parent,name\r\n,root\r\n,\"leaf\"\r", ["'root'|-"]),
    ("\u{feff}\u{feff}parent,name\nroot,root\nroot,\n", ["'root'|-"]),
    ("\u{feff}parent,name\n,root\nroot,\n", ["'root'|-"]),
    ("\n\u{feff}parent,name\nroot,root\nroot,\n", ["'root'|-"]),
    ("\u{feff}\n\u{feff}parent,name\nroot,root\nroot,\n", ["'root'|-"]),
  ]

  @Test(arguments: unrepaired.indices)
  func `unfixed records are rejected again, however often`(index: Int) throws {
    let (dump, rows) = Self.unrepaired[index]
    let workplace = try Family.workplace([
      "nodes.csv": dump, "things.csv": "id,node\n", "owners.csv": "owner,of,rank\n",
    ])
    let first = load(workplace, Family.schema)
    let code = try #require(first.rejects.first?.reasons.first?.code)
    #expect(first.rejects.count == 1)
    #expect(try workplace.rows("SELECT name, parent FROM nodes") == rows)
    for _ in 0..<3 {
      let again = replay(workplace)
      #expect(again.rejects.map { $0.reasons.first?.code } == [code])
      #expect(try workplace.rows("SELECT name, parent FROM nodes") == rows)
    }
  }

  @Test func `a fixed record has the columns of the source file's header`() throws {
    // The second mark belongs to the name of the first column, which the table does not have.
    let workplace = try Family.workplace([
      "nodes.csv": "\u{feff}\u{feff}parent,name\nroot,root\nroot,\n",
      "things.csv": "id,node\n", "owners.csv": "owner,of,rank\n",
    ])
    #expect(load(workplace, Family.schema).rejected == ["nodes.csv:3 missing-value name"])
    try workplace.kept.replace("\nroot,\n", by: "\nroot,leaf\n", in: "nodes.csv")
    #expect(replay(workplace).error == nil)
    #expect(
      try workplace.rows("SELECT name, parent FROM nodes ORDER BY 1") == ["'leaf'|-", "'root'|-"])
  }

  @Test func `invalid records are rejected again`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.kept.write("nodes.csv", "name,parent\nbranch,root\ntwig,nobody\n")
    try workplace.kept.write(
      "things.csv", "size,node,id\r\n12x,leaf,2\r\n3,leaf,4\r\n3,leaf,1\r\n")
    let outcome = replay(workplace)
    #expect(
      outcome.rejected == [
        "out.sqlite.rejects/nodes.csv:3 missing-parent parent",
        "out.sqlite.rejects/things.csv:2 not-an-integer size",
        "out.sqlite.rejects/things.csv:4 duplicate-key id",
      ])
    #expect(outcome.report?.tables.map(\.rejected) == [1, 2, 0, 0])
    #expect(try workplace.kept.records("things") == "size,node,id\r\n12x,leaf,2\r\n3,leaf,1\r\n")
    #expect(try workplace.rows("SELECT id FROM things ORDER BY id") == ["1", "4"])
    let repaired = Kept(workplace.kept.folder + ".previous")
    #expect(try repaired.records("nodes") == "name,parent\nbranch,root\ntwig,nobody\n")
  }

  @Test func `a replay can be replayed, and earlier fixes remain`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.kept.write("nodes.csv", "name,parent\ntwig,branch\nbranch,root\nmore,nobody")
    try workplace.kept.write(
      "things.csv", "\nid,node,size\n8,leaf,8x\n2,twig,3\n\n9,leaf,9x\n4,leaf,\n7,no,\n")
    #expect(replay(workplace).whole.rejected == 4)
    let names = try workplace.kept.names.filter { $0.hasPrefix("things") }
    #expect(
      names == ["things.csv", "things.reasons.csv", "things.repaired.csv", "things.replaced.csv"])
    #expect(
      String(decoding: try workplace.kept.data("things.repaired.csv"), as: UTF8.self)
        == "id,node,size\n2,twig,3\n\n4,leaf,\n")
    // One more is repaired, one more is gone, two are as bad as before.
    try workplace.kept.replace("8x", by: "8", in: "things.csv")
    try workplace.kept.write("nodes.csv", "name,parent\n")
    let second = replay(workplace)
    #expect(second.error == nil)
    #expect(
      second.rejected == [
        "out.sqlite.rejects/things.csv:3 not-an-integer size",
        "out.sqlite.rejects/things.csv:4 missing-parent node",
      ])
    #expect(try workplace.rows("SELECT id FROM things ORDER BY id") == ["1", "2", "4", "8"])
    try workplace.kept.replace("9x", by: "9", in: "things.csv")
    try workplace.kept.replace("7,no", by: "7,more", in: "things.csv")
    let third = replay(workplace)
    #expect(third.rejected == ["out.sqlite.rejects/things.csv:3 missing-parent node"])
    #expect(third.report?.tables.map(\.replaced) == [2, 2, 0, 0])
    #expect(third.report?.tables.flatMap(\.imbalances) == [])
    #expect(try workplace.rows("SELECT id FROM things ORDER BY id") == ["1", "2", "4", "8", "9"])
    #expect(
      try workplace.rows("SELECT name FROM nodes") == [
        "'branch'", "'leaf'", "'root'", "'twig'",
      ])
    // A plain run begins from the dumps alone.
    #expect(load(workplace, Family.schema).rejected.count == 4)
  }

  @Test func `the replayed folder is not displaced`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.kept.write("nodes.csv", "name,parent\ntwig,nobody\n")
    #expect(load(workplace, Family.schema).error == nil)
    let previous = Kept(workplace.kept.folder + ".previous")
    #expect(replay(workplace, from: previous.folder).error == nil)
    #expect(try previous.records("nodes") == "name,parent\ntwig,nobody\n")
    #expect(try workplace.kept.records("nodes") == "name,parent\ntwig,nobody\n")
    #expect(try workplace.names.contains("out.sqlite.rejects.previous-2"))
  }

  @Test func `a failed replay leaves the replayed folder`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    let names = try workplace.kept.names
    try workplace.write("owners.csv", "owner,of\n")
    let outcome = replay(workplace)
    #expect(outcome.error?.code == .columnMissing && outcome.whole.rejected == 4)
    #expect(outcome.whole.rejectsFolder == nil)
    #expect(try workplace.kept.names == names)
    #expect(try workplace.names == ["dumps", "out.sqlite", "out.sqlite.rejects"])
  }

  /// What a limit is a share of are the records that there are, not those that are read twice.
  @Test func `a percentage limit is the same in a replay`() throws {
    let workplace = try Family.workplace(["owners.csv": "owner,of,rank\na\nb\nme,x,1\n"])
    let limit = RejectLimits(tables: ["owners": .percent(60)])
    for _ in 0..<2 {
      let first = load(workplace, Family.schema) { $0.rejectLimits = limit }
      #expect(first.error?.runCode == .rejectsOverLimit)
      #expect(first.error?.message.hasPrefix("2 of 3 records of owners are rejected") == true)
      let second = load(workplace, Family.schema) {
        $0.rejectLimits = limit
        $0.replayedFolder = workplace.kept.folder
      }
      #expect(second.error?.message == first.error?.message)
    }
  }

  @Test func `a table without its source file cannot be replayed`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/things.csv")
    let outcome = load(workplace, Family.schema, allowedMissing: .all) {
      $0.replayedFolder = workplace.kept.folder
    }
    #expect(outcome.error?.runCode == .quarantineStale)
    #expect(outcome.error?.message.contains("the source file \"things.csv\" is missing") == true)
  }

  @Test func `a source file without rejects must be unchanged, too`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.write("owners.csv", "owner,of,rank\nme,leaf,1\n")
    let outcome = replay(workplace)
    #expect(outcome.error?.runCode == .quarantineStale)
    #expect(outcome.error?.message.contains("/owners.csv: not the source file") == true)
  }

  @Test func `records may be deleted, one or all`() throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.kept.write("nodes.csv", "name,parent\nbranch,root")
    try workplace.kept.write("things.csv", "id,node\n")
    let outcome = replay(workplace)
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    let report = try #require(outcome.report)
    #expect(report.leftOut == 3)
    #expect(try workplace.rows("SELECT name FROM nodes") == ["'branch'", "'leaf'", "'root'"])
    #expect(try workplace.rows("SELECT id FROM things") == ["1"])
  }

  @Test(
    arguments: [
      ("things.csv", "id,node\n1,leaf\n"),
      ("things.csv", damagedThings + "5,\"leaf\"\r"),
      ("things.csv", damagedThings + "5,\"loaf\"\n"),
    ])
  func `other source files are refused`(name: String, text: String) throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    let before = try workplace.bytesOfOutput()
    try workplace.write(name, text)
    let outcome = replay(workplace)
    #expect(outcome.error?.runCode == .quarantineStale)
    #expect(outcome.error?.kind == .data)
    #expect(outcome.error?.message.contains("/dumps/\(name): not the source file") == true)
    #expect(try workplace.bytesOfOutput() == before)
  }

  @Test func `a source file that was not read to its end cannot be replayed`() throws {
    let many = (0..<40_000).map { "\($0)\n" }.joined()
    let workplace = try Family.workplace(["things.csv": "id,node\n\(many)2,\"leaf\n"])
    #expect(load(workplace, Family.schema).error?.code == .unterminatedQuote)
    let outcome = replay(workplace)
    #expect(outcome.error?.runCode == .quarantineStale)
    #expect(outcome.error?.message.contains("not read to its end by the run that made ") == true)
  }

  @Test(arguments: ["manifest.csv", "things.csv", "things.reasons.csv", ""])
  func `a missing file is named`(name: String) throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    let path = workplace.kept.folder + (name.isEmpty ? "" : "/\(name)")
    try FileManager.default.removeItem(atPath: path)
    let outcome = load(workplace, Family.schema) {
      $0.replayedFolder = workplace.kept.folder
      $0.rejectsFolder = workplace.path + "/other"
    }
    #expect(outcome.error?.kind == .inputMissing)
    #expect(outcome.error?.message.contains(path) == true)
  }

  @Test(
    arguments: [
      ("manifest.csv", ""), ("manifest.csv", "\0\u{ff}\n"), ("manifest.csv", "a,b\n1,2\n"),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,things.csv,x,,1,1,1,0\n"),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,things.csv,-1,,1,1,1,0\n"),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,things.csv,1,xyz,1,1,1,0\n"),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,things.csv,1,+1234567,1,1,1,0\n"),
      (
        "manifest.csv", "\(ManifestEntry.header)\nthings,things.csv,1,,99999999999999999999,1,1,0\n"
      ),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,things.csv,1\n"),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,\"things.csv\n"),
      ("manifest.csv", "\(ManifestEntry.header)\nthings,other.csv,1,,1,1,1,0\n"),
      ("things.reasons.csv", ""), ("things.reasons.csv", "record\n1\n"),
      ("things.reasons.csv", "file,record\nthings.csv,0\n"),
      ("things.reasons.csv", "file,record\nthings.csv,-1\n"),
      ("things.reasons.csv", "file,record\nthings.csv,\n"),
      ("things.reasons.csv", "file,record\nthings.csv,1e3\n"),
      ("things.reasons.csv", "file,record\nthings.csv,9223372036854775807\n"),
      ("things.reasons.csv", "file,record\nthings.csv\n"),
      ("things.reasons.csv", "file;record\nthings.csv;1\n"),
      ("things.csv", ""), ("things.csv", "id;node\n"), ("things.csv", "id,node\n\"1,leaf\n"),
    ])
  func `a damaged list is an error with its place`(name: String, text: String) throws {
    let workplace = try Self.damaged()
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.kept.write(name, text)
    let outcome = load(workplace, Family.schema) {
      $0.replayedFolder = workplace.kept.folder
      $0.rejectsFolder = workplace.path + "/other"
    }
    #expect(outcome.error?.kind == .data)
    #expect(outcome.error?.message.contains(workplace.kept.folder) == true)
  }
}
