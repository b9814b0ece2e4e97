import Foundation
import TestSupport

/// One run waits at a call while two others run to their ends, and then goes on.
///
/// The others want the same catalog, or share one name with the first: each of its names is in turn the
/// catalog, the rejects folder or the report of another run.
struct Races {
  let enumeration: Enumeration
  private var situation: Situation { enumeration.situation }

  /// How many pairs of a call and another run are tried if not all are.
  private static let sample = 24

  /// Another run.
  private struct Rival {
    let name: String
    /// The words after `--source`; `OUT` is the output folder.
    let options: [String]
    /// What befalls the first of the two, and the second; nothing where it is empty.
    var points = ["", ""]
    /// Whether the first and the others mean the same files, so that a run after them finds all as usual.
    var isSame = false
  }

  private static let noLock = "lock out/.catalog.sqlite.ingest.lock 1 error=EIO"
  private static let killed = "write out/.catalog.sqlite.ingest/database 30 kill-after"
  private static let limits = ["--quiet", "--max-shrink", "100%", "--max-rejects", "9"]

  /// The names that the first run makes or was given.
  private static let names = [
    "catalog.sqlite", ".catalog.sqlite.ingest", ".catalog.sqlite.ingest.lock",
    "catalog.sqlite.rejects", "catalog.sqlite.rejects.previous", "catalog.sqlite.rejects.new",
    "report.json",
  ]

  private static var rivals: [Rival] {
    let same = ["--out", "OUT/catalog.sqlite"]
    let other = ["--out", "OUT/other.sqlite"]
    let shared = ["--rejects", "OUT/catalog.sqlite.rejects"]
    var rivals = [
      Rival(name: "same", options: same, isSame: true),
      Rival(name: "unlocked", options: same, points: [noLock, ""], isSame: true),
      Rival(name: "unlocked-killed", options: same, points: [noLock, killed], isSame: true),
      Rival(name: "killed", options: same, points: [killed, ""], isSame: true),
      Rival(
        name: "killed-publishing", options: same,
        points: ["rename out/.catalog.sqlite.ingest/database 1 kill-before", ""], isSame: true
      ),
      Rival(name: "dry", options: ["--dry-run"] + shared),
      Rival(name: "report", options: other + ["--report", "OUT/report.json"]),
    ]
    for name in names {
      rivals.append(Rival(name: "out=\(name)", options: ["--out", "OUT/" + name]))
      rivals.append(Rival(name: "rejects=\(name)", options: other + ["--rejects", "OUT/" + name]))
    }
    return rivals
  }

  /// The trials, all or some.
  func trials(all: Bool) -> [Trial] {
    let points = enumeration.fewPoints([.wait])
    let pairs = points.flatMap { point in Self.rivals.map { (point, $0) } }
    return (all ? pairs : pairs.spread(Self.sample)).map(trial)
  }

  /// The trial that `--race` names: a point and the name of the other run.
  func trial(_ description: String) throws -> Trial {
    let words = description.split(separator: " ").map(String.init)
    guard words.count == 5, let point = Point(words[0..<4].joined(separator: " ")),
      let rival = Self.rivals.first(where: { $0.name == words[4] })
    else { throw Failure("'\(description)' is no race") }
    return trial(point, rival)
  }

  private func trial(_ point: Point, _ rival: Rival) -> Trial {
    Trial(
      situation: situation, kind: "race", fault: rival.name,
      repetition: "--situation \(situation.name) --race '\(point) \(rival.name)'"
    ) { [self] workspace in
      try workspace.restore(situation.before)
      let command = workspace.command(enumeration.ingest, situation)
      guard let held = try workspace.hold(command, shim: enumeration.shim, at: point)
      else { return nil }
      let others = Result { try runOthers(rival, workspace) }
      try workspace.release()
      let outcome = try held.outcome()
      var faults = faultsOfStatus(outcome, "the run that waited")
      for (other, point) in zip(try others.get(), rival.points)
      where other.status != 137 || !point.contains("kill") {
        faults += faultsOfStatus(other, "another run")
      }
      let found = try workspace.contents().output
      faults += faultsOfContents(found, rival)
      if outcome.status == situation.baseline.status { faults += faultsOfPublishing(found) }
      guard rival.isSame else { return faults }
      let next = try command.run()
      return faults
        + Checks(situation: situation).faults(
          afterNext: next, try workspace.contents().output, mayPushOut: true)
    }
  }

