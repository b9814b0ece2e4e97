import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// A bad run from beginning to end, on real dumps: damaged records are found, kept, reported, fixed and loaded.
@Suite(
  .enabled(if: Snapshot.isThere, "real dumps are not beside the package"),
  .enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
struct LostRecordTests {
  /// A damaged line of a source file, and the original.
  private struct Damage {
    let table: String
    let line: Int
    let replacement: @Sendable (Data) -> Data
    /// Each reason as `code column`.
    let reasons: [String]

    init(
      _ table: String, _ line: Int, _ reasons: [String],
      _ replacement: @escaping @Sendable (Data) -> Data
    ) {
      self.table = table
      self.line = line
      self.reasons = reasons
      self.replacement = replacement
    }
  }

  private static let damages = [
    Damage("part_relationships", 9001, ["invalid-utf8 rel_type"]) { Data([0xe9]) + $0 },
    Damage("elements", 5001, ["missing-parent part_num", "not-an-integer color_id"]) { _ in
      Data("1,no-such-part,0x0\n".utf8)
    },
    Damage("inventory_sets", 1001, ["missing-value quantity", "duplicate-key inventory_id"]) { _ in
      // The key of another line, for a second fault.
      Data("35,75911-1,\n".utf8)
    },
    Damage("inventory_parts", 700_001, ["wrong-field-count "]) { _ in Data("1,3001,0\n".utf8) },
    Damage("inventory_parts", 800_001, ["not-allowed quantity", "not-a-boolean is_spare"]) { line in
      let fields = line.split(separator: 0x2c)
      return Data(fields[0...2].joined(separator: [0x2c]) + Data(",-1,yes\n".utf8))
    },
  ]

  @Test func `a damaged record can be found, fixed and repaired`() throws {
    let command = try Command()
    let clean = command.folder + "/clean.sqlite"
    #expect(try command.run(["--source", Snapshot.complete, "--out", clean, "-q"]).status == 0)
    let dumps = try DumpCopy(of: Snapshot.complete, for: command)
    var originals: [String: [Data]] = [:]
    for (table, damages) in Dictionary(grouping: Self.damages, by: \.table) {
      try dumps.changeLines(of: table) { lines in
        for damage in damages {
          originals[table, default: []].append(lines[damage.line - 1])
          lines[damage.line - 1] = damage.replacement(lines[damage.line - 1])
        }
      }
    }
    let report = command.folder + "/report.json"
    let refused = try command.load(dumps.path, "--report", report, status: 65)
    #expect(
      refused.errors.contains(
        "rejected records and their reasons are in \(command.catalog).rejects"))
    try checkRejects(command, dumps)
    try command.load(dumps.path, "--max-rejects", "10", "--report", report, status: 3)
    try checkRejects(command, dumps)
    try checkReport(report)

    // The operator replaces the wrong lines.
    for (table, lines) in originals {
      let path = "\(command.catalog).rejects/\(table).csv"
      let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix { $0 != 0x0a }
      try Data(header + [0x0a] + lines.joined()).write(to: URL(fileURLWithPath: path))
    }
    let night = try command.repairAndLoad(dumps.path, status: 0)
    #expect(night.output.contains("repairs: 5 records added, 0 replaced, 5 skipped"))
    try expectEqualRows(clean, command.catalog)
    #expect(
      try command.names() == [
        "catalog.sqlite", "catalog.sqlite.rejects.previous", "clean.sqlite", "dumps", "repairs",
        "report.json",
      ])
  }

  /// Every rejected record is kept unchanged, with its position and all reasons.
  private func checkRejects(_ command: Command, _ dumps: DumpCopy) throws {
    let folder = command.catalog + ".rejects"
    for (table, damages) in Dictionary(grouping: Self.damages, by: \.table) {
      let lines = try dumps.lines(of: table)
      let kept = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(table).csv"))
      #expect(kept == Data(([lines[0]] + damages.map { lines[$0.line - 1] }).joined()))
      let reasons = try String(
        contentsOfFile: "\(folder)/\(table).reasons.csv", encoding: .utf8
      ).split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let column = Dictionary(
        uniqueKeysWithValues: reasons[0].enumerated().map { (String($1), $0) })
      let place = try #require(column["record"]), code = try #require(column["code"])
      let found = try reasons.dropFirst().map { reason in
        let offset = try #require(Int(reason[column["offset"] ?? -1]))
        let length = try #require(Int(reason[column["length"] ?? -1]))
        let line = try #require(Int(reason[place])) + 1
        #expect(offset == lines[..<(line - 1)].reduce(0) { $0 + $1.count })
        #expect(length == lines[line - 1].count)
        #expect(reason[column["first_line"] ?? -1] == "\(line)")
        #expect(reason[column["extent"] ?? -1] == "certain")
        return "\(line) \(reason[code]) \(reason[column["column"] ?? -1])"
      }
      #expect(found == damages.flatMap { damage in damage.reasons.map { "\(damage.line) \($0)" } })
    }
  }

  private func checkReport(_ path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let tables = try #require(report["tables"] as? [[String: Any]])
    var rejected: [String: Int] = [:]
    for table in tables {
      let name = try #require(table["name"] as? String)
      let read = try #require(table["read"] as? Int)
      let inserted = try #require(table["inserted"] as? Int)
      rejected[name] = try #require(table["rejected"] as? Int)
      #expect(read == inserted + (rejected[name] ?? 0))
    }
    #expect(
      rejected.filter { $0.value > 0 } == [
        "part_relationships": 1, "elements": 1, "inventory_sets": 1, "inventory_parts": 2,
      ])
  }

  @Test func `records rejected for a missing parent are loaded once it exists`() throws {
    let command = try Command()
    let clean = command.folder + "/clean.sqlite"
    #expect(try command.run(["--source", Snapshot.complete, "--out", clean, "-q"]).status == 0)
    let dumps = try DumpCopy(of: Snapshot.complete, for: command)
    var original = Data()
    try dumps.changeLines(of: "sets") { lines in
      original = lines[9000]
      lines[9000].insert(0xe9, at: lines[9000].startIndex + 14)
    }
    try command.load(dumps.path, "--max-rejects", "1%", status: 3)
    let folder = command.catalog + ".rejects"
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(kept.contains("inventories.csv") && kept.contains("inventory_sets.csv"), "\(kept)")
    let path = URL(fileURLWithPath: folder + "/sets.csv")
    let header = try Data(contentsOf: path).prefix { $0 != 0x0a }
    try (header + [0x0a] + original).write(to: path)
    try command.repairAndLoad(dumps.path, status: 0)
    try expectEqualRows(clean, command.catalog)
  }

  private func expectEqualRows(_ first: String, _ second: String) throws {
    let connection = try Connection(first, opening: .readOnly)
    _ = try connection.query("ATTACH \(second) AS other")
    let tables = try connection.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      as: String.self)
    for table in tables where !table.hasPrefix("ingest_") {
      let one: SQL = "main.\(identifier: table)"
      let two: SQL = "other.\(identifier: table)"
      let differences = try connection.query(
        "SELECT count(*) FROM (SELECT * FROM \(sql: one) EXCEPT SELECT * FROM \(sql: two))",
        as: Int.self)
      let counts = try connection.query(
        "SELECT (SELECT count(*) FROM \(sql: one)) - (SELECT count(*) FROM \(sql: two))",
        as: Int.self)
      #expect(differences == [0] && counts == [0], "\(table)")
    }
  }
}
