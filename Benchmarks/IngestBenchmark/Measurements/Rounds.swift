/// One way of doing the work.
struct Side<Sample> {
  let name: String
  /// Does the work once, checks what came of it, and returns what was measured.
  let run: () throws -> Sample
}

/// Lets all sides do their work once a round, and returns the samples of each, round by round.
///
/// Who begins alternates: what disturbs the machine for a while disturbs all of them, and the ratio
/// within a round stays what it is.
///
/// - Parameters:
///   - sides: who takes turns.
///   - rounds: the rounds that count.
///   - warmUp: whether one more round goes before them.
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

/// Throws unless the work came to what it should have.
func check<Value: Equatable>(_ found: Value, is expected: Value, in work: String) throws(Failure) {
  guard found == expected else {
    throw .fault("\(work): there should be \(expected), but there are \(found)")
  }
}
