/// Sums up the time of something that is done repeatedly.
struct Stopwatch {
  private var total = Duration.zero

  /// The time so far, in seconds.
  var seconds: Double { total.seconds }

  /// Does it again.
  mutating func time<Result: ~Copyable>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    defer { total += ContinuousClock.now - start }
    return body()
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
