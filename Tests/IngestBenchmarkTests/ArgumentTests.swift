import Testing

@testable import ingest_benchmark

struct ArgumentTests {
  @Test func `without options everything is measured`() throws {
    let arguments = try Arguments([])
    #expect(arguments.rounds == 5 && arguments.rows == 1_500_000 && arguments.jsonFile == nil)
    #expect(arguments.plotFile == nil && arguments.baselineFile == nil)
    #expect(arguments.subjects == Subject.allCases && !arguments.asksForHelp)
  }

  @Test func `values follow an option or an equals sign`() throws {
    let arguments = try Arguments([
      "--rounds", "3", "--rows=1000", "--json", "a.json", "--subject=growth", "--subject",
      "hot-path", "--plot=a.svg", "--baseline", "b.json",
    ])
    #expect(arguments.rounds == 3 && arguments.rows == 1000 && arguments.jsonFile == "a.json")
    #expect(arguments.plotFile == "a.svg" && arguments.baselineFile == "b.json")
    #expect(arguments.subjects == [.hotPath, .growth])
  }

  @Test func `the help names all options and subjects`() throws {
    for option in ["-h", "--help"] { #expect(try Arguments([option]).asksForHelp) }
    for option in ["--rounds", "--rows", "--subject", "--json", "--plot", "--baseline"] {
      #expect(Arguments.usage.contains("  \(option) "))
    }
    for subject in Subject.allCases { #expect(Arguments.usage.contains("  \(subject.rawValue) ")) }
    #expect(Arguments.usage.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: [
    (["--round", "3"], "unknown option '--round'"),
    (["--help=yes"], "unknown option '--help=yes'"),
    (["growth"], "unexpected argument 'growth'"),
    (["--rounds"], "option '--rounds' needs a value"),
    (["--json="], "option '--json' needs a value"),
    (["--rounds", "0"], "invalid value '0' for --rounds; expected 1 to 1000"),
    (["--rows", "1e6"], "invalid value '1e6' for --rows; expected 100 to 10000000"),
    (["--rows", "99"], "invalid value '99' for --rows; expected 100 to 10000000"),
    (
      ["--subject", "parts"],
      "unknown subject 'parts'; expected one of "
        + "hot-path, stages, indexes, import, whole-job, growth, rejects, layer, questions, additions"
    ),
  ])
  func `an invalid command line is reported`(words: [String], message: String) {
    #expect(throws: Failure(status: 64, message: message)) { try Arguments(words) }
  }
}
