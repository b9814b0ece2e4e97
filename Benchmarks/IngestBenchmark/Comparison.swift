/// The same work done by several sides in turn, and how long each takes.
///
/// The sides take turns in every round, and who begins alternates: what disturbs the machine for a
/// while disturbs all of them, and the ratio within a round stays what it is.
struct Comparison {
  /// What is compared.
  let subject: Subject
  /// What it is done on, such as `memory`.
  let place: String
  /// What every side must find when it is done.
  let expected: Sums
  /// The ratio to the reference that is good enough.
  let bar: Double
  /// What the others are compared with.
  let reference: Side
  let contenders: [Side]

  /// One way of doing the work.
  struct Side {
    let name: String
    /// Does the work once; called for every round, and once before the first.
    let run: () throws -> Measurement
  }

  /// What one run of a side gave.
  struct Measurement {
    let seconds: Double
    /// What was found after the work, or by it.
    let sums: Sums
  }

  /// How a contender did against the reference.
  struct Result {
    let comparison: Comparison
    let contender: String
    let referenceSeconds: Spread
    let seconds: Spread
    /// Of the ratios round by round.
    let ratio: Spread

    /// Whether the median of the ratios is within the bar.
    var meetsBar: Bool { ratio.median <= comparison.bar }
  }

  /// Runs all sides `rounds` times, after one run that does not count.
  func measure(rounds: Int) throws -> [Result] {
    let sides = [reference] + contenders
    var seconds = [[Double]](repeating: [], count: sides.count)
    for round in 0...rounds {
      let order = round.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
      for side in order {
        let measurement = try sides[side].run()
        guard measurement.sums == expected else {
          throw Failure.fault(
            "\(subject.rawValue), \(place), \(sides[side].name): "
              + "there should be \(expected), but there are \(measurement.sums)")
        }
        if round > 0 { seconds[side].append(measurement.seconds) }
      }
    }
    return contenders.indices.map { index in
      let own = seconds[index + 1]
      return Result(
        comparison: self, contender: contenders[index].name,
        referenceSeconds: Spread(seconds[0]), seconds: Spread(own),
        ratio: Spread(zip(own, seconds[0]).map { $0 / $1 }))
    }
  }
}
