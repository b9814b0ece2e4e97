/// Faults that even a correct command cannot survive, because the system lies.
///
/// Each must be detected, which tests the checks themselves.
struct Planted {
  let situation: Situation
  let enumeration: Enumeration

  private static let lies = [
    // Not atomic: the process dies while the new file is copied over the old one.
    "rename out/.catalog.sqlite.ingest/database 1 copy",
    "rename out/.catalog.sqlite.ingest/database 1 swallow",
    "rename out/catalog.sqlite.rejects.new 1 swallow",
    "unlink out/.catalog.sqlite.ingest.lock 1 swallow",
    "write out/.catalog.sqlite.ingest/database 60 swallow",
    "write out/.catalog.sqlite.ingest/database 60 damage",
    "write out/.catalog.sqlite.ingest/database 70 damage",
    "write out/.report.json.ingest 1 swallow",
    "write out/.report.html.ingest 1 swallow",
    "write out/catalog.sqlite.rejects.new/parts.csv 1 damage",
    "write out/catalog.sqlite.rejects.new/manifest.csv 1 swallow",
  ]

  /// The trials, each of which fails if nothing is found.
  var trials: [Trial] {
    Self.lies.compactMap(Point.init).map { point in
      let trial = enumeration.trial(point)
      return Trial(
        situation: situation, kind: "planted", fault: point.fault.rawValue,
        repetition: trial.repetition
      ) { workspace in
        guard let faults = try trial.attempt(workspace) else { return nil }
        return faults.isEmpty ? ["the planted fault was not found"] : []
      }
    }
  }
}
