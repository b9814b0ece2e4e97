import Foundation
import TestSupport
import Testing

/// Warnings suppressed by `--suppress`.
@Suite struct SuppressTests {
  private static let drift = Command.fixtures + "/broken/value-unknown"
  private static let line = #"value-unknown part_relationships.rel_type: "X""#

  private func write(_ text: String, _ command: Command) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: command.folder + "/suppressed.txt"))
  }

  private func report(_ command: Command) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: command.folder + "/a.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `the line that a warning shows suppresses it, and it is counted`() throws {
    let command = try Command()
    let warned = try command.load(Self.drift)
    let lines = warned.errors.split(separator: "\n")
    let above = try #require(lines.firstIndex { $0.hasSuffix("; line for --suppress:") })
    #expect(lines[above + 1] == "    \(Self.line)")
    try write("# a kind of relation that we know\n\(lines[above + 1])\n", command)
    let suppressing = try command.load(
      Self.drift, "--suppress", "suppressed.txt", "--strict-schema", "--report", "a.json")
    #expect(suppressing.status == 0 && suppressing.errors == "", "\(suppressing)")
    #expect(suppressing.output.contains("\nsuppressed: value-unknown 1\n"), "\(suppressing)")
    let report = try report(command)
    #expect(report["warnings"] as? [String] == [])
    #expect(report["suppressed"] as? [String: Int] == ["value-unknown": 1])
    #expect(try command.load(Self.drift, "--strict-schema").status == 65)
    #expect(
      try command.load(Self.drift, "--strict-schema", "--dry-run", "--suppress=suppressed.txt")
        .status
        == 0)
  }

  @Test func `a changed warning appears again, with its unused suppression`() throws {
    let command = try Command()
    try write("\n" + Self.line.replacing("X", with: "Y"), command)
    let result = try command.load(Self.drift, "--suppress", "suppressed.txt")
    #expect(result.status == 0)
    #expect(result.errors.contains("value-unknown: part_relationships.csv: rel_type has"))
    #expect(
      result.errors.contains(
        "acceptance-unused: suppressed.txt: line 2 matches no warning: value-unknown "
          + "part_relationships.rel_type: \"Y\"; if the warning is still harmless, replace the line with: \(Self.line)\n"
      ),
      "\(result)")
    let strict = try command.load(Self.drift, "--suppress", "suppressed.txt", "--strict-schema")
    #expect(strict.status == 65)
  }

  @Test func `a killed run loses only later messages`() throws {
    let command = try Command()
    try write("nulls-risen sets.img_url: 1% to 90%\ncolumn-unknown parts.x\n", command)
    let options = ["--suppress", "suppressed.txt"]
    let dry = try command.run(["--source", Self.drift, "--dry-run"] + options)
    #expect(!dry.errors.contains("nulls-risen"), "\(dry)")
    #expect(dry.errors.contains("line 2 matches no warning: column-unknown parts.x"), "\(dry)")
    let real = try command.run(["--source", Self.drift, "--out", "c.sqlite"] + options)
    #expect(
      real.errors.contains("line 1 matches no warning: nulls-risen sets.img_url: "), "\(real)")
  }

  @Test func `an invalid file of suppressions fails before the run`() throws {
    let command = try Command()
    try write("column-unknown\n", command)
    let result = try command.load(Self.drift, "--suppress", "suppressed.txt")
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "\ningest: acceptance-invalid: suppressed.txt:1: column-unknown needs a"),
      "\(result)")
    #expect(try command.load(Self.drift, "--suppress", "none.txt").status == 66)
    #expect(try command.names() == ["suppressed.txt"])
  }

  @Test func `the explanation of a warning shows its suppression`() throws {
    let result = try Command().run(["explain", "value-unknown"])
    #expect(result.output.hasSuffix("for example:\n               \(Self.line)\n"), "\(result)")
  }
}
