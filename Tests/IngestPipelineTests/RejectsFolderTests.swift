import Schema
@testable import Quarantine
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

/// The folder of the rejected records takes the place of the last run's, and of nothing else.
@Suite struct RejectsFolderTests {
  private static let bad = "label\nx\nx\n"
  private static let worse = "label\nx\nx\nx\n"
  private static let sound = "label\nx\n"

  /// Runs with these labels, and returns the records that were kept.
  private func run(
    _ workplace: Workplace, _ labels: String, change: (inout IngestOptions) -> Void = { _ in }
  ) throws -> Outcome {
    try workplace.write("labels.csv", labels)
    return load(workplace, Family.schema, change: change)
  }

  @Test func `the folder of the previous run is moved, not removed`() throws {
    let workplace = try Family.workplace()
    #expect(try run(workplace, Self.bad).error == nil)
    try workplace.kept.write("labels.csv", "label\nrepaired\n")
    #expect(try run(workplace, Self.worse).error == nil)
    let previous = Kept(workplace.kept.folder + ".previous")
    #expect(try previous.records("labels") == "label\nrepaired\n")
    #expect(try workplace.kept.records("labels") == "label\nx\nx\n")
    // A run without rejects leaves none that could be taken for its own.
    let outcome = try run(workplace, Self.sound)
    #expect(outcome.error == nil && outcome.whole.rejectsFolder == nil)
    #expect(try previous.records("labels") == "label\nrepaired\n")
    let last = Kept(workplace.kept.folder + ".previous-2")
    #expect(try last.records("labels") == "label\nx\nx\n")
    #expect(
      try workplace.names == [
        "dumps", "out.sqlite", "out.sqlite.rejects.previous", "out.sqlite.rejects.previous-2",
      ])
  }

  @Test func `a folder with files of others is never removed`() throws {
    let workplace = try Family.workplace()
    _ = try run(workplace, Self.bad)
    try workplace.kept.write("notes.txt", "ask for the missing sets")
    for labels in [Self.worse, Self.bad, Self.worse] {
      #expect(try run(workplace, labels).error == nil)
    }
    #expect(
      try workplace.names == [
        "dumps", "out.sqlite", "out.sqlite.rejects", "out.sqlite.rejects.previous",
        "out.sqlite.rejects.previous-2",
      ])
    let previous = Kept(workplace.kept.folder + ".previous")
    #expect(try previous.names.contains("notes.txt"))
    #expect(try previous.records("labels") == "label\nx\n")
  }

  @Test(arguments: ["folder", "file", "new", "parent"])
  func `foreign files are refused before anything is read`(kind: String) throws {
    let workplace = try Family.workplace()
    let folder = kind == "parent" ? workplace.path + "/no/where" : workplace.kept.folder
    switch kind {
    case "folder", "new":
      let path = kind == "new" ? folder + ".new" : folder
      try makeFolder(path)
      try Kept(path).write("manifest.txt", "mine")
    case "file": try Data().write(to: URL(fileURLWithPath: folder))
    default: break
    }
    let outcome = try run(workplace, Self.bad) { $0.rejectsFolder = folder }
    #expect(outcome.error?.kind == .output)
    #expect(outcome.error?.message.hasPrefix(folder) == true)
    #expect(outcome.events.isEmpty)
    let names = try workplace.names.filter { $0 != "dumps" }
    #expect(names.allSatisfy { $0.hasPrefix("out.sqlite.rejects") } && names.count < 2)
  }

  @Test func `an empty folder, a link to one, and a trailing slash are accepted`() throws {
    let workplace = try Family.workplace()
    let folder = workplace.path + "/rejects"
    try makeFolder(folder)
    try FileManager.default.createSymbolicLink(
      atPath: workplace.path + "/link", withDestinationPath: folder)
    let outcome = try run(workplace, Self.bad) { $0.rejectsFolder = workplace.path + "/link//" }
    #expect(outcome.error == nil)
    #expect(try Kept(folder).records("labels") == "label\nx\n")
    #expect(try workplace.names == ["dumps", "link", "out.sqlite", "rejects"])
  }

  @Test func `remains of a killed run are overwritten`() throws {
    let workplace = try Family.workplace()
    let left = Kept(workplace.kept.folder + ".new")
    try makeFolder(left.folder)
    for name in ["labels.csv", "things.csv", "things.reasons.csv", "manifest.csv", "unfinished"] {
      try left.write(name, "half")
    }
    #expect(try run(workplace, Self.bad).error == nil)
    #expect(try workplace.kept.names == ["labels.csv", "labels.reasons.csv", "manifest.csv"])
    #expect(try workplace.names == ["dumps", "out.sqlite", "out.sqlite.rejects"])
  }

  @Test func `another run's folder is not written into`() throws {
    let workplace = try Family.workplace()
    let folder = RejectsFolder(workplace.kept.folder, sources: Family.schema.sources)
    let lock = try folder.makeNew()
    defer { withExtendedLifetime(lock) {} }
    let outcome = try run(workplace, Self.bad)
    #expect(outcome.error?.kind == .locked)
    #expect(try workplace.names == ["dumps", "out.sqlite.rejects.new"])
  }

  @Test func `a dry run keeps records only with --rejects`() throws {
    let workplace = try Family.workplace()
    let outcome = try run(workplace, Self.bad) { $0.isDryRun = true }
    #expect(outcome.error == nil && outcome.whole.rejectsFolder == nil)
    #expect(try workplace.names == ["dumps"])
    let folder = workplace.path + "/kept"
    let other = try run(workplace, Self.bad) {
      $0.isDryRun = true
      $0.rejectsFolder = folder
    }
    #expect(other.whole.rejectsFolder == folder)
    #expect(try Kept(folder).records("labels") == "label\nx\n")
    #expect(try workplace.names == ["dumps", "kept"])
  }

  @Test func `nothing is published if a record cannot be kept`() throws {
    let workplace = try Family.workplace()
    let folder = RejectsFolder(workplace.kept.folder, sources: Family.schema.sources)
    // A folder where the file of the records should be made.
    try makeFolder(folder.newPath + "/labels.csv")
    try Kept(folder.newPath).write("unfinished", "")
    let outcome = try run(workplace, Self.bad)
    #expect(outcome.error?.kind == .output)
    #expect(outcome.error?.message.contains(".new/labels.csv: cannot be ") == true)
    #expect(try workplace.names == ["dumps", "out.sqlite.rejects.new"])
  }

  @Test func `a repeated run does not displace fixed records`() throws {
    let workplace = try Family.workplace()
    #expect(try run(workplace, Self.bad).error == nil)
    try workplace.kept.write("labels.csv", "label\nrepaired\n")
    for _ in 0..<3 { #expect(try run(workplace, Self.worse).error == nil) }
    let previous = Kept(workplace.kept.folder + ".previous")
    #expect(try previous.records("labels") == "label\nrepaired\n")
    #expect(try workplace.kept.records("labels") == "label\nx\nx\n")
    #expect(
      try workplace.names == [
        "dumps", "out.sqlite", "out.sqlite.rejects", "out.sqlite.rejects.previous",
      ])
  }

  /// The moments between two steps of a run that gives its folder its name, at which it may be killed.
  @Test(arguments: ["before the exchange", "after the exchange", "before the mark is removed"])
  func `a run killed while it keeps records loses none`(moment: String) throws {
    let workplace = try Family.workplace()
    #expect(try run(workplace, Self.bad).error == nil)
    try workplace.kept.write("labels.csv", "label\nrepaired\n")
    let files = FileManager.default
    let (folder, new) = (workplace.kept.folder, workplace.kept.folder + ".new")
    switch moment {
    case "before the exchange":
      try files.copyItem(atPath: folder, toPath: new)
      try Kept(new).write("labels.csv", "label\nhalf")
      try Kept(new).write("unfinished", "")
    case "after the exchange":
      try files.moveItem(atPath: folder, toPath: new)
      try files.copyItem(atPath: new, toPath: folder)
      try workplace.kept.write("labels.csv", "label\nx\nx\n")
      try workplace.kept.write("unfinished", "")
    default: try workplace.kept.write("unfinished", "")
    }
    // A run without rejects clears up, too.
    #expect(try run(workplace, Self.sound).error == nil)
    let folders = try workplace.names.filter { $0.contains(".rejects") }
    let kept = folders.map { Kept(workplace.path + "/" + $0) }
    #expect(!folders.contains("out.sqlite.rejects") && !folders.contains("out.sqlite.rejects.new"))
    #expect(kept.allSatisfy { (try? $0.names.contains("unfinished")) == false })
    #expect(try kept.contains { try $0.records("labels") == "label\nrepaired\n" })
  }
}
