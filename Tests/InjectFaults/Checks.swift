import Foundation
import TestSupport

/// The checks after a fault, and after the next run.
struct Checks {
  let situation: Situation

  /// The failures after a run with a fault.
  func faults(
    after outcome: ChildProcess.Outcome, _ found: FolderContents, _ expectation: Expectation
  ) -> [String] {
    let found = expectation.mayWarn ? withoutWarnings(found) : found
    var faults: [String] = []
    let catalog = found["catalog.sqlite"]
    let statuses = statuses(expectation, catalog)
    if !statuses.contains(outcome.status) {
      let expected = statuses.sorted().map(String.init).joined(separator: " or ")
      faults.append("exit status \(outcome.status), expected \(expected)")
    }
    if catalog != situation.oldCatalog, catalog != situation.newDatabase {
      faults.append("the catalog is neither the old one nor the new one")
    }
    let previous = found["catalog.sqlite.previous"]
    if let before = situation.baseline.before["catalog.sqlite.previous"], previous != before,
      previous != situation.oldCatalog
    {
      faults.append("the database that is kept is neither the one before nor the one replaced")
    }
    for suffix in ["-journal", "-wal", "-shm"] where found["catalog.sqlite" + suffix] != nil {
      faults.append("there is a catalog.sqlite\(suffix)")
    }
    faults += faultsOfRejects(found, mayPushOut: false) + faultsOfRepairs(found)
    guard outcome.status < 128 else { return faults }
    if outcome.status == situation.baseline.status {
      if !messages(outcome).isEmpty, outcome.status != 65 {
        faults.append("a message, though all is well")
      }
      // A catalog that is refused is kept if that is possible.
      let isKept = !outcome.errors.contains("could not be kept")
      faults += faultsOfCompleteness(found, isOver: false, isKept: isKept)
    } else {
      faults += faultsOfMessage(outcome, expectation, isNew: isNew(catalog))
    }
    if !expectation.mayLeave { faults += leftovers(found, expectation.leftovers) }
    if situation.writesReports, !expectation.mayLeave {
      faults += faultsOfReports(found, expectation.concernsReports ? nil : outcome.status)
      faults += faultsOfVerdict(found, outcome.status)
    }
    return faults
  }

  /// The failures after the next run, without a fault.
  func faults(
    afterNext outcome: ChildProcess.Outcome, _ found: FolderContents, mayPushOut: Bool = false
  ) -> [String] {
    var faults: [String] = []
    if outcome.status != situation.baseline.status {
      faults.append(
        "the next run: exit status \(outcome.status), expected \(situation.baseline.status): "
          + outcome.errors)
    }
    return faults
      + (faultsOfRejects(found, mayPushOut: mayPushOut)
      + faultsOfCompleteness(found, isOver: true)
      // A run without work removes nothing.
      + leftovers(found, situation.looksForChanges ? [".catalog.sqlite.ingest.lock"] : [])
      + (situation.writesReports ? faultsOfReports(found, outcome.status) : []))
      .map { "the next run: " + $0 }
  }

  /// The valid statuses for the current output: a failure after publishing, or with an up-to-date catalog, has its
  /// own status.
  private func statuses(_ expectation: Expectation, _ catalog: Data?) -> Set<Int32> {
    let faultless = expectation.statuses.filter { $0 == situation.baseline.status || $0 > 128 }
    guard catalog == situation.newDatabase, faultless != expectation.statuses else {
      return expectation.statuses
    }
    return (isNew(catalog) ? faultless : expectation.statuses).union([Self.unfinished])
  }

  /// The status of a run that failed after publishing.
  private static let unfinished: Int32 = 5

  /// The contents with the new catalog, if the existing one differs only in its description of the run.
  private func withoutWarnings(_ found: FolderContents) -> FolderContents {
    guard let catalog = found["catalog.sqlite"], let new = situation.newDatabase,
      !isNew(catalog), let statements = try? statements(catalog),
      statements == (try? self.statements(new))
    else { return found }
    return found.replacing("catalog.sqlite", by: new)
  }

