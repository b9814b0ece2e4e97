@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

/// What a replay repaired can stand, and what somebody has repaired is not lost.
@Suite struct WrittenRepairTests {
  private static let header = "id,node,size,kind,is_new,code\n"

  private func repairs(_ workplace: Workplace) -> String { workplace.path + "/repairs" }

  private func text(_ workplace: Workplace, _ name: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: repairs(workplace) + "/" + name)),
      as: UTF8.self)
  }

  private func replay(
    _ workplace: Workplace, limit: RejectLimit = .records(0), repairing: Bool = false
  ) -> Outcome {
    load(workplace, Family.schema, limit: limit) {
      $0.replayedFolder = workplace.kept.folder
      $0.rejectsFolder = workplace.kept.folder
      $0.writtenRepairs = repairs(workplace) + "/"
      if repairing { $0.repairsFolder = repairs(workplace) }
    }
  }

  private func loadRepaired(_ workplace: Workplace) -> Outcome {
    load(workplace, Family.schema, limit: .records(0)) { $0.repairsFolder = repairs(workplace) }
  }

  private func rows(_ workplace: Workplace) throws -> [[String]] {
    try ["nodes", "things", "labels", "owners"].map { table in
      try workplace.rows(SQL(generated: "SELECT * FROM \(table) ORDER BY 1"))
    }
  }

  @Test func `fixes of a replay apply to later runs`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\ntwig,branch\n",
      "things.csv": Self.header
        + "1,leaf,3,a,t,\n2,leaf,4x,,,\n3,le\"af,,,,\n1,leaf,3,a,t,\n4,twig,,,,\n5,twig,99,,,",
    ])
    #expect(load(workplace, Family.schema).whole.rejected == 6)
    // A parent is added, one record changed, one split, the one that is there twice and one more deleted.
    try workplace.kept.write("nodes.csv", "name,parent\ntwig,branch\nbranch,root\n")
    try workplace.kept.write(
      "things.csv", Self.header + "2,leaf,4,,,\n4,twig,,,,\n3,leaf,,,,\n33,leaf,,,,\n")
    let replayed = replay(workplace)
    #expect(replayed.error == nil && replayed.whole.writtenRepairs == 8)
    #expect(try text(workplace, "nodes.add.csv") == "name,parent\nbranch,root\n")
    #expect(
      try text(workplace, "things.leave-out.csv")
        == Self.header + "2,leaf,4x,,,\n3,le\"af,,,,\n1,leaf,3,a,t,\n5,twig,99,,,\n")
    #expect(
      try text(workplace, "things.add.csv")
        == Self.header + "2,leaf,4,,,\n3,leaf,,,,\n33,leaf,,,,\n")
    let expected = try rows(workplace)
    let night = loadRepaired(workplace)
    #expect(night.error == nil && night.rejected.isEmpty)
    // The fixed records have more NULLs than those before, and this lasts.
    #expect(
      night.warnings.map(\.code) == [.noFinalNewline]
        + replayed.warnings.map(\.code).filter { $0 == .nullsRisen })
    #expect(try rows(workplace) == expected)
    #expect(night.whole.tables.map(\.leftOut) == [0, 4, 0, 0])
  }

  @Test func `rounds of repairs add up, and nothing is written twice`() throws {
    let workplace = try Family.workplace([
      "things.csv": Self.header + "1,leaf,1x,,,\n2,leaf,2x,,,\n2,leaf,2x,,,\n\r3,leaf,,,,\r"
    ])
    #expect(load(workplace, Family.schema).whole.rejected == 4)
    try workplace.kept.replace("1x", by: "1", in: "things.csv")
    // Over the limit nothing is published, and nothing written.
    #expect(replay(workplace).error?.runCode == .rejectsOverLimit)
    #expect(!FileManager.default.fileExists(atPath: repairs(workplace)))
    #expect(replay(workplace, limit: .records(9)).whole.writtenRepairs == 2)
    try workplace.kept.write("things.csv", Self.header + "2,leaf,2,,,\n")
    for repairing in [true, false] {
      let outcome = replay(workplace, repairing: repairing)
      #expect(outcome.error == nil, "\(String(describing: outcome.error))")
      // One that is deleted, one that is changed, and one that is there twice.
      #expect(outcome.whole.writtenRepairs == (repairing ? 4 : 0))
      guard repairing else { break }
      try FileManager.default.moveItem(
        atPath: workplace.kept.folder + ".previous", toPath: workplace.kept.folder)
    }
    let night = loadRepaired(workplace)
    #expect(night.error == nil && night.rejected.isEmpty && night.warnings.isEmpty)
    #expect(try workplace.rows("SELECT id, size FROM things ORDER BY 1") == ["1|1", "2|2"])
  }

  @Test func `a repair is undone when the dump has another record`() throws {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,leaf,1x,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 1)
    try workplace.kept.replace("1x", by: "1", in: "things.csv")
    #expect(replay(workplace).error == nil)
    try workplace.write("things.csv", Self.header + "1,leaf,7,,,\n")
    let night = loadRepaired(workplace)
    #expect(night.error == nil)
    #expect(night.warnings.map(\.code) == [.repairInapplicable, .repairInapplicable])
    #expect(try workplace.rows("SELECT size FROM things") == ["7"])
  }

  @Test func `different columns in the folder are reported, and the replay can be repeated`() throws
  {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,leaf,1x,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 1)
    try workplace.kept.replace("1x", by: "1", in: "things.csv")
    _ = try Repairs(workplace, ["things.leave-out.csv": "id\n9\n"])
    let outcome = replay(workplace)
    #expect(outcome.error?.code == .repairInvalid)
    #expect(outcome.error?.message.contains("line 1: the columns are \"id\"") == true)
    #expect(
      outcome.error?.message.hasSuffix(
        "The database was published. Run the same replay again to write them.") == true)
    #expect(
      outcome.whole.verdict.words(isDryRun: false)
        == "published, but the repairs could not all be written to \(repairs(workplace))/")
    #expect(try text(workplace, "things.leave-out.csv") == "id\n9\n")
    try FileManager.default.removeItem(atPath: repairs(workplace))
    #expect(replay(workplace).whole.writtenRepairs == 2)
  }

  @Test func `a folder that cannot be written to ends the replay before it begins`() throws {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,leaf,1x,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 1)
    let bytes = try workplace.bytesOfOutput()
    _ = try Repairs(workplace, ["thing.add.csv": "id\n"])
    #expect(replay(workplace).error?.code == .repairInvalid)
    let outcome = load(workplace, Family.schema) {
      $0.replayedFolder = workplace.kept.folder
      $0.writtenRepairs = workplace.path + "/no/where"
    }
    #expect(outcome.error?.kind == .output)
    #expect(try workplace.bytesOfOutput() == bytes)
  }

  @Test func `records beside the rejected ones are added`() throws {
    let workplace = try Family.workplace([
      "things.csv": Self.header + "1,new,,,,\n2,newer,,,,\n"
    ])
    #expect(load(workplace, Family.schema).whole.rejected == 2)
    try workplace.kept.write("nodes.csv", "name,parent\nnew,root\n")
    let first = replay(workplace, limit: .records(1))
    #expect(
      first.error == nil
        && first.rejected == ["out.sqlite.rejects/things.csv:3 missing-parent node"])
    #expect(try workplace.kept.names.contains("nodes.repaired.csv"))
    // What was added in the first round is there in the second.
    try workplace.kept.write("nodes.csv", "name,parent\nnewer,root\n")
    let second = replay(workplace)
    #expect(second.error == nil && second.rejected.isEmpty)
    #expect(
      try workplace.rows("SELECT name FROM nodes ORDER BY 1") == [
        "'leaf'", "'new'", "'newer'", "'root'",
      ])
    #expect(second.whole.tables.flatMap(\.imbalances).isEmpty)
    #expect(try text(workplace, "nodes.add.csv") == "name,parent\nnew,root\nnewer,root\n")
    #expect(!FileManager.default.fileExists(atPath: repairs(workplace) + "/things.add.csv"))
  }

  @Test(arguments: ["node.csv", "nodes.add.csv", "nodes.csv.gz"])
  func `an unknown file beside rejected records ends the replay`(
    name: String
  ) throws {
    let workplace = try Family.workplace(["things.csv": Self.header + "1,new,,,,\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 1)
    try workplace.kept.write(name, "name,parent\nnew,root\n")
    try workplace.kept.write("notes.txt", "why")
    let outcome = replay(workplace)
    #expect(outcome.error?.kind == .data)
    #expect(
      outcome.error?.message.contains("\"\(name)\" is not a file of rejected records") == true)
  }

  @Test func `added records for a table without a source file end the replay`() throws {
    let workplace = try Workplace()
    try workplace.write("nodes.csv", "name,parent\nroot,\nroot,\n")
    #expect(load(workplace, Family.schema, allowedMissing: .all).whole.rejected == 1)
    try workplace.kept.write("labels.csv", "label\nx\n")
    let outcome = load(workplace, Family.schema, allowedMissing: .all) {
      $0.replayedFolder = workplace.kept.folder
    }
    #expect(outcome.error?.runCode == .quarantineStale)
    #expect(outcome.error?.message.contains("no source file of labels for these records") == true)
  }

  /// What somebody has done in the folder of the rejected records, and whether it is kept for good.
  @Test(arguments: [
    ("edited", true), ("added", true), ("untouched", false), ("replayed", false), ("half", true),
    ("older", false),
  ]) func `fixed but unreplayed records are kept`(what: String, isKept: Bool) throws {
    let workplace = try Family.workplace(["labels.csv": "label\nx\nx\ny\ny\n"])
    #expect(load(workplace, Family.schema).whole.rejected == 2)
    switch what {
    case "edited": try workplace.kept.replace("x", by: "z", in: "labels.csv")
    case "added": try workplace.kept.write("nodes.csv", "name,parent\nnew,root\n")
    case "replayed", "half":
      try workplace.kept.write("labels.csv", what == "half" ? "label\nz\ny\n" : "label\nz\n")
      #expect(replay(workplace, limit: .records(1)).error == nil)
    case "older":
      try workplace.kept.replace(",kept_crc32", by: "", in: "manifest.csv")
      let manifest = String(decoding: try workplace.kept.data("manifest.csv"), as: UTF8.self)
      let lines = manifest.split(separator: "\n").enumerated().map { place, line in
        place == 0
          ? String(line)
          : line.split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(
            separator: ",")
      }
      try workplace.kept.write("manifest.csv", lines.joined(separator: "\n") + "\n")
      try workplace.kept.replace("x", by: "z", in: "labels.csv")
    default: break
    }
    var told: [Warning] = []
    // Nights with other rejects, and one with none.
    for labels in ["label\na\na\n", "label\nb\nb\n", "label\nc\n", "label\nd\nd\n", "label\n"] {
      try workplace.write("labels.csv", labels)
      try workplace.write("owners.csv", "owner,of,rank\n")
      let outcome = load(workplace, Family.schema) { $0.shrinkLimits.run = 100 }
      #expect(outcome.error == nil)
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
    case "added": #expect(try kept.records("nodes") == "name,parent\nnew,root\n")
    default: #expect(try kept.names.contains("labels.repaired.csv"))
    }
  }
}
