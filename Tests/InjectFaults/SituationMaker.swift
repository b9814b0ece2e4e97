import Foundation
import TestSupport

/// Makes the situations: their dumps, and what a run finds in the output folder.
struct SituationMaker {
  let ingest: String
  let generator: String
  let shim: String
  let fixtures: String
  /// A folder for all of it.
  let folder: String

  private var today: String { fixtures + "/dumps" }
  private var older: String { fixtures + "/dumps-2020" }

  /// The names of the situations.
  static let names = [
    "fresh", "replace", "rejects", "repair", "standing", "refused", "accepted", "unchanged",
    "changed", "previous", "feed", "sorting",
  ]

  /// Makes one, and does its undisturbed runs.
  func make(_ name: String) throws -> Situation { try finish(situation(name)) }

  private func situation(_ name: String) throws -> Situation {
    let reports = Situation.reports.flatMap { ["--report", "OUT/" + $0] }
    let isAny: @Sendable (Call) -> Bool = { _ in true }
    // What is written before is the same in the other situations.
    let isPublishing: @Sendable (Call) -> Bool = { call in
      !call.path.hasPrefix("dumps") && !call.path.hasPrefix("out/.catalog.sqlite.ingest")
        || call.kind == "rename"
    }
    switch name {
    case "fresh":
      return Situation(
        name: name, dumps: today, before: try newFolder("before-fresh"), options: [],
        isOfInterest: isAny)
    case "replace":
      return Situation(
        name: name, dumps: try dumpsWithSQL(), before: try previousDatabase(name),
        options: ["--max-shrink", "100%", "--sql", "DUMPS/extra.sql"], isOfInterest: isAny,
        sample: 3)
    case "rejects":
      return Situation(
        name: name, dumps: try damagedDumps(of: today, "damaged"),
        before: try previousDatabase(name, hasReports: true),
        options: ["--max-shrink", "100%", "--max-rejects", "9"] + reports, isOfInterest: isAny,
        sample: 4)
    case "repair":
      // What somebody has edited is added to repairs that are there already.
      let damaged = try damagedDumps(of: fixtures + "/missing-parents/dumps", name)
      let before = try outputWithRepairs(name, damaged)
      try FileManager.default.moveItem(
        atPath: before + "/repairs", toPath: "\(before)/\(Situation.written)")
      return Situation(
        name: name, dumps: damaged, before: before,
        options: [
          "repair", "--rejects", "OUT/" + Situation.rejects, "--repairs",
          "OUT/" + Situation.written,
        ], isOfInterest: isAny)
    case "standing":
      // Of the repairs one is rejected.
      let damaged = try damagedDumps(of: fixtures + "/missing-parents/dumps", name)
      return Situation(
        name: name, dumps: damaged,
        before: try outputWithRepairs(name, damaged, more: "999999,no such category,-7\n"),
        options: ["--allow-missing", "all", "--max-rejects", "9", "--repairs", "OUT/repairs"]
          + reports,
        isOfInterest: isPublishing)
    case "refused":
      return Situation(
        name: name, dumps: try smallerDumps(), before: try output(name, of: today),
        options: reports, isOfInterest: isPublishing)
    case "accepted":
      let dumps = fixtures + "/broken/value-unknown"
      let before = try output(name, of: dumps)
      try Data("value-unknown part_relationships.rel_type: \"X\"\n".utf8)
        .write(to: URL(fileURLWithPath: before + "/suppressed.txt"))
      return Situation(
        name: name, dumps: dumps, before: before,
        options: ["--suppress", "OUT/suppressed.txt", "--strict-schema"], isOfInterest: isPublishing
      )
    case "unchanged":
      return Situation(
        name: name, dumps: today, before: try output(name, of: today), options: ["--if-changed"],
        isOfInterest: isAny)
    case "changed":
      return Situation(
        name: name, dumps: today, before: try previousDatabase(name),
        options: ["--if-changed", "--max-shrink", "100%"], isOfInterest: isPublishing)
    case "previous":
      // The database of the day before is kept, and one older than that is there.
      let before = try previousDatabase(name)
      let earlier = try output(name + "-earlier", of: fixtures + "/broken/value-unknown")
      try FileManager.default.copyItem(
        atPath: earlier + "/catalog.sqlite", toPath: before + "/catalog.sqlite.previous")
      return Situation(
        name: name, dumps: today, before: before,
        options: ["--keep-previous", "--max-shrink", "100%"], isOfInterest: isPublishing)
    case "feed":
      // Another family of dumps, whose description is a file beside them.
      let feed = try feedWithDescription()
      return Situation(
        name: name, dumps: feed,
        before: try output(name, of: feed, ["--schema", feed + "/gtfs.json"]),
        options: ["--schema", "DUMPS/gtfs.json"], isOfInterest: isAny, sample: 1)
    case "sorting":
      return Situation(
        name: name, dumps: try largeDumps(), before: try newFolder("before-sorting"), options: [],
        isOfInterest: { $0.path.hasPrefix("temp") }, sample: 1)
    default: throw Failure("there is no situation '\(name)'")
    }
  }

