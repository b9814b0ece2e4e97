/// The same work done through the layer and by a loop in C, on databases of the same kind.
struct LayerWork {
  let name: String
  /// What every side must find when it is done.
  let expected: Sums
  let reference: Side<Sample>
  let contenders: [Contender]

  /// A side that is held to a part of another one's rate.
  struct Contender {
    let side: Side<Sample>
    /// The part that is good enough.
    let bar: Double
    /// The name of the other side, if it is not the reference.
    var rival: String?
  }

  /// What one run of a side gave.
  struct Sample {
    let seconds: Double
    /// What was found after the work, or by it.
    let sums: Sums
  }

  func measurements(rounds: Int) throws -> [Measurement] {
    let sides = ([reference] + contenders.map(\.side)).map { side in
      Side(name: "\(name), \(side.name)") {
        let sample = try side.run()
        try check(sample.sums, is: expected, in: "\(name), \(side.name)")
        return sample.seconds
      }
    }
    let samples = try inTurn(sides, rounds: rounds)
    let series = zip(sides, samples).map { side, seconds in
      Series(
        name: side.name, unit: .millionRowsPerSecond,
        figures: seconds.map { Double(expected.rows) / $0 / 1e6 })
    }
    return [series[0].measurement(of: .layer)]
      + zip(contenders, series.dropFirst()).map { contender, figures in
        let rival = contenders.firstIndex { $0.side.name == contender.rival }.map { series[$0 + 1] }
        return figures.measurement(
          of: .layer, against: rival ?? series[0], bar: .atLeast(contender.bar))
      }
  }
}
