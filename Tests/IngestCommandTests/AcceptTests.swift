import Foundation
import TestSupport
import Testing

/// Notices that are acknowledged by `--accept`.
@Suite struct AcceptTests {
  private static let drift = Command.fixtures + "/broken/value-unknown"
  private static let line = #"value-unknown part_relationships.rel_type: "X""#

  private func write(_ text: String, _ command: Command) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: command.folder + "/accepted.txt"))
  }

  private func report(_ command: Command) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: command.folder + "/a.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `the line that a notice shows accepts it, and it is counted`() throws {
    let command = try Command()
    let told = try command.load(Self.drift)
    let lines = told.errors.split(separator: "\n")
    let above = try #require(lines.firstIndex { $0.hasSuffix("; the line for --accept:") })
    #expect(lines[above + 1] == "    \(Self.line)")
    try write("# a kind of relation that we know\n\(lines[above + 1])\n", command)
    let accepted = try command.load(
      Self.drift, "--accept", "accepted.txt", "--strict-schema", "--report", "a.json")
    #expect(accepted.status == 0 && accepted.errors == "", "\(accepted)")
    #expect(accepted.output.contains("\naccepted: value-unknown 1\n"), "\(accepted)")
    let report = try report(command)
    #expect(report["notices"] as? [String] == [])
    #expect(report["accepted"] as? [String: Int] == ["value-unknown": 1])
    #expect(try command.load(Self.drift, "--strict-schema").status == 65)
    #expect(
      try command.load(Self.drift, "--strict-schema", "--dry-run", "--accept=accepted.txt").status
        == 0)
  }

  @Test func `what has changed is told again, with the line that accepts nothing`() throws {
    let command = try Command()
    try write("\n" + Self.line.replacing("X", with: "Y"), command)
    let result = try command.load(Self.drift, "--accept", "accepted.txt")
    #expect(result.status == 0)
    #expect(result.errors.contains("value-unknown: part_relationships.csv: rel_type has"))
    #expect(
      result.errors.contains(
        "acceptance-unused: accepted.txt: line 2 accepts nothing: value-unknown "
          + "part_relationships.rel_type: \"Y\"; put in its place, if that is right: \(Self.line)\n"
      ),
      "\(result)")
    let strict = try command.load(Self.drift, "--accept", "accepted.txt", "--strict-schema")
    #expect(strict.status == 65)
  }

  @Test func `only what would have been told by then is missed`() throws {
    let command = try Command()
    try write("nulls-risen sets.img_url: 1% to 90%\ncolumn-unknown parts.x\n", command)
    let options = ["--accept", "accepted.txt"]
    let dry = try command.run(["--source", Self.drift, "--dry-run"] + options)
    #expect(!dry.errors.contains("nulls-risen"), "\(dry)")
    #expect(dry.errors.contains("line 2 accepts nothing: column-unknown parts.x"), "\(dry)")
    let real = try command.run(["--source", Self.drift, "--out", "c.sqlite"] + options)
    #expect(real.errors.contains("line 1 accepts nothing: nulls-risen sets.img_url: "), "\(real)")
  }

  @Test func `a file that is not understood ends the run before it begins`() throws {
    let command = try Command()
    try write("column-unknown\n", command)
    let result = try command.load(Self.drift, "--accept", "accepted.txt")
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "\ningest: acceptance-invalid: accepted.txt:1: column-unknown of which"),
      "\(result)")
    #expect(try command.load(Self.drift, "--accept", "none.txt").status == 66)
    #expect(try command.names() == ["accepted.txt"])
  }

  @Test func `the explanation of a notice shows the line that accepts it`() throws {
    let result = try Command().run(["explain", "value-unknown"])
    #expect(result.output.hasSuffix("such as:\n             \(Self.line)\n"), "\(result)")
  }
}
