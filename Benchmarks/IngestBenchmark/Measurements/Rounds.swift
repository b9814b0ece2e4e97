/// One way of doing the work.
struct Side<Sample> {
  let name: String
  /// Does the work once, checks what came of it, and returns what was measured.
  let run: () throws -> Sample
}

/// Runs all sides once per round, and returns their samples by round.
///
/// The order alternates. A temporary disturbance affects all sides, and the ratio within a round stays the same.
///
/// - Parameters:
///   - sides: the sides to compare.
///   - rounds: the number of rounds.
///   - warmUp: whether to run one more round before.
/// - Returns: For each side, its samples.
/// - Throws: What a side throws.
func inTurn<Sample>(
  _ sides: [Side<Sample>], rounds: Int, warmUp: Bool = true
) throws -> [[Sample]] {
  var samples = [[Sample]](repeating: [], count: sides.count)
  for round in (warmUp ? 0 : 1)...rounds {
    let order = round.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
    for side in order {
      let sample = try sides[side].run()
      if round > 0 { samples[side].append(sample) }
    }
  }
  return samples
}

/// Throws if the result of the work is wrong.
func check<Value: Equatable>(_ found: Value, is expected: Value, in work: String) throws(Failure) {
  guard found == expected else {
    throw .fault("\(work): there should be \(expected), but there are \(found)")
  }
}
