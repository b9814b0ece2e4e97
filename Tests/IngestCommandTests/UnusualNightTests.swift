import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Nights that load without an error, but are out of line with the nights before.
///
/// Source files that are older than the previous ones, or too old, are in `SourceAgeTests`.
struct UnusualNightTests {
  /// One night over the sample catalog.
  struct Night: CustomTestStringConvertible {
    let testDescription: String
    let damage: @Sendable (DumpCopy) throws -> Void
    /// The warnings, without the name of the database.
    let warnings: [String]
  }

  static let nights = [
    Night(
      testDescription: "all part names became #N/A",
      damage: { try $0.changeFields(of: "parts") { $0[1] = "#N/A" } },
      warnings: [
        "column-constant: catalog.sqlite: name is \"#N/A\" in 100% of the rows of parts, up from 0% in run 1, "
          + "for example "
      ]),
    Night(
      testDescription: "every quantity became 1",
      damage: { try $0.changeFields(of: "inventory_parts") { $0[3] = "1" } },
      warnings: [
        "column-constant: catalog.sqlite: quantity is 1 in 100% of the rows of inventory_parts, up from 46.8% "
          + "in run 1, for example "
      ]),
    Night(
      testDescription: "a part name was encoded twice",
      damage: {
        try $0.changeFields(of: "minifigs") { fields in
          guard fields[0] == "fig-000001" else { return }
          fields[1] = String(String.UnicodeScalarView(fields[1].utf8.map { Unicode.Scalar($0) }))
        }
      },
      warnings: [
        "text-encoded-twice: catalog.sqlite: name is encoded twice as UTF-8 in 1 of the 80 rows of minifigs, "
          + "unlike in run 1, for example fig-000001: "
      ]),
    Night(
      testDescription: "a file was cut by 6% before compression",
      damage: {
        try $0.changeLines(of: "inventory_parts") { lines in
          lines.removeLast(90)
          lines[lines.count - 1].removeLast(5)
        }
      },
      warnings: [
        "no-final-newline: inventory_parts.csv: ",
        "changes-unusual: catalog.sqlite: 90 of the 1,500 keys (inventory_id, part_num, color_id, is_spare) of "
          + "inventory_parts are gone since run 1, and 0 are new: 6%, and up to 3% is usual, for example ",
      ]),
    Night(
      testDescription: "a file has nothing but its header",
      damage: { try $0.changeLines(of: "inventory_sets") { $0.removeLast($0.count - 1) } },
      warnings: [
        "table-empty: inventory_sets.csv: no records in the source file of inventory_sets; it had 30 rows in "
          + "run 1; line for --suppress, for this change alone:"
      ]),
  ]

  @Test(arguments: nights) func `a night out of line warns until it is over`(night: Night) throws {
    let command = try Command()
    let good = Command.fixtures + "/dumps"
    let options = ["--detailed-status", "--max-shrink", "100%"]
    func load(_ source: String, _ more: String...) throws -> ChildProcess.Outcome {
      try command.run(["--source", source, "--out", "catalog.sqlite"] + options + more)
    }
    try command.putCatalog()
    let dumps = try DumpCopy(of: good, for: command)
    try night.damage(dumps)
    let first = try load("dumps")
    #expect(first.status == 4, "\(first)")
    #expect(
      first.output.hasPrefix("catalog.sqlite: published with \(night.warnings.count) warning"))
    #expect(warnings(first).count == night.warnings.count, "\(first)")
    for warning in night.warnings {
      #expect(warnings(first).contains { $0.hasPrefix(warning) }, "\(warning)\n\(first)")
    }
    // Nothing has changed since, and the cause has not either.
    for more in ["--if-changed", "--verbose"] {
      let next = try load("dumps", more)
      #expect(next.status == 4 && warnings(next) == warnings(first), "\(next)")
    }
    // Nor with other changes.
    try dumps.changeFields(of: "themes") { $0[1] += " " }
    let other = try load("dumps")
    #expect(other.status == 4, "\(other)")
    for warning in night.warnings where !warning.contains("newline") {
      #expect(warnings(other).contains { $0.hasPrefix(warning) }, "\(warning)\n\(other)")
    }
    let back = try load(good)
    #expect(back.status == 0 && warnings(back) == [], "\(back)")
  }

  @Test func `small losses warn once they add up`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try command.putCatalog()
    let expected = [
      ["changes-unusual: catalog.sqlite: 135 of the 1,500 keys (inventory_id, "],
      [
        "table-shrunk: catalog.sqlite: inventory_parts shrank from 1,500 to 1,243 rows since run 1, 17.1%"
      ],
      [
        "table-shrunk: catalog.sqlite: inventory_parts shrank from 1,500 to 1,132 rows since run 1, 24.5%"
      ],
    ]
    for texts in expected {
      try dumps.changeLines(of: "inventory_parts") { $0.removeLast(($0.count - 1) * 9 / 100) }
      let night = try command.run(["--source", "dumps", "--out", "catalog.sqlite"], status: 0)
      for text in texts {
        #expect(warnings(night).contains { $0.hasPrefix(text) }, "\(text)\n\(night)")
      }
    }
  }

  /// The headline of a refused night, and what to do first.
  static let lacking: [(String, @Sendable (inout [Data]) -> Void, String)] = [
    (
      "30% of the sets are gone", { $0.removeLast(36) },
      "sets.csv has 30% fewer records than the previous one; "
    ),
    (
      "the sets are those of another day",
      { lines in
        for place in lines.indices.dropFirst(90) { lines[place] = Data("x".utf8) + lines[place] }
      }, "sets.csv lacks records of the previous one; "
    ),
  ]

  @Test(arguments: lacking.indices) func `missing parents name their cause first`(index: Int) throws
  {
    let (_, change, headline) = Self.lacking[index]
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try command.putCatalog()
    try dumps.changeLines(of: "sets", change)
    let refused = try command.run(
      ["--source", "dumps", "--out", "catalog.sqlite", "--quiet"], status: 65)
    let line = try #require(refused.errors.firstMatch(of: /catalog.sqlite: not published: (.*)/)).1
    #expect(line.hasPrefix(headline), "\(refused)")
    #expect(line.contains(/[0-9,]+ records? refer to rows that are missing: [a-z]/), "\(refused)")
    #expect(refused.errors.contains("Download sets.csv again"), "\(refused)")
    #expect(!refused.errors.contains("raise the limit"), "\(refused)")
    #expect(refused.errors.contains("  to run again: ingest --source dumps "), "\(refused)")
  }

  @Test func `no limit above one percent is suggested`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    for (changed, isSuggested) in [(28, true), (29, false)] {
      try dumps.changeFields(of: "inventory_parts") { $0[3] = $0[3].replacing("x", with: "") }
      var left = changed
      try dumps.changeFields(of: "inventory_parts") { fields in
        if left > 0 { fields[3] += "x" }
        left -= 1
      }
      let refused = try command.run(["--source", "dumps", "--out", "catalog.sqlite"])
      #expect(refused.status == 65 && refused.errors.contains("\(changed) of 2,871 "), "\(refused)")
      #expect(refused.errors.contains("raise the limit") == isSuggested, "\(refused)")
    }
  }

  /// The lines of the warnings, sorted.
  private func warnings(_ outcome: ChildProcess.Outcome) -> [String] {
    outcome.errors.matches(of: /(?m)^  ([a-z]+-[a-z-]+: .*)$/).map { String($0.1) }.sorted()
  }
}
