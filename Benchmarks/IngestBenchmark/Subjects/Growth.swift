import AllocationCounter

/// How the whole job grows with the dumps: seconds, peak memory, and allocations.
struct Growth {
  /// The sizes, as multiples of the usual one.
  static let factors = [0.25, 1, 4]

  /// The most rounds: each takes as long as all the rest of one, and a process begins anew each time.
  private static let limit = 3

  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  /// The name of a measurement.
  static func name(_ factor: Double) -> String {
    factor < 1 ? "1/\(Int(1 / factor)) x the rows" : "\(Int(factor)) x the rows"
  }

  /// The rows of inventory_parts of one size.
  static func rows(_ factor: Double, of rows: Int) -> Int { max(1, Int(Double(rows) * factor)) }

  func measurements() throws -> [Measurement] {
    let sets = try Self.factors.map { factor in
      let rows = Self.rows(factor, of: workbench.rows)
      return (
        source: try workbench.dumps.folder(rows: rows, .compressed),
        contents: try workbench.dumps.contents(rows: rows)
      )
    }
    let sides = zip(Self.factors, sets).map { factor, set in
      Side(name: Self.name(factor)) { try load(set.source, set.contents) }
    }
    let samples = try inTurn(sides, rounds: min(Self.limit, workbench.rounds), warmUp: false)
    return try seconds(samples) + peaks(samples)
      + allocations(samples, records: sets.map { $0.contents.allRecords })
      + Allocations(workbench).measurements()
  }

  private func load(_ source: String, _ contents: DumpContents) throws -> WholeJob {
    let path = workbench.freshPath("grown.sqlite")
    defer { removeFile(path) }
    let job = try WholeJob(by: workbench.executable, source, path)
    try checkCatalog(path, contents)
    return job
  }

  private func seconds(_ samples: [[WholeJob]]) -> [Measurement] {
    let series = zip(Self.factors, samples).map { factor, jobs in
      Series(name: Self.name(factor), unit: .seconds, figures: jobs.map(\.seconds))
    }
    let ratios = zip(series[2].figures, series[1].figures).map { $0 / $1 }
    var largest = series[2].measurement(of: .growth, bar: .atMost(4.3))
    largest.comparison = Measurement.Comparison(reference: series[1].name, ratio: Spread(ratios))
    return series.prefix(2).map { $0.measurement(of: .growth) } + [largest]
  }

  private func peaks(_ samples: [[WholeJob]]) -> [Measurement] {
    zip(Self.factors, samples).map { factor, jobs in
      Series(
        name: Self.name(factor), unit: .megabytes, figures: jobs.map(\.peakMegabytes)
      ).measurement(of: .growth)
    }
  }

  /// What the largest job allocates beyond the usual one, so that the start of a run does not count.
  private func allocations(_ samples: [[WholeJob]], records: [Int]) -> [Measurement] {
    guard allocations_are_counted() else { return [] }
    let millions = Double(records[2] - records[1]) / 1e6
    let figures = zip(samples[2], samples[1]).map { largest, usual in
      Double(largest.allocations - usual.allocations) / millions
    }
    return [
      Series(
        name: "whole job, SQLite included", unit: .allocationsPerMillionRows, figures: figures
      ).measurement(of: .growth)
    ]
  }
}
