import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Random families, loaded by the built command.
@Suite struct RandomPackageTests {
  private static let seeds = LongTests.seeds(few: 12, many: 3000)

  @Test(arguments: seeds)
  func `a random family is published completely and passes the check`(seed: UInt64) throws {
    let package = RandomPackage(seed: seed)
    let command = try Command()
    let description = try package.description
    try command.write("datapackage.json", description)
    for table in package.tables {
      try command.write(table.name + ".csv", package.file(of: table))
    }
    let schema = ["--schema", command.folder + "/datapackage.json"]
    let load = try command.run(schema + ["--out", command.catalog])
    try #require(load.status == 0, "\(load.errors.prefix(2000))\(description)")
    let connection = try Connection(command.catalog, opening: .openExisting)
    for table in package.tables {
      let columns = table.columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
      let rows = try connection.query(
        SQL(generated: "SELECT \(columns) FROM \(table.name) NOT INDEXED"))
      #expect(sorted(rows) == sorted(table.rows), "\(table.name): \(description)")
    }
    #expect(try connection.faults(.full) == [], "\(description)")
    // SQLite's own check; the line above handles the one message that may be false.
    let messages = try connection.query("PRAGMA integrity_check(1000000)", as: String.self)
    #expect(messages.allSatisfy { $0 == "ok" || $0.hasPrefix("NULL value in ") }, "\(description)")
    #expect(try connection.foreignKeyViolations() == [], "\(description)")
    try connection.close()
    let check = try command.run(["check"] + schema + [command.catalog])
    #expect(check.status == 0, "\(check.output)\(description)")
  }

  /// The rows as bytes, because different bytes may be equal texts.
  private func sorted(_ rows: [[SQLiteValue]]) -> [[UInt8]] {
    rows.map { Array("\($0)".utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
