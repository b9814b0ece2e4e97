@testable import Vocabulary
import Testing
import Text

@Suite struct OutcomeVerdictTests {
  private func verdict(
    _ ending: IngestOutcome.Ending = .published(bytes: 1), failures: [IngestError] = [],
    warnings: [Warning] = [], tables: [TableCounts] = []
  ) -> Verdict {
    var outcome = IngestOutcome()
    (outcome.ending, outcome.failures) = (ending, failures)
    (outcome.warnings, outcome.tables) = (warnings, tables)
    return outcome.verdict
  }

  private func warning(_ code: WarningCode, _ table: String?, _ column: String? = nil) -> Warning {
    Warning(file: "\(table ?? "more").csv.gz", code: code, table: table, column: column, "it is so")
  }

  private func account(_ table: String, _ rejected: [RecordCode: Int]) -> TableCounts {
    var account = TableCounts(table: table)
    account.sources = [SourceCounts(name: "\(table).csv.gz")]
    account.rejectedByCode = rejected
    return account
  }

  @Test func `a run without warnings is clean`() {
    let harmless = [warning(.blankLine, "parts"), warning(.mixedLineEnds, "sets")]
    let tables = [account("parts", [.nulByte: 0])]
    let verdict = verdict(warnings: harmless, tables: tables)
    #expect(verdict == Verdict(state: .clean, words: "published, clean", warnings: []))
    let dryRun = self.verdict(.checked, warnings: harmless, tables: tables)
    #expect(dryRun.words == "would be published, clean")
    let unchanged = self.verdict(.unchanged(bytes: 1), warnings: harmless, tables: tables)
    #expect(unchanged.words == "unchanged, nothing was loaded")
  }

  /// Whoever adds a code decides whether it asks for attention.
  @Test(arguments: WarningCode.allCases)
  func `each warning except harmless ones changes the verdict`(code: WarningCode) {
    let verdict = verdict(warnings: [warning(code, "parts", "a")])
    let isHarmless = [.blankLine, .mixedLineEnds].contains(code)
    #expect(verdict.warnings.map(\.code) == (isHarmless ? [] : [code.rawValue]))
    guard !isHarmless else { return }
    #expect(verdict.words == "published with 1 warning")
    #expect(verdict.warnings[0].message.contains("parts"))
  }

  @Test func `causes come before effects, and similar warnings are grouped`() {
    let warnings = [
      warning(.columnAbsent, "sets", "img_url"), warning(.nullsRisen, "sets", "img_url"),
      warning(.columnAbsent, "colors", "y1"), warning(.mixedGenerations, "themes"),
      warning(.fileUnknown, nil),
    ]
    let tables = [account("sets", [.missingParent: 1]), account("parts", [.missingParent: 1999])]
    let verdict = verdict(warnings: warnings, tables: tables)
    #expect(
      verdict.warnings.map { "\($0.code): \($0.message)" } == [
        "mixed-generations: themes.csv.gz: it is so",
        "missing-parent: 2,000 records rejected, probably because the source files are from different "
          + "days: sets 1, parts 1,999",
        "column-absent: missing from the source files, NULL in every row: sets.img_url, colors.y1",
        "file-unknown: files without a table, not loaded: more.csv.gz",
        "nulls-risen: many more NULLs than before: sets.img_url",
      ])
    #expect(verdict.words == "published with 5 warnings")
  }

  @Test func `of many subjects the first ten are named`() {
    let warnings = (0..<1012).map { warning(.columnUnknown, "parts", "c\($0)") }
    let verdict = verdict(warnings: warnings)
    #expect(verdict.warnings.first?.message.hasSuffix("parts.c9 and 1,002 more") == true)
  }

  @Test func `a failure overrides warnings`() {
    let failure = IngestError(.data, code: .run(.catalogShrunk), "it is gone")
    let dumps = [
      IngestError(.data, code: .file(.gzipCorrupt), "a"),
      IngestError(.inputMissing, code: .file(.fileMissing), "b"),
    ]
    let warnings = [warning(.columnUnknown, "parts", "a")]
    let verdict = verdict(.unpublished(refused: nil), failures: [failure], warnings: warnings)
    #expect(verdict.warnings.isEmpty)
    #expect(verdict.words == "not published: too many rows were lost")
    #expect(
      self.verdict(.checked, failures: dumps).words
        == "would not be published: 2 source files cannot be used")
  }

  @Test func `a failure after publishing is not called unpublished`() {
    let failure = IngestError(.inputOutput, undone: "its folder is not synced", "out.sqlite: …")
    let warnings = [warning(.columnUnknown, "parts", "a")]
    let verdict = verdict(failures: [failure], warnings: warnings)
    #expect(verdict.words == "published, but its folder is not synced")
    #expect(verdict.warnings.map(\.code) == ["column-unknown"])
  }

  @Test func `an unknown result is reported as such`() {
    let failure = IngestError(.uncertain, "the connection is gone")
    let verdict = verdict(.unpublished(refused: nil), failures: [failure])
    #expect(verdict.words == "possibly published: the connection was lost while publishing")
  }

  @Test(
    arguments: [
      (nil, nil, "absent"), ("a", "a", "kept"), ("a", "b", "changed"), (nil, "a", "changed"),
      ("a", nil, "changed"),
    ] as [(String?, String?, String)])
  func `the previous database is compared before and after`(
    before: String?, after: String?, words: String
  ) throws {
    let workplace = try Workplace()
    func look(_ name: String?) throws -> OutputState {
      if let name { try workplace.write(name, name) }
      return OutputState(at: "\(workplace.path)/dumps/\(name ?? "nothing")")
    }
    let first = try look(before)
    let second = before == after ? first : try look(after)
    #expect(PreviousState(before: first, after: second)?.rawValue == words)
    #expect(PreviousState(before: .unknown, after: second) == nil)
  }
}
