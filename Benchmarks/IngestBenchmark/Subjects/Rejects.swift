import RebrickableCatalog
import SQLiteSwiftly

/// What it costs when every record is bad: the whole job beside that on sound dumps.
struct Rejects {
  /// The most rounds, since each of them takes four jobs.
  private static let limit = 3

  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func measurements() throws -> [Measurement] {
    let contents = try workbench.contents
    let sound = try workbench.dumps(.compressed)
    let clean = Side(name: "sound dumps") {
      try load(sound) { try checkCatalog($0, contents) }
    }
    let others = try Damage.allCases.map { damage in
      let source = try workbench.dumps.folder(rows: workbench.rows, damage)
      return Side(name: damage.rawValue) {
        try load(source) { try checkAllIsRejected($0, contents) }
      }
    }
    let rounds = min(Self.limit, workbench.rounds)
    let samples = try inTurn([clean] + others, rounds: rounds, warmUp: false)
    let names = ([clean] + others).map(\.name)
    return measurements(names, .seconds, samples.map { $0.map(\.seconds) }, bar: .atMost(3))
      + measurements(
        names, .megabytes, samples.map { $0.map(\.peakMegabytes) }, bar: .atMost(1.05))
  }

  /// The figures of all sides, those of damaged dumps as multiples of the first one's.
  private func measurements(
    _ names: [String], _ unit: Unit, _ figures: [[Double]], bar: Bar
  ) -> [Measurement] {
    zip(names, figures).enumerated().map { index, side in
      var measurement = Series(name: side.0, unit: unit, figures: side.1)
        .measurement(of: .rejects, bar: index == 0 ? nil : bar)
      if index > 0 {
        let ratios = zip(side.1, figures[0]).map { $0 / $1 }
        measurement.comparison = .init(reference: names[0], ratio: Spread(ratios))
      }
      return measurement
    }
  }

  private func load(_ source: String, _ check: (String) throws -> Void) throws -> WholeJob {
    let path = workbench.freshPath("catalog.sqlite")
    defer {
      removeFile(path)
      removeFolder(path + ".rejects")
    }
    let job = try WholeJob(by: workbench.executable, source, path)
    try check(path)
    return job
  }

  private func checkAllIsRejected(_ path: String, _ contents: DumpContents) throws {
    let connection = try Connection(path, opening: .readOnly)
    for (sum, expected) in [("inserted", 0), ("rejected", contents.allRecords)] {
      let found = try connection.query(
        "SELECT sum(\(identifier: sum)) FROM ingest_sources", as: Int.self)
      try check(found, is: [expected], in: "the whole job on damaged dumps")
    }
  }
}
