import Glibc

/// Asks repeatedly until there is an answer or the time is up.
///
/// - Parameters:
///   - seconds: how long to go on asking; once at least.
///   - ask: gives the answer, or nil if there is none yet.
/// - Returns: The answer, or nil.
/// - Throws: what `ask` throws.
package func poll<Answer, Failure>(
  for seconds: Double, _ ask: () throws(Failure) -> Answer?
) throws(Failure) -> Answer? {
  let end = ContinuousClock.now + .seconds(seconds)
  while true {
    if let answer = try ask() { return answer }
    guard ContinuousClock.now < end else { return nil }
    usleep(50_000)
  }
}
