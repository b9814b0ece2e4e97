/// Sums up the time of something that is done repeatedly.
package struct Stopwatch {
  private var total = Duration.zero

  package init() {}

  /// The time so far, in seconds.
  package var seconds: Double { total.seconds }

  /// Does it again.
  package mutating func time<Result: ~Copyable>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    defer { total += ContinuousClock.now - start }
    return body()
  }
}

extension Duration {
  /// The duration in seconds.
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