  /// Runs the other one twice.
  private func runOthers(_ rival: Rival, _ workspace: Workspace) throws -> [ChildProcess.Outcome] {
    let command = bounded(
      enumeration.ingest,
      ["--source", workspace.root + "/dumps"]
        + (rival.options + Self.limits).map {
          $0.replacingOccurrences(of: "OUT", with: workspace.output)
        }, temporary: workspace.temporary)
    return try rival.points.map { point in
      guard !point.isEmpty else { return try command.run() }
      return try workspace.preload(command, enumeration.shim, ("FAULTS_POINT", point)).run()
    }
  }

  /// A run is done, or says why it is not: never by a signal, and never as a fault of its own.
  private func faultsOfStatus(_ outcome: ChildProcess.Outcome, _ run: String) -> [String] {
    [0, 3, 64, 65, 66, 73, 74, 75].contains(outcome.status)
      ? [] : ["\(run): exit status \(outcome.status): \(outcome.errors)"]
  }

  /// The new one, as it is beside the old one, and as it is if another run has published it before.
  private var newCatalogs: [Data?] {
    [situation.newDatabase, situation.baseline.again["catalog.sqlite"]]
  }

  /// Whatever is left is whole: every catalog and every folder of rejected records.
  private func faultsOfContents(_ found: FolderContents, _ rival: Rival) -> [String] {
    var faults: [String] = []
    let catalogs = [situation.oldCatalog] + newCatalogs
    for name in found.names.sorted() where !name.hasSuffix("/") {
      guard let bytes = found[name] else { continue }
      if bytes.starts(with: Data("SQLite format 3\0".utf8)), !catalogs.contains(bytes),
        name == "catalog.sqlite" || bytes != situation.baseline.first["catalog.sqlite"]
      {
        faults.append("\(name) is half a catalog")
      }
      if name == "catalog.sqlite", rival.isSame, !catalogs.contains(bytes) {
        faults.append("the catalog is neither the old one nor a new one")
      }
    }
    if found["catalog.sqlite"] == nil, !found.names.contains("catalog.sqlite/") {
      faults.append("there is no catalog")
    }
    let oldest = situation.baseline.before.folder(Situation.rejects + ".previous")
    let known = [situation.oldRejects, situation.newRejects, oldest]
    let folders = found.names.filter { $0.hasSuffix("/") }.map { String($0.dropLast()) }.sorted()
    // A run that is killed leaves its file to the next one.
    let isKilled = rival.points.contains(Self.killed)
    for name in folders where !(isKilled && name == ".catalog.sqlite.ingest") {
      let folder = found.folder(name).without("unfinished")
      if !known.contains(folder), !folder.isEmpty { faults.append("\(name) is no whole folder") }
    }
    if !folders.contains(where: { found.folder($0).without("unfinished") == situation.oldRejects })
    {
      faults.append("the repaired records are gone")
    }
    return faults
  }

  /// A run that says that it has published, and kept rejects, has.
  private func faultsOfPublishing(_ found: FolderContents) -> [String] {
    var faults: [String] = []
    if !newCatalogs.contains(found["catalog.sqlite"]) {
      faults.append("published, but the catalog is not the new one")
    }
    let folders = found.names.filter { $0.hasPrefix(Situation.rejects) }
    if !folders.contains(where: { found.folder(String($0.dropLast())) == situation.newRejects }) {
      faults.append("published, but the rejected records are gone")
    }
    return faults
  }
}
