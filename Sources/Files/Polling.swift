import Glibc

/// Calls at least once, and again until there is an answer or the time is up.
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
