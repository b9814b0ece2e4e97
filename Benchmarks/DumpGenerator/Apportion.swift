/// Splits `total` in proportion to the weights; the shares add up to it exactly.
func apportion(_ total: Int, by weights: [Int]) -> [Int] {
  let weightOfAll = weights.reduce(0, +)
  precondition(weightOfAll > 0, "at least one weight must be positive")
  var weightSoFar = 0
  var given = 0
  return weights.map { weight in
    weightSoFar += weight
    let due = total * weightSoFar / weightOfAll
    defer { given = due }
    return due - given
  }
}
