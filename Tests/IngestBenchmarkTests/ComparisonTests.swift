import Foundation
import Testing

@testable import ingest_benchmark

struct ComparisonTests {
  private let sums = Sums(rows: 2, integers: 3, textBytes: 4)

  /// A side that takes the given seconds, one after the other.
  private func side(_ name: String, _ seconds: [Double], _ sums: Sums) -> Comparison.Side {
    var rest = seconds[...]
    return Comparison.Side(name: name) {
      Comparison.Measurement(seconds: rest.removeFirst(), sums: sums)
    }
  }

  private func comparison(_ contenders: [Comparison.Side]) -> Comparison {
    Comparison(
      subject: .insertParts, place: "memory", expected: sums, bar: 1.5,
      reference: side("C loop", [9, 1, 2, 4], sums), contenders: contenders)
  }

  @Test func `ratios are those of each round, without the first`() throws {
    let results = try comparison([
      side("fast", [1, 1.1, 3, 4], sums), side("slow", [1, 2, 4, 20], sums),
    ]).measure(rounds: 3)
    #expect(results.map(\.contender) == ["fast", "slow"])
    #expect(results.map(\.ratio.median) == [1.1, 2] && results.map(\.meetsBar) == [true, false])
    #expect(results.map(\.seconds.greatest) == [4, 20])
    #expect(results[0].ratio.least == 1 && results[0].ratio.greatest == 1.5)
    #expect(results[0].referenceSeconds.median == 2)
  }

  @Test func `wrong rows end it`() throws {
    let wrong = Sums(rows: 2, integers: 3, textBytes: 5)
    #expect(
      throws: Failure(
        status: 70,
        message: "insert-parts, memory, fast: there should be 2 rows, integers 3, text bytes 4, "
          + "but there are 2 rows, integers 3, text bytes 5")
    ) {
      try comparison([side("fast", [1], wrong)]).measure(rounds: 3)
    }
  }

  @Test(
    arguments: [([3], 3), ([4, 1], 2.5), ([5, 1, 2], 2), ([4, 1, 3, 9], 3.5)]
      as [([Double], Double)])
  func `the median of an even number lies between two`(figures: [Double], median: Double) {
    let spread = Spread(figures)
    #expect(spread.median == median)
    #expect(spread.least == figures.min() && spread.greatest == figures.max())
  }

  @Test func `the report says what was met`() throws {
    var report = Report(rounds: 3)
    let table = report.add(
      try comparison([side("slow", [1, 2, 4, 20], sums)]).measure(rounds: 3))
    #expect(table.split(separator: "\n").map { $0.hasSuffix("1.50 missed ") } == [false, true])
    #expect(table.contains("2.000 (2.000 to 5.000)"))
    let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
    #expect(json?["rounds"] as? Int == 3)
    let result = try #require((json?["results"] as? [[String: Any]])?.first)
    #expect(result["subject"] as? String == "insert-parts" && result["met"] as? Bool == false)
    #expect((result["ratio"] as? [String: Double]) == ["median": 2, "least": 2, "greatest": 5])
  }

  @Test(arguments: Subject.allCases)
  func `all sides do the same work`(subject: Subject) throws {
    let path = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    for store in [Store.memory, .file(path: path)] {
      defer { store.clear() }
      let results = try subject.comparison(rows: 300, on: store).measure(rounds: 1)
      #expect(results.allSatisfy { $0.comparison.expected.rows == 300 && $0.ratio.median > 0 })
    }
  }
}
