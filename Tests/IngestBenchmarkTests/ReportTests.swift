import Testing

@testable import ingest_benchmark

struct ReportTests {
  @Test func `a report that is written as JSON is read as it was`() throws {
    let reference = Series(
      name: "loop <in> \"C\"", unit: .millionRowsPerSecond, figures: [1, 3, 2])
    let whole = makeReport([
      makeMeasurement("inflate", .seconds, [0.1, 1.0 / 3, 2e-7]),
      Series(name: "insert", unit: .millionRowsPerSecond, figures: [4, 5, 6])
        .measurement(of: .hotPath, against: reference, bar: .atLeast(1.7)),
      Series(name: "peak", unit: .megabytes, figures: [64, 65, 66])
        .measurement(of: .wholeJob, bar: .atMost(64)),
    ])
    let read = try Report(json: whole.json)
    #expect(read.conditions == whole.conditions && read.notes == whole.notes)
    #expect(read.measurements == whole.measurements)
    #expect(whole.json.contains("\"met\": false") && whole.json.contains("\"met\": true"))
  }

  @Test(arguments: [
    "", "{", "[]", "{\"measurements\": []}",
    "{\"machine\": {\"processor\": \"a\", \"processors\": 1, \"system\": \"b\"}, \"sqlite\": \"3\", "
      + "\"rounds\": 1, \"rows\": 100, \"notes\": [], \"measurements\": [{\"subject\": \"tea\"}]}",
  ])
  func `a file that is not a report is refused`(json: String) {
    #expect(throws: (any Error).self) { try Report(json: json) }
  }

  @Test(arguments: [
    (Unit.seconds, [1.0, 2], [3.0, 4], true), (.seconds, [1, 3], [3, 4], false),
    (.seconds, [3, 4], [1, 2], false), (.megabytesPerSecond, [3, 4], [1, 2], true),
    (.megabytesPerSecond, [3, 4], [1, 3], false), (.megabytesPerSecond, [1, 2], [3, 4], false),
    (.megabytes, [50, 51], [52, 53], true), (.millionRowsPerSecond, [5, 6], [4, 4.9], true),
    (.allocationsPerMillionRows, [0, 0], [1, 1], true),
  ])
  func `a figure regressed if its best is worse than the old worst`(
    unit: Unit, before: [Double], now: [Double], fell: Bool
  ) {
    let changes = makeReport([makeMeasurement("work", unit, now)])
      .changes(since: makeReport([makeMeasurement("work", unit, before)]))
    #expect(changes.count == 1)
    #expect(
      changes[0].hasPrefix(fell ? "regression: stages, work, \(unit.rawValue): " : "no regressions")
    )
  }

  @Test(arguments: [
    ([2.0, 3], [1.0, 1], Bar.atLeast(1), true), ([2, 3], [2, 2], .atLeast(1), false),
    ([1, 1], [2, 3], .atMost(4), true), ([2, 3], [1, 1], .atMost(4), false),
  ])
  func `the ratio of a comparison counts`(before: [Double], now: [Double], bar: Bar, fell: Bool) {
    func compared(_ ratios: [Double], _ figures: [Double]) -> Report {
      var measurement = makeMeasurement("work", .seconds, figures)
      measurement.comparison = .init(reference: "other", ratio: Spread(ratios))
      measurement.bar = bar
      return makeReport([measurement])
    }
    // The figures alone would say the contrary.
    let changes = compared(now, [1, 1]).changes(since: compared(before, fell ? [2, 2] : [0, 0]))
    #expect(changes.count == 1 && changes[0].hasPrefix(fell ? "regression" : "no regressions"))
    #expect(!fell || changes[0].contains(" x other ("))
  }

  @Test func `figures that only one report has are listed`() {
    let baseline = makeReport([
      makeMeasurement("kept", .seconds, [1]), makeMeasurement("gone", .seconds, [1]),
      makeMeasurement("passed over", .seconds, [1], subject: .layer),
    ])
    let now = makeReport([
      makeMeasurement("kept", .seconds, [1]), makeMeasurement("new", .seconds, [9]),
    ])
    #expect(
      now.changes(since: baseline) == [
        "no regressions", "not in the baseline: stages, new, s",
        "only in the baseline: stages, gone, s",
      ])
  }

  @Test func `the table shows which bars are met`() {
    let table = makeReport([
      makeMeasurement("inflate", .megabytesPerSecond, [841.4, 850.6, 900]),
      Series(name: "insert", unit: .seconds, figures: [2, 2, 2])
        .measurement(
          of: .stages, against: Series(name: "C", unit: .seconds, figures: [3, 4, 2]),
          bar: .atLeast(1.7)),
      Series(name: "peak", unit: .megabytes, figures: [60])
        .measurement(of: .stages, bar: .atMost(64)),
    ]).table(of: .stages)
    let lines = table.split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("stages: "))
    #expect(lines[1] == "  inflate  851 MB/s (841 to 900)")
    #expect(
      lines[2]
        == "  insert   2.00 s (2.00 to 2.00)   1.50 x C (1.00 to 2.00)  at least 1.7: missed"
    )
    #expect(lines[3].hasSuffix("at most 64: met"))
  }
}