  /// The SQL of a catalog, as another program prints it, without the warnings of the run and its verdict.
  private func statements(_ catalog: Data) throws -> [Substring] {
    let file = FileManager.default.temporaryDirectory.path + "/catalog-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: file) }
    try catalog.write(to: URL(fileURLWithPath: file))
    let outcome = try ChildProcess("/usr/bin/env", ["sqlite3", file, ".dump"]).run()
    guard outcome.status == 0 else { throw Failure("sqlite3: \(outcome.errors)") }
    let tables = ["ingest_warnings", "ingest_verdict", "ingest_history"]
    return outcome.output.split(separator: "\n").filter { line in
      !tables.contains { line.hasPrefix("INSERT INTO \($0) ") }
    }
  }

  private func isNew(_ catalog: Data?) -> Bool {
    catalog == situation.newDatabase && catalog != situation.oldCatalog
  }

  private func messages(_ outcome: ChildProcess.Outcome) -> [Substring] {
    outcome.errors.split(separator: "\n").filter {
      $0.hasPrefix("ingest: ") || $0.hasSuffix(" (description-unreadable)")
    }
  }

  /// One message, with the file and the cause.
  private func faultsOfMessage(
    _ outcome: ChildProcess.Outcome, _ expectation: Expectation, isNew: Bool
  ) -> [String] {
    let messages = messages(outcome)
    guard let first = messages.first else { return ["no message"] }
    var faults: [String] = []
    if messages.count > 1, !expectation.mayRepeat || Set(messages).count < messages.count {
      faults.append("\(messages.count) messages: \(messages.joined(separator: " | "))")
    }
    if !expectation.causes.isEmpty, !expectation.causes.contains(where: first.contains) {
      faults.append("a message without the cause: \(first)")
    }
    if !first.contains("/run/"), !first.contains("cannot start the ") {
      faults.append("a message without a file: \(first)")
    }
    if isNew, !first.contains("published") {
      faults.append("published, but the message does not say so: \(first)")
    }
    if first.contains("othing was published"), isNew {
      faults.append("published, but the message says that it was not: \(first)")
    }
    return faults
  }

  /// Rejected records and their repairs are never lost or incomplete.
  private func faultsOfRejects(_ found: FolderContents, mayPushOut: Bool) -> [String] {
    var faults: [String] = []
    let name = Situation.rejects
    let rejects = found.folder(name).without("unfinished")
    let known = [
      FolderContents(), situation.oldRejects, situation.newRejects,
      situation.baseline.again.folder(name),
    ]
    // A run that ends before it has read everything keeps what it has.
    let isPartOf =
      isNew(found["catalog.sqlite"]) ? false : rejects.isSound(partOf: situation.newRejects)
    if !known.contains(rejects), !isPartOf {
      faults.append("\(name) is no whole folder: \(rejects.files.keys.sorted())")
    }
    let folders = found.names.filter { $0.hasPrefix(name) && $0.hasSuffix("/") }
      .map { found.folder(String($0.dropLast())).without("unfinished").withoutSaved }
    if !situation.oldRejects.isEmpty, !folders.contains(situation.oldRejects), !mayPushOut {
      faults.append("the edited records of \(name) are gone")
    }
    if isNew(found["catalog.sqlite"]), !situation.newRejects.isEmpty, !known[2...].contains(rejects)
    {
      faults.append("published, but the rejected records are not in \(name)")
    }
    return faults
  }

  /// Files of users are untouched, no saved file of repairs is incomplete, and no record is left out before the one in its
  /// place is added.
  private func faultsOfRepairs(_ found: FolderContents) -> [String] {
    let (before, after) = (situation.baseline.before, situation.baseline.after)
    let changed = before.files.filter { path, bytes in
      Situation.inputs.contains(where: path.hasPrefix) && found[path] != bytes
    }
    let half = found.folder(Situation.written).files.filter { path, bytes in
      let known = [before, after].map { $0.folder(Situation.written)[path] }
      return !path.hasPrefix(".") && !known.contains(bytes)
    }
    let (old, new) = (before.folder(Situation.written), after.folder(Situation.written))
    let now = found.folder(Situation.written)
    let early = new.files.keys.filter { name in
      let addition = name.replacingOccurrences(of: ".leave-out.", with: ".add.")
      return addition != name && now[name] == new[name] && now[name] != old[name]
        && now[addition] != new[addition]
    }
    return changed.keys.sorted().map { "\($0) has changed" }
      + early.map { "\($0) leaves out a record too early" }
      + half.keys.sorted().map {
        "\(Situation.written)/\($0) is neither the old one nor the new one"
      }
  }

