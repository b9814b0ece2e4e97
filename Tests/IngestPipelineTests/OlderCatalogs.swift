import Schema
@testable import SQLiteDestination
@testable import Vocabulary
import Platform
import Foundation
import Glibc
import SQLiteSwiftly
import Testing

/// Two catalogs of the family, an older one and a newer one, each made by a run of its own.
final class OlderCatalogs: Sendable {
  let old: String
  let new: String
  private let workplace: Workplace
  private let descriptor: Int32

  /// Makes both with random dumps.
  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    workplace = try Workplace()
    (old, new) = (workplace.path + "/old.sqlite", workplace.output)
    try Self.writeDumps(to: workplace, using: &random)
    #expect(load(workplace, Family.schema).error == nil)
    try FileManager.default.copyItem(atPath: new, toPath: old)
    try Self.writeDumps(to: workplace, using: &random)
    #expect(
      load(workplace, Family.schema) { $0.shrinkLimits = PercentLimits(run: 100) }.error == nil)
    descriptor = try openFile(new, O_RDONLY)
  }

  deinit { close(descriptor) }

  private static func writeDumps(
    to workplace: Workplace, using random: inout SeededGenerator
  ) throws {
    func one(_ fields: [String]) -> String { fields.randomElement(using: &random) ?? "" }
    var nodes = "name,parent\nroot,\nleaf,root\n"
    var things = "id,node,size,kind,is_new,code\n"
    var labels = "label\n"
    var owners = "owner,of,rank\n"
    for number in 0..<200 where Int.random(in: 0...3, using: &random) > 0 {
      nodes += "node \(number),\(one(["", "root", "leaf"]))\n"
      let size = one(["", "1", "2", "3"])
      // No two share their node and code.
      let fields = [size, one(["", "a", "b"]), one(["", "t", "f"]), ""]
      things +=
        "\(number * number - 500),\(one(["root", "leaf"])),\(fields.joined(separator: ","))\n"
      labels += "label \(number)\(one(["", " " + String(repeating: "long", count: 2000)]))\n"
      owners += "owner \(number % 7),leaf,\(number)\n"
    }
    let texts = [
      ("nodes.csv", nodes), ("things.csv", things), ("labels.csv", labels), ("owners.csv", owners),
    ]
    for (name, text) in texts { try workplace.write(name, text) }
  }

  /// The tables of the new one.
  func tables() throws -> FinishedTables {
    try FinishedTables(new, descriptor: descriptor, schema: Family.schema, longestRow: 16 << 20)
  }

  /// Compares them.
  func compare() throws -> (changes: DatabaseChanges?, warnings: [Warning]) {
    let recorder = RunRecorder { _ in }
    let comparison = DatabaseComparison(
      candidate: new, catalog: old, schema: Family.schema, timeout: 0.1)
    let tables = try tables()
    let changes = try comparison.changes(tables, recorder)
    var outcome = IngestOutcome()
    recorder.complete(&outcome)
    return (changes, outcome.warnings)
  }

  /// The tables that are compared page by page.
  func tablesComparedByPages() throws -> [String] {
    let connection = try Connection(old, opening: .readOnly)
    let stored = try StoredTables(of: connection)
    let descriptor = try openFile(old, O_RDONLY)
    let tables = try tables()
    let names = Family.schema.tables.map(\.name).filter {
      tables.differences(of: $0, from: stored, in: descriptor) != nil
    }
    try connection.close()
    close(descriptor)
    return names
  }
}