  /// Runs the command undisturbed and keeps what it left and which calls it made.
  private func finish(_ situation: Situation) throws -> Situation {
    let workspace = try Workspace(folder + "/baseline")
    try workspace.putDumps(situation.dumps)
    var situation = situation
    let first = try run(situation, in: workspace, from: situation.before)
    situation.baseline.before = try FolderContents(of: situation.before)
    situation.baseline.status = first.status
    situation.baseline.after = try workspace.contents().output
    situation.baseline.calls = first.calls.filter { $0.kind != "allocations" }
    situation.baseline.allocations =
      first.calls.first { $0.kind == "allocations" }.flatMap { Int($0.path) } ?? 0
    _ = try run(situation, in: workspace, from: nil)
    situation.baseline.again = try workspace.contents().output
    try workspace.restore(situation.before)
    try? FileManager.default.removeItem(atPath: workspace.catalog)
    _ = try run(situation, in: workspace, from: nil)
    situation.baseline.first = try workspace.contents().output
    _ = try run(situation, in: workspace, from: situation.before)
    guard try workspace.contents().output["catalog.sqlite"] == situation.newDatabase else {
      throw Failure("\(situation.name): two runs have made two catalogs")
    }
    return situation
  }

  private func run(
    _ situation: Situation, in workspace: Workspace, from before: String?
  ) throws -> (status: Int32, calls: [Call]) {
    if let before { try workspace.restore(before) }
    let (outcome, calls) = try workspace.listCalls(workspace.command(ingest, situation), shim: shim)
    guard [0, 3, 65].contains(outcome.status) else {
      throw Failure("\(situation.name): \(outcome.status) \(outcome.errors)")
    }
    return (outcome.status, calls)
  }

  private func newFolder(_ name: String) throws -> String {
    let path = folder + "/" + name
    try makeFolder(path)
    return path
  }

  /// An output folder with the catalog of some dumps.
  private func output(_ name: String, of dumps: String, _ options: [String] = []) throws -> String {
    let path = try newFolder("before-" + name)
    try run(ingest, ["--source", dumps, "--out", path + "/catalog.sqlite", "--quiet"] + options)
    return path
  }

  /// An output folder as some night has left it: the catalog of other dumps, rejected records that
  /// somebody has repaired since, and those of the night before.
  private func previousDatabase(_ name: String, hasReports: Bool = false) throws -> String {
    let dumps = try damagedDumps(of: older, "older-" + name)
    let path = try newFolder("before-" + name)
    let reports = Situation.reports.flatMap { ["--report", path + "/" + $0] }
    for text in ["repaired yesterday", "repaired today"] {
      try run(
        ingest,
        [
          "--source", dumps, "--out", path + "/catalog.sqlite", "--quiet", "--max-rejects", "9",
          "--max-shrink", "100%",
        ] + (hasReports ? reports : []))
      try edit("\(path)/\(Situation.rejects)/parts.csv", "rejected here", text)
    }
    return path
  }

