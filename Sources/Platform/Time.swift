package import Glibc

/// A time in an unknown time zone, as `2026-11-21T17:01:03`, from the seconds since 1970 by the same clock.
package func zoneless(_ seconds: Int) -> String { String(utc(seconds).dropLast()) }

/// A time in UTC as `2026-11-21T17:01:03Z` (ISO 8601).
package func utc(_ secondsSince1970: Int) -> String {
  var seconds = time_t(secondsSince1970)
  var parts = unsafe tm()
  var text = [CChar](repeating: 0, count: 32)
  unsafe gmtime_r(&seconds, &parts)
  let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
  return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A time in UTC with milliseconds, as `2026-11-21T17:01:03.042Z` (RFC 3339).
package func utc(_ time: timespec) -> String {
  let milliseconds = String(time.tv_nsec / 1_000_000 + 1000).dropFirst()
  return "\(utc(time.tv_sec).dropLast()).\(milliseconds)Z"
}

package func currentTime() -> timespec {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return time
}

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

/// Waits for another run, or for a program that has locked the database.
package final class Patience: Sendable {
  private let waited = Monitor(0.0)
  private let report: @Sendable (String) -> Void

  /// Starts with a run; `report` is called once for each wait.
  package init(_ report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// The seconds of all waits, which do not count as time of the run.
  package var seconds: Double { waited.with { $0 } }

  /// Calls `ask` at least once, until it returns an answer or the time is up; `description` is reported if it waits.
  package func wait<Answer, Failure>(
    for seconds: Double, _ description: () -> String, until ask: () throws(Failure) -> Answer?
  ) throws(Failure) -> Answer? {
    let start = ContinuousClock.now
    var hasWaited = false
    defer { if hasWaited { waited.with { $0 += (ContinuousClock.now - start).seconds } } }
    return try poll(for: seconds) { () throws(Failure) in
      if let answer = try ask() { return answer }
      if seconds > 0, !hasWaited {
        hasWaited = true
        report(description())
      }
      return nil
    }
  }
}
