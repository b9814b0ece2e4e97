@testable import Vocabulary
import Text
import Foundation
import Quarantine
import SQLiteSwiftly
import Schema
import Testing

/// Edits of rejected records, saved as repairs, have the same effect in every run, and none is lost.
@Suite struct SavedRepairTests {
  private static let header = "id,node,size,kind,is_new,code\n"
  private static let soundNodes = "name,parent\nroot,\nleaf,root\ntwig,branch\nbranch,root\n"
  private static let soundThings =
    header + "1,leaf,,,,\n2,twig,3,a,t,ff\n3,\"twig\",4,,,\n4,root,,,,\n"
  private static let damagedNodes = soundNodes.replacingOccurrences(
    of: "branch,root", with: "branch,rot")
  private static let damagedThings = soundThings.replacingOccurrences(
    of: "2,twig,3", with: "2,twig,3x"
  )
  .replacingOccurrences(of: "\"twig\",4", with: "\"twig,4")
  .replacingOccurrences(of: "4,root", with: "\"\",root")

  private static func damaged() throws -> Workplace {
    let workplace = try Family.workplace([
      "nodes.csv": damagedNodes, "things.csv": damagedThings + "5,\"leaf\"\n",
    ])
    #expect(load(workplace, Family.schema).error == nil)
    return workplace
  }

  private func rows(_ workplace: Workplace) throws -> [[String]] {
    try ["nodes", "things", "labels", "owners"].map { table in
      try workplace.rows(SQL(generated: "SELECT * FROM \(table) ORDER BY 1"))
    }
  }

  private func failure(
    _ workplace: Workplace, _ schema: SchemaDescription = Family.schema
  ) -> IngestError? {
    do throws(IngestError) {
      try repair(workplace, schema)
      return nil
    } catch {
      return error
    }
  }

