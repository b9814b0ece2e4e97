import Foundation
import TestSupport
import Testing

/// Warnings suppressed by `--suppress`.
@Suite struct SuppressTests {
  private static let drift = Command.fixtures + "/broken/value-unknown"
  private static let line = #"value-unknown part_relationships.rel_type: "X""#

  @Test func `the line that a warning shows suppresses it, and it is counted`() throws {
    let command = try Command()
    let warned = try command.load(Self.drift)
    let lines = warned.errors.split(separator: "\n")
    let above = try #require(lines.firstIndex { $0.hasSuffix("; line for --suppress:") })
    #expect(lines[above + 1] == "    \(Self.line)")
    try command.write("suppressed.txt", "# a kind of relation that we know\n\(lines[above + 1])\n")
    let suppressing = try command.load(
      Self.drift, "--suppress", "suppressed.txt", "--strict-schema", "--report", "a.json")
    #expect(suppressing.status == 0 && suppressing.errors == "", "\(suppressing)")
    #expect(suppressing.output.contains("\nsuppressed: value-unknown 1\n"), "\(suppressing)")
    let report = try command.json("a.json")
    #expect(report["warnings"] as? [String] == [])
    #expect(report["suppressed"] as? [String: Int] == ["value-unknown": 1])
    #expect(try command.load(Self.drift, "--strict-schema").status == 65)
    #expect(
      try command.load(Self.drift, "--strict-schema", "--dry-run", "--suppress=suppressed.txt")
        .status
        == 0)
  }

  @Test func `schema drift fails with --strict-schema`() throws {
    let command = try Command()
    let source = Command.fixtures + "/broken/column-unknown"
    #expect(try command.load(source).status == 0)
    let before = try command.bytesOfCatalog()
    let strict = try command.load(source, "--strict-schema", status: 65)
    #expect(
      strict.errors.hasPrefix(
        "\(command.catalog): not published: the source files no longer match the schema\n"
          + "  the previous database was kept\n"
          + "ingest: schema-drift: schema drift, which --strict-schema does not allow: column-unknown "
      ),
      "\(strict)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.load(Command.fixtures + "/dumps", "--strict-schema").status == 0)
    // Blank lines are not schema drift.
    try command.load(
      Command.fixtures + "/broken/blank-line", "--strict-schema", "--max-shrink=100%", status: 0)
  }

  @Test func `an invalid file of suppressions fails before the run`() throws {
    let command = try Command()
    try command.write("suppressed.txt", "column-unknown\n")
    let result = try command.load(Self.drift, "--suppress", "suppressed.txt", status: 64)
    #expect(
      result.errors.contains(
        "\ningest: acceptance-invalid: suppressed.txt:1: column-unknown needs a"),
      "\(result)")
    #expect(try command.load(Self.drift, "--suppress", "none.txt").status == 66)
    #expect(try command.names() == ["suppressed.txt"])
  }
}