  /// The output folder of dumps that lack parents, which are added with `more`, and one of whose rejected
  /// records is repaired.
  private func outputWithRepairs(
    _ name: String, _ dumps: String, more: String = ""
  ) throws -> String {
    let path = try newFolder("before-" + name)
    try FileManager.default.copyItem(
      atPath: fixtures + "/missing-parents/repairs", toPath: path + "/repairs")
    let file = URL(fileURLWithPath: path + "/repairs/parts.add.csv")
    try (Data(contentsOf: file) + Data(more.utf8)).write(to: file)
    try run(
      ingest,
      [
        "--source", dumps, "--out", path + "/catalog.sqlite", "--quiet", "--max-rejects", "9",
        "--allow-missing", "all", "--repairs", path + "/repairs",
      ])
    try edit("\(path)/\(Situation.rejects)/parts.csv", "rejected here", "rejected-here,mended,11")
    return path
  }

  private func edit(_ path: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: path, encoding: .isoLatin1)
    guard text.contains(old) else { throw Failure("\(path): has no '\(old)'") }
    try text.replacingOccurrences(of: old, with: new)
      .write(toFile: path, atomically: false, encoding: .isoLatin1)
  }

  /// Dumps with rejected records, in a compressed file and in a plain one.
  private func damagedDumps(of dumps: String, _ name: String) throws -> String {
    let path = folder + "/" + name
    try FileManager.default.copyItem(atPath: dumps, toPath: path)
    try run(
      "/bin/sh",
      [
        "-c",
        """
        set -e
        cd "$0"
        { gunzip -c parts.csv.gz; printf 'rejected here\\n'; } >parts.csv
        rm parts.csv.gz
        { gunzip -c sets.csv.gz; printf 'also \\377\\n'; } | gzip -n >changed
        mv changed sets.csv.gz
        """, path,
      ])
    return path
  }

  /// Dumps beside which an operator keeps SQL.
  private func dumpsWithSQL() throws -> String {
    let path = folder + "/with-sql"
    try FileManager.default.copyItem(atPath: today, toPath: path)
    let script = """
      CREATE VIEW sets_by_year AS SELECT year, count(*) AS sets FROM sets GROUP BY year;
      CREATE TABLE years AS SELECT * FROM sets_by_year;
      CREATE INDEX set_names ON sets (name);
      CREATE VIRTUAL TABLE names USING fts5(name);
      INSERT INTO names SELECT name FROM sets;
      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: path + "/extra.sql"))
    return path
  }

  /// Dumps that lack most elements.
  private func smallerDumps() throws -> String {
    let path = folder + "/smaller"
    try FileManager.default.copyItem(atPath: today, toPath: path)
    let script =
      "cd \"$0\" && gunzip -c elements.csv.gz | head -n 9 >elements.csv && rm elements.csv.gz"
    try run("/bin/sh", ["-c", script, path])
    return path
  }

  /// A transit feed, with its description.
  private func feedWithDescription() throws -> String {
    let path = folder + "/feed"
    try FileManager.default.copyItem(atPath: fixtures + "/gtfs/feed", toPath: path)
    try FileManager.default.copyItem(
      atPath: fixtures + "/gtfs/datapackage.json", toPath: path + "/gtfs.json")
    return path
  }

  /// Dumps of which SQLite sorts an index in files.
  private func largeDumps() throws -> String {
    let path = folder + "/large"
    try run(generator, ["--out", path, "--rows", "140000"])
    return path
  }

  private func run(_ executable: String, _ arguments: [String]) throws {
    let outcome = try bounded(executable, arguments).run()
    guard [0, 3].contains(outcome.status) else {
      throw Failure("\(executable) \(arguments): \(outcome.status) \(outcome.errors)")
    }
  }
}

extension [Call] {
  /// How often each call was made.
  var counts: [Call: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
