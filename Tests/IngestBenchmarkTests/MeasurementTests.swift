import Testing

@testable import ingest_benchmark

struct MeasurementTests {
  @Test(
    arguments: [([3], 3), ([4, 1], 2.5), ([5, 1, 2], 2), ([4, 1, 3, 9], 3.5)]
      as [([Double], Double)])
  func `the median of an even number lies between two`(figures: [Double], median: Double) {
    let spread = Spread(figures)
    #expect(spread.median == median)
    #expect(spread.least == figures.min() && spread.greatest == figures.max())
  }

  @Test func `ratios are those of each round, and more is better`() {
    let rates = Series(name: "fast", unit: .megabytesPerSecond, figures: [6, 4, 9])
      .measurement(
        of: .stages,
        against: Series(name: "slow", unit: .megabytesPerSecond, figures: [2, 4, 3]))
    #expect(rates.comparison?.reference == "slow")
    #expect(rates.comparison?.ratio == Spread(median: 3, least: 1, greatest: 3))
    #expect(rates.figure == Spread(median: 6, least: 4, greatest: 9) && rates.isMet == nil)
    let seconds = Series(name: "fast", unit: .seconds, figures: [2, 4])
      .measurement(
        of: .stages, against: Series(name: "slow", unit: .seconds, figures: [6, 4]),
        bar: .atLeast(2))
    #expect(seconds.comparison?.ratio == Spread(median: 2, least: 1, greatest: 3))
  }

  @Test(arguments: [
    (Bar.atLeast(2), 2.0, true), (.atLeast(2), 1.99, false), (.atMost(64), 64, true),
    (.atMost(64), 64.1, false),
  ])
  func `a bar is met by the median`(bar: Bar, median: Double, isMet: Bool) {
    let series = Series(name: "work", unit: .seconds, figures: [median - 1, median, median + 1])
    #expect(series.measurement(of: .growth, bar: bar).isMet == isMet)
    // The ratio is what counts where there is one.
    let unlike = Series(name: "reference", unit: .seconds, figures: [1e9, 1e9, 1e9])
    #expect(series.measurement(of: .growth, against: unlike, bar: .atLeast(1e6)).isMet == true)
  }

  @Test func `sides take turns, and the first round does not count`() throws {
    var order: [String] = []
    func side(_ name: String) -> Side<Int> {
      Side(name: name) {
        order.append(name)
        return order.count
      }
    }
    #expect(try inTurn([side("a"), side("b")], rounds: 2) == [[4, 5], [3, 6]])
    #expect(order == ["a", "b", "b", "a", "a", "b"])
    order = []
    #expect(try inTurn([side("a")], rounds: 2, warmUp: false) == [[1, 2]])
  }

  @Test func `failures have messages`() {
    #expect(throws: Failure(status: 70, message: "work: there should be 2, but there are 3")) {
      try check(3, is: 2, in: "work")
    }
  }
}