  /// The output matches that of an undisturbed run, or of two runs.
  private func faultsOfCompleteness(
    _ found: FolderContents, isOver: Bool, isKept: Bool = true
  ) -> [String] {
    let expected = [situation.baseline.after] + (isOver ? [situation.baseline.again] : [])
    var faults: [String] = []
    for name in ["catalog.sqlite", "catalog.sqlite.previous"]
      + (isKept ? ["catalog.sqlite.refused"] : [])
    where !expected.contains(where: { $0[name] == found[name] }) {
      faults.append("\(name) is not that of the undisturbed run")
    }
    for name in [Situation.rejects, Situation.written]
    where !expected.contains(where: { $0.folder(name) == found.folder(name) }) {
      faults.append("\(name) is not that of the undisturbed run")
    }
    return faults
  }

  private func leftovers(_ found: FolderContents, _ allowed: Set<String> = []) -> [String] {
    let known = situation.baseline.before.names.union(situation.baseline.after.names)
    return found.names.filter { name in
      !known.contains(name) && !name.hasPrefix(Situation.rejects + ".previous")
        && !allowed.contains(name)
    }.sorted().map { "\($0) was left behind" }
  }

  /// The report of a failed run states whether the new catalog was published.
  private func faultsOfVerdict(_ found: FolderContents, _ status: Int32) -> [String] {
    guard let bytes = found[Situation.reports[0]],
      let report = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      report["exit_code"] as? Int == Int(status), status > 4,
      let verdict = report["verdict"] as? [String: Any]
    else { return [] }
    let state = status == Self.unfinished ? "incomplete" : "not_published"
    return verdict["state"] as? String == state
      ? [] : ["the verdict is \(verdict["state"] ?? "missing"), expected \(state)"]
  }

  /// A report is complete, and states how the run ended, if known.
  private func faultsOfReports(_ found: FolderContents, _ status: Int32?) -> [String] {
    var faults: [String] = []
    for name in Situation.reports {
      guard let bytes = found[name] else {
        if status != nil { faults.append("there is no \(name)") }
        continue
      }
      if bytes == situation.baseline.before[name] {
        if status == situation.baseline.status { faults.append("\(name) is the old one") }
        continue
      }
      if name.hasSuffix(".html") {
        if !bytes.suffix(16).contains(Data("</html>".utf8)) { faults.append("\(name) is cut") }
      } else {
        let report = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        if report == nil { faults.append("\(name) is cut") }
        if let status, report?["exit_code"] as? Int != Int(status) {
          faults.append("\(name) says \(report?["exit_code"] ?? "nothing")")
        }
      }
    }
    return faults
  }
}

extension FolderContents {
  /// The contents without the copies of edited records that mark them as saved, finished or not.
  fileprivate var withoutSaved: FolderContents {
    files.keys.filter { $0.contains(".saved.csv") }.reduce(self) { $0.without($1) }
  }

  /// Whether a folder of rejected records is whole in itself, and has none that is not in another.
  fileprivate func isSound(partOf other: FolderContents) -> Bool {
    guard let manifest = lines("manifest.csv"), manifest.first?.hasPrefix("table,file") == true
    else { return false }
    return manifest.dropFirst().allSatisfy { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 9, let count = Int(fields[6]) else { return false }
      let name = String(fields[0]) + ".csv"
      guard count > 0 else { return true }
      guard let records = lines(name), let others = other.lines(name) else { return false }
      return records.count == count + 1 && Set(records).isSubset(of: others)
        && (lines(String(fields[0]) + ".reasons.csv")?.count ?? 0) > count
    }
  }

  private func lines(_ name: String) -> [String]? {
    // Not of a String, to which CRLF is one character.
    self[name]?.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Data {
  fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
