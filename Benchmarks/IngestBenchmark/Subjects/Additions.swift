/// What the derived tables, the views and the search add to the whole job: to its time and to the file.
struct Additions {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func measurements() throws -> [Measurement] {
    let source = try workbench.dumps(.compressed)
    let contents = try workbench.contents
    var bytes = [[Double]](repeating: [], count: WholeJob.Extent.allCases.count)
    let sides = WholeJob.Extent.allCases.enumerated().map { place, extent in
      Side(name: extent.rawValue) {
        let path = workbench.freshPath("catalog.sqlite")
        defer { removeFile(path) }
        let job = try WholeJob(by: workbench.executable, source, path, extent)
        try checkCatalog(path, contents)
        bytes[place].append(Double(try fileSize(path)) / 1e6)
        return job.seconds
      }
    }
    let seconds = try inTurn(sides, rounds: workbench.rounds, warmUp: false)
    return measurements(.seconds, seconds, bars: [nil, .atMost(1.1), nil])
      + measurements(.megabytes, bytes, bars: [nil, nil, nil])
  }

  /// The figures of all extents, as multiples of the first one's.
  private func measurements(
    _ unit: Unit, _ figures: [[Double]], bars: [Bar?]
  ) -> [Measurement] {
    let series = zip(WholeJob.Extent.allCases, figures).map {
      Series(name: $0.rawValue, unit: unit, figures: $1)
    }
    return zip(series, bars).enumerated().map { place, side in
      var measurement = side.0.measurement(of: .additions, bar: side.1)
      if place > 0 {
        let ratios = zip(side.0.figures, series[0].figures).map { $0 / $1 }
        measurement.comparison = .init(reference: series[0].name, ratio: Spread(ratios))
      }
      return measurement
    }
  }
}