  @Test func `fixed records produce the rows of valid source files`() throws {
    let clean = try Family.workplace([
      "nodes.csv": Self.soundNodes, "things.csv": Self.soundThings + "5,leaf,,,,\n",
    ])
    #expect(load(clean, Family.schema).error == nil)
    let workplace = try Self.damaged()
    // A quote is missing, so that one record has swallowed others.
    let swallowed = "3,\"twig,4,,,\n\"\",root,,,,\n5,\"leaf\"\n"
    try workplace.kept.replace(
      swallowed, by: "3,twig,4,,,\n4,root,,,,\n5,leaf,,,,", in: "things.csv")
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    try workplace.kept.replace("branch,rot", by: "branch,root", in: "nodes.csv")
    #expect(
      try repair(workplace) == [
        "nodes.add.csv +1 -0", "nodes.leave-out.csv +1 -0", "things.add.csv +4 -0",
        "things.leave-out.csv +2 -0",
      ])
    let outcome = loadRepaired(workplace)
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    #expect(try rows(workplace) == rows(clean))
    let report = try #require(outcome.report)
    #expect(report.tables.map(\.leftOut) == [1, 2, 0, 0])
    #expect(report.tables.map(\.read) == [5, 7, 1, 2])
    #expect(report.tables.map(\.inserted) == [4, 5, 1, 2])
    #expect(report.tables.flatMap(\.imbalances).isEmpty && report.rejectsFolder == nil)
    // The edited records are saved, so nothing warns of them.
    #expect(!outcome.warnings.map(\.code).contains(.rejectsEdited))
    #expect(
      try workplace.names == ["dumps", "out.sqlite", "out.sqlite.rejects.previous", "repairs"])
  }

  @Test func `records are changed, split, deleted, and added with a parent`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\ntwig,branch\n",
      "things.csv": Self.header
        + "1,leaf,3,a,t,\n2,leaf,4x,,,\n3,le\"af,,,,\n1,leaf,3,a,t,\n4,twig,,,,\n5,twig,99,,,",
    ])
    #expect(load(workplace, Family.schema).whole.rejected == 6)
    try workplace.kept.write("nodes.csv", "name,parent\ntwig,branch\nbranch,root\n")
    try workplace.kept.write(
      "things.csv", Self.header + "2,leaf,4,,,\n4,twig,,,,\n3,leaf,,,,\n33,leaf,,,,\n")
    try repair(workplace)
    #expect(try workplace.repairs("nodes.add.csv") == "name,parent\nbranch,root\n")
    #expect(
      try workplace.repairs("things.leave-out.csv")
        == Self.header + "2,leaf,4x,,,\n3,le\"af,,,,\n1,leaf,3,a,t,\n5,twig,99,,,\n")
    #expect(
      try workplace.repairs("things.add.csv")
        == Self.header + "2,leaf,4,,,\n3,leaf,,,,\n33,leaf,,,,\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: workplace.repairs)
    #expect(names.sorted() == ["nodes.add.csv", "things.add.csv", "things.leave-out.csv"])
    for _ in 0..<2 {
      let night = loadRepaired(workplace)
      #expect(night.error == nil && night.rejected.isEmpty)
      #expect(night.whole.tables.map(\.leftOut) == [0, 4, 0, 0])
      #expect(try workplace.rows("SELECT id FROM things ORDER BY 1") == ["1", "2", "3", "4", "33"])
    }
  }

  @Test func `edits can be repeated, changed and taken back`() throws {
    let workplace = try Family.workplace([
      "things.csv": Self.header + "1,leaf,1x,,,\n2,leaf,2x,,,\n2,leaf,2x,,,\n\r3,leaf,,,,\r"
    ])
    #expect(load(workplace, Family.schema).whole.rejected == 4)
    let original = try workplace.kept.records("things")
    #expect(try repair(workplace) == [])
    #expect(!FileManager.default.fileExists(atPath: workplace.repairs))
    try workplace.kept.replace("1x", by: "1y", in: "things.csv")
    #expect(try repair(workplace) == ["things.add.csv +1 -0", "things.leave-out.csv +1 -0"])
    #expect(try repair(workplace) == [])
    // A repair of the user's own is kept.
    let own = "7,leaf,7,,,\n"
    let text = try workplace.repairs("things.add.csv")
    _ = try Repairs(workplace, ["things.add.csv": text + "\n" + own])
    try workplace.kept.replace("1y", by: "1", in: "things.csv")
    #expect(try repair(workplace) == ["things.add.csv +1 -1"])
    #expect(try workplace.repairs("things.add.csv") == Self.header + "\n" + own + "1,leaf,1,,,\n")
    // One that is there twice, and one that is not CSV.
    try workplace.kept.write("things.csv", Self.header + "1,leaf,1,,,\n2,leaf,2,,,\n")
    #expect(try repair(workplace) == ["things.add.csv +1 -0", "things.leave-out.csv +3 -0"])
    let night = loadRepaired(workplace)
    #expect(night.error == nil && night.rejected.isEmpty && night.warnings.isEmpty)
    #expect(try workplace.rows("SELECT id, size FROM things ORDER BY 1") == ["1|1", "2|2", "7|7"])
    // What was saved can be taken back, from the folder that was moved as well.
    let moved = workplace.kept.folder + ".previous"
    try Kept(moved).write("things.csv", original)
    #expect(
      try repair(workplace, from: moved)
        == ["things.add.csv +0 -2", "things.leave-out.csv +0 -4"])
    #expect(try workplace.repairs("things.add.csv") == Self.header + "\n" + own)
    #expect(try workplace.repairs("things.leave-out.csv") == Self.header)
    #expect(loadRepaired(workplace, limit: .records(4)).whole.rejected == 4)
  }

  @Test func `a repair ends when the source file has another record`() throws {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,leaf,1x,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 1)
    try workplace.kept.replace("1x", by: "1", in: "things.csv")
    try repair(workplace)
    try workplace.write("things.csv", Self.header + "1,leaf,7,,,\n")
    let night = loadRepaired(workplace)
    #expect(night.error == nil)
    #expect(night.warnings.map(\.code) == [.repairInapplicable, .repairInapplicable])
    #expect(try workplace.rows("SELECT size FROM things") == ["7"])
  }

  @Test func `an invalid edit is rejected with its place in the repairs`() throws {
    let workplace = try Self.damaged()
    try workplace.kept.write("nodes.csv", "name,parent\nbranch,root\ntwig,nobody\n")
    try workplace.kept.write("things.csv", "size,node,id\r\n12x,leaf,2\r\n3,leaf,4\r\n3,leaf,1\r\n")
    try repair(workplace)
    let outcome = loadRepaired(workplace, limit: .records(9))
    #expect(
      outcome.rejected == [
        "nodes.add.csv:3 missing-parent parent", "things.add.csv:2 not-an-integer size",
      ])
    // The source file has a sound record with that key.
    #expect(outcome.warnings.map(\.code).contains(.repairInapplicable))
    #expect(outcome.report?.tables.map(\.rejected) == [1, 1, 0, 0])
    #expect(try workplace.kept.records("nodes") == "name,parent\n")
    #expect(try workplace.rows("SELECT id FROM things ORDER BY id") == ["1", "4"])
    let edited = Kept(workplace.kept.folder + ".previous")
    #expect(try edited.records("nodes") == "name,parent\nbranch,root\ntwig,nobody\n")
    // It is corrected among the repairs, and nothing in the new folder is an edit.
    #expect(try repair(workplace) == [])
  }

  /// Dumps of nodes with one record that is rejected, and the rows of the others.
  private static let rejected: [(dump: String, rows: [String])] = [
    ("parent,name\n,root\n,leaf\r", ["'root'|-"]),
    ("parent,name\n,root\n\r", ["'root'|-"]),
    ("parent,name\r\n,root\r\n,\"leaf\"\r", ["'root'|-"]),
    ("\u{feff}\u{feff}parent,name\nroot,root\nroot,\n", ["'root'|-"]),
    ("\u{feff}parent,name\n,root\nroot,\n", ["'root'|-"]),
    ("\n\u{feff}parent,name\nroot,root\nroot,\n", ["'root'|-"]),
    ("\u{feff}\n\u{feff}parent,name\nroot,root\nroot,\n", ["'root'|-"]),
  ]

  @Test(arguments: rejected.indices)
  func `a deleted record is left out, whatever its bytes`(index: Int) throws {
    let (dump, rows) = Self.rejected[index]
    let workplace = try Family.workplace([
      "nodes.csv": dump, "things.csv": "id,node\n", "owners.csv": "owner,of,rank\n",
    ])
    #expect(load(workplace, Family.schema).rejects.count == 1)
    #expect(try workplace.rows("SELECT name, parent FROM nodes") == rows)
    #expect(try repair(workplace) == [])
    let header = try workplace.kept.data("nodes.csv").prefix { $0 != 0x0a } + [0x0a]
    try header.write(to: URL(fileURLWithPath: workplace.kept.folder + "/nodes.csv"))
    #expect(try repair(workplace) == ["nodes.leave-out.csv +1 -0"])
    let night = loadRepaired(workplace)
    #expect(night.error == nil && night.rejected.isEmpty)
    #expect(night.whole.tables.first?.leftOut == 1)
    #expect(try workplace.rows("SELECT name, parent FROM nodes") == rows)
  }

  @Test func `a fixed record has the columns of the source file's header`() throws {
    // The second mark belongs to the name of the first column, which the table does not have.
    let workplace = try Family.workplace([
      "nodes.csv": "\u{feff}\u{feff}parent,name\nroot,root\nroot,\n",
      "things.csv": "id,node\n", "owners.csv": "owner,of,rank\n",
    ])
    #expect(load(workplace, Family.schema).rejected == ["nodes.csv:3 missing-value name"])
    try workplace.kept.replace("\nroot,\n", by: "\nroot,leaf\n", in: "nodes.csv")
    try repair(workplace)
    let night = loadRepaired(workplace)
    #expect(night.error == nil)
    #expect(
      try workplace.rows("SELECT name, parent FROM nodes ORDER BY 1") == ["'leaf'|-", "'root'|-"])
  }

  @Test func `different columns in the repairs are reported, and nothing is written`() throws {
    let workplace = try Self.damaged()
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    try workplace.kept.replace("branch,rot", by: "branch,root", in: "nodes.csv")
    _ = try Repairs(workplace, ["things.leave-out.csv": "id\n9\n"])
    let error = failure(workplace)
    #expect(error?.code == .file(.repairInvalid))
    #expect(error?.message.contains("line 1: the columns are \"id\"") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workplace.repairs)
        == ["things.leave-out.csv"])
    try FileManager.default.removeItem(atPath: workplace.repairs)
    #expect(try repair(workplace).count == 4)
  }

  @Test func `invalid repairs or an unwritable folder end the command`() throws {
    let workplace = try Self.damaged()
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    _ = try Repairs(workplace, ["thing.add.csv": "id\n"])
    #expect(failure(workplace)?.code == .file(.repairInvalid))
    try FileManager.default.removeItem(atPath: workplace.repairs)
    try Data().write(to: URL(fileURLWithPath: workplace.repairs))
    #expect(failure(workplace)?.message.contains("/repairs/things.add.csv: ") == true)
  }

  @Test func `records of a table without rejects are added`() throws {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,new,,,,\n2,newer,,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 2)
    for name in ["new", "newer"] {
      try workplace.kept.write("nodes.csv", "name,parent\n\(name),root\n")
      // The second edit of the folder replaces the first.
      #expect(try repair(workplace) == ["nodes.add.csv +1 -\(name == "new" ? 0 : 1)"])
    }
    #expect(
      loadRepaired(workplace, limit: .records(1)).rejected == ["things.csv:2 missing-parent node"])
    #expect(
      try workplace.rows("SELECT name FROM nodes ORDER BY 1") == ["'leaf'", "'newer'", "'root'"])
    #expect(try workplace.repairs("nodes.add.csv") == "name,parent\nnewer,root\n")
    // The new folder adds to it.
    try workplace.kept.write("nodes.csv", "name,parent\nnew,root\n")
    #expect(try repair(workplace) == ["nodes.add.csv +1 -0"])
    let night = loadRepaired(workplace)
    #expect(night.error == nil && night.rejected.isEmpty)
    #expect(night.whole.tables.flatMap(\.imbalances).isEmpty)
  }

  @Test(arguments: ["node.csv", "nodes.add.csv", "nodes.csv.gz"])
  func `an unknown file beside rejected records ends the command`(name: String) throws {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,new,,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 1)
    try workplace.kept.write(name, "name,parent\nnew,root\n")
    try workplace.kept.write("notes.txt", "why")
    let error = failure(workplace)
    #expect(error?.kind == .data)
    #expect(error?.message.contains("\"\(name)\" is not a file of rejected records") == true)
  }

  @Test func `added records of a table without a source file are reported by the load`() throws {
    let workplace = try Workplace()
    try workplace.write("nodes.csv", "name,parent\nroot,\nroot,\n")
    #expect(load(workplace, Family.schema, allowedMissing: .all).whole.rejected == 1)
    try workplace.kept.write("labels.csv", "label\nx\n")
    #expect(try repair(workplace) == ["labels.add.csv +1 -0"])
    let outcome = load(workplace, Family.schema, allowedMissing: .all) {
      $0.repairsFolder = workplace.repairs
    }
    #expect(outcome.warnings.map(\.code).contains(.repairInapplicable))
  }

  /// A percentage is a share of the records that there are, not of those that are read twice.
  @Test func `a percentage limit is the same with repairs`() throws {
    let workplace = try Family.workplace(["owners.csv": "owner,of,rank\na\nb\nme,x,1\n"])
    let limit = RejectLimits(tables: ["owners": .percent(60)])
    let first = load(workplace, Family.schema) { $0.rejectLimits = limit }
    #expect(first.error?.message.hasPrefix("2 of 3 records of owners are rejected") == true)
    try workplace.kept.write("owners.csv", "owner,of,rank\nc\nd\n")
    try repair(workplace)
    let second = load(workplace, Family.schema) {
      $0.rejectLimits = limit
      $0.repairsFolder = workplace.repairs
    }
    #expect(second.error?.message == first.error?.message)
  }

  @Test func `a repair is suggested with the folders of the run`() {
    var options = IngestOptions(source: "a b", output: .file(path: "c"))
    var outcome = IngestOutcome()
    outcome.rejectsFolder = "c.rejects"
    #expect(
      outcome.repairCommand(options)
        == "ingest repair --rejects c.rejects --source 'a b' --repairs c.repairs")
    options.repairsFolder = "r"
    options.schemaWords = ["--ignore-unsupported"]
    options.findsSourcesByName = false
    #expect(
      outcome.repairCommand(options)
        == "ingest repair --rejects c.rejects --ignore-unsupported --repairs r")
  }

  @Test func `only the source files of edited tables are read`() throws {
    let workplace = try Self.damaged()
    try workplace.write("owners.csv", "owner,of,rank\nme,leaf,1\n")
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/things.csv")
    try workplace.kept.replace("branch,rot", by: "branch,root", in: "nodes.csv")
    #expect(try repair(workplace).count == 2)
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    let error = failure(workplace)
    #expect(error?.code == .run(.quarantineStale))
    #expect(error?.message.contains("the source file \"things.csv\" is missing") == true)
  }

  @Test(arguments: [
    ("1,leaf\n", "it has 15 bytes"), ("5,\"leaf\"\r", "the CRC-32 of its contents"),
    ("5,\"loaf\"\n", "the CRC-32 of its contents"),
  ])
  func `other source files are refused`(end: String, difference: String) throws {
    let workplace = try Self.damaged()
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    try workplace.write(
      "things.csv", end.hasPrefix("1") ? "id,node\n" + end : Self.damagedThings + end)
    let error = failure(workplace)
    #expect(error?.code == .run(.quarantineStale) && error?.kind == .data)
    #expect(error?.message.contains("/dumps/things.csv: not the source file") == true)
    #expect(error?.message.contains(difference) == true)
    #expect(!FileManager.default.fileExists(atPath: workplace.repairs))
  }

  @Test func `a source file that was not read to its end is refused`() throws {
    let many = (0..<40_000).map { "\($0)\n" }.joined()
    let workplace = try Family.workplace(["things.csv": "id,node\n\(many)2,\"leaf\n"])
    #expect(load(workplace, Family.schema).error?.code == .file(.unterminatedQuote))
    try workplace.kept.write("things.csv", "id,node\n1,leaf\n")
    let error = failure(workplace)
    #expect(error?.code == .run(.quarantineStale))
    #expect(error?.message.contains("not read to its end by the run that made ") == true)
  }

  @Test func `edits larger than a file of repairs are refused`() throws {
    let workplace = try Self.damaged()
    try workplace.kept.write("things.csv", Self.header + String(repeating: "x", count: 64 << 20))
    let error = failure(workplace)
    #expect(error?.kind == .data)
    #expect(
      error?.message.contains("things.csv: the edited records have more than 67,108,864 bytes")
        == true)
    #expect(!FileManager.default.fileExists(atPath: workplace.repairs))
  }

  @Test func `a record that is too long for repairs is reported, and the others are saved`() throws
  {
    let long = String(repeating: "l", count: 100)
    let workplace = try Family.workplace([
      "things.csv": Self.header + "1,leaf,1x,,,\n2,\(long),,,,\n"
    ])
    #expect(load(workplace, Family.schema, recordLimit: 64).whole.rejected == 2)
    try workplace.kept.write("things.csv", Self.header + "1,leaf,1,,,\n2,leaf,,,,\n")
    #expect(
      try repair(workplace, recordLimit: 64)
        == ["things.add.csv +2 -0", "things.leave-out.csv +1 -0", "things unsaved: 1"])
    let night = load(workplace, Family.schema, recordLimit: 64) {
      $0.repairsFolder = workplace.repairs
    }
    #expect(night.rejected == ["things.csv:3 record-too-long id"])
    #expect(try workplace.rows("SELECT id FROM things ORDER BY 1") == ["1", "2"])
    // The edit that could not be saved is not forgotten.
    #expect(night.warnings.map(\.code).contains(.rejectsEdited))
  }

  /// What somebody has done in the folder of the rejected records, and whether it is kept for good.
  @Test(arguments: [
    ("edited", true), ("added", true), ("untouched", false), ("saved", false),
    ("edited again", true), ("replayed", false), ("carried", true),
  ]) func `edited but unsaved records are kept`(what: String, isKept: Bool) throws {
    let workplace = try Family.workplace(["labels.csv": "label\nx\nx\ny\ny\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 2)
    if what != "untouched", what != "added" {
      try workplace.kept.replace("x", by: "z", in: "labels.csv")
    }
    switch what {
    case "added": try workplace.kept.write("nodes.csv", "name,parent\nnew,root\n")
    case "saved": try repair(workplace)
    case "edited again":
      try repair(workplace)
      try workplace.kept.replace("z", by: "zz", in: "labels.csv")
    // As an earlier version has left it.
    case "replayed": try workplace.kept.write("replayed", "")
    case "carried": try workplace.kept.write("labels.repaired.csv", "label\nq\n")
    default: break
    }
    var told: [Warning] = []
    // Nights with other rejects, and one with none.
    for labels in ["label\na\na\n", "label\nb\nb\n", "label\nc\n", "label\nd\nd\n", "label\n"] {
      try workplace.write("labels.csv", labels)
      try workplace.write("owners.csv", "owner,of,rank\n")
      let outcome = loaded(workplace, Family.schema) { $0.shrinkLimits.run = 100 }
      told += outcome.warnings.filter { $0.code == .rejectsEdited }
    }
    // Each night.
    #expect(told.count == (isKept ? 5 : 0) && Set(told.map(\.file)).count == (isKept ? 1 : 0))
    let previous = try workplace.names.filter { $0.hasPrefix("out.sqlite.rejects.previous") }
    #expect(previous.count == (isKept ? 2 : 1))
    guard isKept, let folder = told.first?.file else { return }
    let kept = Kept(folder)
    switch what {
    case "edited": #expect(try kept.records("labels") == "label\nz\ny\n")
    case "edited again": #expect(try kept.records("labels") == "label\nzz\ny\n")
    case "added": #expect(try kept.records("nodes") == "name,parent\nnew,root\n")
    default: #expect(try kept.names.contains("labels.repaired.csv"))
    }
  }

  /// A replay of an earlier version kept the fixed records that were loaded, and the numbers of those that they replace.
  @Test func `what a replay of an earlier version fixed is saved, too`() throws {
    let workplace = try Self.damaged()
    let manifest = try workplace.kept.manifest
    let kept = workplace.kept
    let lines = manifest.map { entry in
      let isEdited = entry["table"] == "things"
      let counts = isEdited ? "0,2" : "\(entry["rejected"]),0"
      return ["table", "file", "size", "crc32", "bytes", "records"].map { entry[$0] }
        .joined(separator: ",") + ",\(counts),\(entry["kept_crc32"]),utf-8\n"
    }
    let fixed = "things,out.sqlite.rejects/things.csv,90,01234567,90,3,1,0,,utf-8\n"
    try kept.write(
      "manifest.csv",
      "table,file,size,crc32,bytes,records,rejected,replaced,kept_crc32,encoding\n"
        + lines.joined() + fixed)
    try kept.write("things.replaced.csv", "file,record\nthings.csv,2\nthings.csv,3\n")
    try kept.write("things.repaired.csv", Self.header + "2,twig,3,a,t,ff\n")
    try kept.write("things.csv", Self.header + "3,twig,4x,,,\n")
    try kept.write("things.reasons.csv", "file,record\nout.sqlite.rejects/things.csv,2\n")
    try kept.replace("branch,rot", by: "branch,root", in: "nodes.csv")
    try kept.replace("4x", by: "4", in: "things.csv")
    #expect(
      try repair(workplace) == [
        "nodes.add.csv +1 -0", "nodes.leave-out.csv +1 -0", "things.add.csv +2 -0",
        "things.leave-out.csv +2 -0",
      ])
    #expect(try repair(workplace) == [])
    let night = loadRepaired(workplace)
    #expect(night.error == nil && night.rejected.isEmpty)
    #expect(!night.warnings.map(\.code).contains(.rejectsEdited))
    #expect(try workplace.rows("SELECT id FROM things ORDER BY 1") == ["1", "2", "3"])
  }

  @Test(arguments: ["manifest.csv", "things.csv", "things.reasons.csv", ""])
  func `a missing file is named`(name: String) throws {
    let workplace = try Self.damaged()
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    let path = workplace.kept.folder + (name.isEmpty ? "" : "/\(name)")
    try FileManager.default.removeItem(atPath: path)
    let error = failure(workplace)
    #expect(error?.kind == .inputMissing)
    #expect(error?.message.contains(path) == true)
  }

  private static let manifest = "table,file,size,crc32,bytes,records,rejected\n"

  @Test(
    arguments: [
      ("manifest.csv", ""), ("manifest.csv", "\0\u{ff}\n"), ("manifest.csv", "a,b\n1,2\n"),
      ("manifest.csv", manifest + "things,things.csv,x,,1,1,1\n"),
      ("manifest.csv", manifest + "things,things.csv,-1,,1,1,1\n"),
      ("manifest.csv", manifest + "things,things.csv,1,xyz,1,1,1\n"),
      ("manifest.csv", manifest + "things,things.csv,1,+1234567,1,1,1\n"),
      ("manifest.csv", manifest + "things,things.csv,1,,99999999999999999999,1,1\n"),
      ("manifest.csv", manifest + "things,things.csv,1\n"),
      ("manifest.csv", manifest + "things,\"things.csv\n"),
      ("manifest.csv", manifest + "things,other.csv,1,,1,1,1\n"),
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
    try workplace.kept.replace("3x", by: "3", in: "things.csv")
    try workplace.kept.write(name, text)
    let error = failure(workplace)
    #expect(error?.kind == .data)
    #expect(error?.message.contains(workplace.kept.folder) == true)
    #expect(!FileManager.default.fileExists(atPath: workplace.repairs))
  }
}
