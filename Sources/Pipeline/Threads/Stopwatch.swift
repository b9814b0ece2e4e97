/// Sums up the time of repeated work.
package struct Stopwatch {
  private var total = Duration.zero

  package init() {}

  package var seconds: Double { total.seconds }

  package mutating func time<Result: ~Copyable>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    defer { total += ContinuousClock.now - start }
    return body()
  }
}

extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
