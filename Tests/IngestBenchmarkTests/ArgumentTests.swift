import Testing

@testable import ingest_benchmark

struct ArgumentTests {
  @Test func `without options all is measured, as often as usual`() throws {
    let arguments = try Arguments([])
    #expect(arguments.rounds == 9 && arguments.rows == nil && arguments.jsonFile == nil)
    #expect(arguments.subjects == Subject.allCases && !arguments.asksForHelp)
  }

  @Test func `values stand behind an option or an equals sign`() throws {
    let arguments = try Arguments([
      "--rounds", "3", "--rows=1000", "--json", "a.json", "--subject=read-parts", "--subject",
      "insert-parts",
    ])
    #expect(arguments.rounds == 3 && arguments.rows == 1000 && arguments.jsonFile == "a.json")
    #expect(arguments.subjects == [.insertParts, .readParts])
  }

  @Test func `the help names all subjects`() throws {
    for option in ["-h", "--help"] { #expect(try Arguments([option]).asksForHelp) }
    for subject in Subject.allCases { #expect(Arguments.usage.contains(subject.rawValue)) }
  }

  @Test(arguments: [
    (["--round", "3"], "unknown option '--round'"),
    (["--help=yes"], "unknown option '--help=yes'"),
    (["insert-parts"], "unexpected argument 'insert-parts'"),
    (["--rounds"], "the option '--rounds' needs a value"),
    (["--json="], "the option '--json' needs a value"),
    (["--rounds", "0"], "--rounds is a number from 1 to 10000000, not '0'"),
    (["--rows", "1e6"], "--rows is a number from 1 to 10000000, not '1e6'"),
    (
      ["--subject", "parts"],
      "there is no subject 'parts'; the subjects are "
        + "insert-integers, insert-parts, read-integers, read-parts"
    ),
  ])
  func `what cannot be understood is said`(words: [String], message: String) {
    #expect(throws: Failure(status: 64, message: message)) { try Arguments(words) }
  }
}
