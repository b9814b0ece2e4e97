@testable import Vocabulary
import Foundation
import Testing

/// What a file of `--suppress` says, and what follows from it.
@Suite struct SuppressionsTests {
  private func read(_ bytes: [UInt8]) throws -> Suppressions {
    let workplace = try Workplace()
    let path = workplace.path + "/suppressed.txt"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try Suppressions(readingFrom: path)
  }

  @Test(arguments: [
    ("", []), ("\n\n  \t\n# column-unknown\n  # x\n", []),
    ("column-unknown a.b", ["1 column-unknown a.b"]),
    (
      "\u{feff}column-unknown a.b\r\n\r\n\t column-order a: b,c \r\n",
      ["1 column-unknown a.b", "3 column-order a: b,c"]
    ),
    ("value-unknown a.b: \"é\", \"#\"\n", ["1 value-unknown a.b: \"é\", \"#\""]),
  ])
  func `lines are read as editors write them`(text: String, expected: [String]) throws {
    #expect(try read(Array(text.utf8)).lines.map { "\($0.number) \($0.text)" } == expected)
  }

  @Test(arguments: [
    (
      Array("# x\ncolum-unknown a.b".utf8),
      #"suppressed.txt:2: "colum-unknown" is not the code of a"#
    ),
    (Array("missing-parent a.b".utf8), #"suppressed.txt:1: "missing-parent" is not the code of a"#),
    (
      Array("acceptance-unused a".utf8),
      #"suppressed.txt:1: "acceptance-unused" is not the code of"#
    ),
    (
      Array("\ncolumn-unknown \n".utf8),
      "suppressed.txt:2: column-unknown needs a table, column or"
    ),
    ([0x23, 0xff], "suppressed.txt:1: the line is not valid UTF-8"),
    ([UInt8](repeating: 0x0a, count: 2 << 20), "larger than 1,048,576 bytes"),
  ])
  func `an invalid line is named`(bytes: [UInt8], message: String) throws {
    let error = #expect(throws: IngestError.self) { try read(bytes) }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    let isUnreadable = message.contains("bytes")
    #expect(error?.code == (isUnreadable ? nil : .run(.acceptanceInvalid)))
    #expect(error?.kind == (isUnreadable ? .inputMissing : .usage))
  }

  @Test(arguments: ["/", "/dev/null", "/no/such/file"])
  func `an unreadable file is named`(path: String) {
    let error = #expect(throws: IngestError.self) { try Suppressions(readingFrom: path) }
    #expect(error?.kind == .inputMissing, "\(String(describing: error))")
    #expect(error?.message.hasPrefix("\(path): cannot read the suppressions: ") == true)
  }

  private static let unknown = Warning(
    file: "words.csv", code: .columnUnknown, table: "words", column: "x", "not known", facts: "")
  private static let value = Warning(
    file: "words.csv", code: .valueUnknown, table: "words", column: "word", "a new one",
    facts: #""X""#)

  @Test func `a warning is suppressed by its own line only`() throws {
    let lost = Warning(file: "/a/b.sqlite", code: .objectsLost, "lost", facts: "view v")
    let text =
      "column-unknown words.x\nvalue-unknown words.word: \"X\"\nobjects-lost b.sqlite: view v"
    let all = try read(Array(text.utf8))
    #expect([Self.unknown, Self.value, lost].allSatisfy(all.suppresses))
    for text in [
      "", "column-unknown words", "column-unknown words.x: a", "column-unknown words.X",
      "value-unknown words.word: a", "value-unknown words.word: \"X\", \"Y\"",
      "value-unknown words.word",
      "objects-lost /a/b.sqlite: view v",
    ] {
      let accepted = try read(Array(text.utf8))
      #expect(![Self.unknown, Self.value, lost].contains(where: accepted.suppresses), "\(text)")
    }
  }

  @Test(arguments: [
    ("column-unknown words.x", []),
    (
      "value-unknown words.word: \"Y\"",
      [
        #"line 1 matches no warning: value-unknown words.word: "Y"; if the warning is still harmless, replace the line with: value-unknown words.word: "X""#
      ]
    ),
    (
      "column-unknown words.xy",
      ["line 1 matches no warning: column-unknown words.xy; remove it"]
    ),
    ("nulls-risen words.x: 1% to 2%", []),
    // The line of an earlier version, which named the table.
    (
      "changes-unusual words: since run 12",
      [
        "line 1 matches no warning: changes-unusual words: since run 12; if the warning is still harmless, "
          + "replace the line with: changes-unusual words.word: as of run 13"
      ]
    ),
  ])
  func `an unused suppression is reported`(text: String, expected: [String]) throws {
    let change = Warning(
      file: "a.sqlite", code: .changesUnusual, table: "words", column: "word", "",
      NightDifference(firstRun: 13))
    let warnings = try read(Array(text.utf8)).unused(
      [Self.unknown], [Self.value, change],
      isComplete: { $0.isOfSources || $0 == .changesUnusual })
    #expect(warnings.map(\.message) == expected)
    #expect(warnings.allSatisfy { $0.suppression == nil && $0.code == .acceptanceUnused })
  }
}
