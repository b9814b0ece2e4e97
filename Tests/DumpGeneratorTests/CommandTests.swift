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
  func `a command line is understood`(arguments: [String], job: Job) throws {
    #expect(try Job(arguments) == job)
  }

  @Test(arguments: [
    ([], "--out DIR is missing"),
    (["--out"], "--out needs a value"),
    (["--out="], "--out needs a value"),
    (["--row", "5"], "there is no option --row"),
    (["dumps"], "unexpected argument dumps"),
    (["--out", "a", "--rows", "0"], "--rows is a number from 1 to 100000000, not 0"),
    (["--out", "a", "--rows", "1e6"], "--rows is a number from 1 to 100000000, not 1e6"),
    (["--out", "a", "--seed", "-1"], "--seed is a number from 0 to 18446744073709551615, not -1"),
    (["--out", "a", "--era", "2019"], "--era is today or 2020, not 2019"),
    (["--fixtures", "f", "--rows", "5"], "--fixtures goes with no other option"),
    (["--gtfs", "--out", "f", "--plain"], "--gtfs does not go with --plain"),
    (["--gtfs", "--out", "f", "--rows=5"], "--gtfs does not go with --rows"),
    (["--out", "f", "--stop-times=5"], "--stop-times needs --gtfs"),
    (
      ["--gtfs", "--out", "f", "--stop-times=1"],
      "--stop-times is a number from 2 to 1000000000, not 1"
    ),
  ])
  func `a wrong command line is explained`(arguments: [String], message: String) {
    #expect(throws: UsageError(message: message)) { try Job(arguments) }
  }
}
