import IngestPipeline
import Testing

@testable import ingest

@Suite struct ArgumentTests {
  private let tables = ["themes", "parts"]

  @Test(
    arguments: [
      (["--source", "d", "--out", "c"], RejectLimit.records(0)),
      (["--source=d", "--out=c", "--max-rejects", "20"], .records(20)),
      (["--out", "c", "--source", "d", "--max-rejects=0.5%"], .percent(0.5)),
      (
        ["--max-rejects", "1", "--source", "d", "--out", "c", "--max-rejects", "2", "--"],
        .records(2)
      ),
    ])
  func `options are read in any order and in both forms`(words: [String], limit: RejectLimit) throws
  {
    let arguments = try Arguments(words, tables: tables)
    #expect(arguments.source == "d")
    #expect(arguments.output == "c")
    #expect(arguments.rejectLimit == limit)
    #expect(arguments.task == .load)
  }

  @Test func `a code is explained, or all are listed`() throws {
    #expect(try Arguments(["explain"], tables: tables).task == .explain(nil))
    let explanation = RecordCode.missingParent.explanation
    let words = ["explain", "missing-parent"]
    #expect(try Arguments(words, tables: tables).task == .explain(explanation))
    #expect(try Arguments(["explain", "--help"], tables: tables).task == .help)
    let failures = [
      (["explain", "mising-parent"], "did you mean 'missing-parent'?"),
      (["explain", "no-such-thing-at-all"], "there is no code 'no-such-thing-at-all'; 'ingest"),
      (["explain", "stray-quote", "nul-byte"], "takes one code, but 2 are given"),
    ]
    for (words, message) in failures {
      let error = #expect(throws: Arguments.UsageError.self) {
        _ = try Arguments(words, tables: tables)
      }
      #expect(error?.message.contains(message) == true)
    }
  }

  @Test func `tables may be named one by one, or all at once`() throws {
    let base = ["--source", "d", "--out", "c"]
    let both = base + ["--allow-missing", "parts", "--allow-missing=themes"]
    #expect(try Arguments(both, tables: tables).allowedMissing == .tables(["parts", "themes"]))
    let all = base + ["--allow-missing", "parts", "--allow-missing", "all"]
    #expect(try Arguments(all, tables: tables).allowedMissing == .all)
  }

  @Test(
    arguments: [
      (["-h"], Arguments.Task.help), (["--help"], .help), (["--version"], .version),
      (["--source", "d", "--help"], .help),
    ])
  func `help and version need nothing else`(words: [String], task: Arguments.Task) throws {
    #expect(try Arguments(words, tables: tables).task == task)
  }

  @Test(
    arguments: [
      ([], "missing option '--source DIR'"),
      (["--source", "d"], "missing option '--out FILE'"),
      (["--sorce", "d"], "unknown option '--sorce'; did you mean '--source'?"),
      (["--max-reject=3"], "unknown option '--max-reject'; did you mean '--max-rejects'?"),
      (["--frobnicate"], "unknown option '--frobnicate'"),
      (["-x"], "unknown option '-x'"),
      (["dumps"], "unexpected argument 'dumps'"),
      (["--", "dumps"], "unexpected argument 'dumps'"),
      (["--source"], "the option '--source' needs a value"),
      (["--source="], "the option '--source' needs a value"),
      (["--quiet=yes"], "the option '--quiet' takes no value"),
      (
        ["--source", "--out"],
        "the option '--source' needs a value, but '--out' follows; write '--source=--out' if that "
          + "is meant"
      ),
      (
        ["--max-rejects", "-1"],
        "'-1' is no limit for --max-rejects: give a number such as 20, or a share of all records "
          + "such as 0.1%"
      ),
      (
        ["--max-rejects", "101%"],
        "'101%' is no limit for --max-rejects: give a number such as 20, or a share of all records "
          + "such as 0.1%"
      ),
      (
        ["--allow-missing", "partz"],
        "there is no table 'partz' for --allow-missing; the tables are themes, parts"
      ),
    ])
  func `what cannot be understood is said`(words: [String], message: String) {
    #expect(throws: Arguments.UsageError(message: message)) {
      try Arguments(words, tables: tables)
    }
  }

  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-4321, "-4,321"),
    ])
  func `numbers are grouped`(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test(arguments: [(0.0, "0.000"), (0.0004, "0.000"), (1.2345, "1.235"), (12.0, "12.000")])
  func `seconds have three decimals`(number: Double, text: String) {
    #expect(number.formatted(decimals: 3) == text)
  }
}
