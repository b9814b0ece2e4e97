import DumpGenerator
import Testing

@testable import generate_dumps

struct CommandTests {
  @Test(arguments: [
    (["--help"], Job.help),
    (["--out", "a", "-h"], .help),
    (
      ["--out", "a"],
      .dumps(directory: "a", rows: 1_500_000, seed: 1, era: .today, isCompressed: true)
    ),
    (
      ["--out=a=b", "--rows=7", "--seed", "9", "--era", "2020", "--plain"],
      .dumps(directory: "a=b", rows: 7, seed: 9, era: .june2020, isCompressed: false)
    ),
    (["--fixtures", "fixtures/"], .fixtures(directory: "fixtures/")),
    (
      ["--gtfs", "--out", "f"], .feed(directory: "f", stopTimes: 1_000_000, badRecords: 0, seed: 1)
    ),
    (
      ["--gtfs", "--out=f", "--stop-times", "50", "--bad-records=3", "--seed=2"],
      .feed(directory: "f", stopTimes: 50, badRecords: 3, seed: 2)
    ),
  ])
  func `a command line is parsed`(arguments: [String], job: Job) throws {
    #expect(try Job(arguments) == job)
  }

  @Test(arguments: [
    ([], "missing option --out DIR"),
    (["--out"], "--out needs a value"),
    (["--out="], "--out needs a value"),
    (["--row", "5"], "unknown option --row"),
    (["dumps"], "unexpected argument dumps"),
    (["--out", "a", "--rows", "0"], "invalid value 0 for --rows; expected 1 to 100000000"),
    (["--out", "a", "--rows", "1e6"], "invalid value 1e6 for --rows; expected 1 to 100000000"),
    (
      ["--out", "a", "--seed", "-1"],
      "invalid value -1 for --seed; expected 0 to 18446744073709551615"
    ),
    (["--out", "a", "--era", "2019"], "invalid value 2019 for --era; expected today or 2020"),
    (["--fixtures", "f", "--rows", "5"], "--fixtures cannot be combined with other options"),
    (["--gtfs", "--out", "f", "--plain"], "--gtfs cannot be combined with --plain"),
    (["--gtfs", "--out", "f", "--rows=5"], "--gtfs cannot be combined with --rows"),
    (["--out", "f", "--stop-times=5"], "--stop-times requires --gtfs"),
    (
      ["--gtfs", "--out", "f", "--stop-times=1"],
      "invalid value 1 for --stop-times; expected 2 to 1000000000"
    ),
  ])
  func `an invalid command line is an error`(arguments: [String], message: String) {
    #expect(throws: UsageError(message: message)) { try Job(arguments) }
  }
}
