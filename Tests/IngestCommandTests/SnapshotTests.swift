import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Rebrickable's dumps, if they are beside the package; otherwise these tests are skipped.
enum Snapshot {
  static let complete = Command.package + "/../shared/data/rebrickable-2020-06-09"
  static let withoutInventoryParts =
    Command.package + "/../shared/data/rebrickable-2025-04-01-no-inventory-parts"
  static var isThere: Bool {
    [complete, withoutInventoryParts].allSatisfy { FileManager.default.fileExists(atPath: $0) }
  }
}

@Suite(
  .enabled(if: Snapshot.isThere, "real dumps are not beside the package"),
  .enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
struct SnapshotTests {
  @Test func `the dumps of 2020 are loaded completely`() throws {
    let command = try Command()
    let result = try command.load(Snapshot.complete)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("\n    column-unknown parts.part_material_id\n"))
    let connection = try Connection(command.catalog, opening: .readOnly)
    for (table, count) in [
      ("themes", 644), ("colors", 184), ("part_categories", 65), ("parts", 35_992),
      ("part_relationships", 19_218), ("elements", 52_780), ("sets", 15_423), ("minifigs", 9_498),
      ("inventories", 25_322), ("inventory_parts", 825_153), ("inventory_sets", 2_886),
      ("inventory_minifigs", 14_561), ("set_nums", 24_921),
    ] {
      let found = try connection.value(of: "SELECT count(*) FROM \(identifier: table)")
      #expect(found == .integer(Int64(count)), "\(table)")
    }
  }

  @Test func `the dumps of 2025 are loaded without the missing table`() throws {
    let command = try Command()
    #expect(try command.load(Snapshot.withoutInventoryParts).status == 66)
    let result = try command.load(
      Snapshot.withoutInventoryParts, "--allow-missing", "inventory_parts")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("published with 1 warning\n  table-absent: "))
  }

  /// A damage to one file of real dumps, and the expected message.
  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let message: String
    let status: Int32
    /// Changes the compressed bytes, or removes the file by returning nil.
    var compressed: (@Sendable (Data) -> Data?)?
    /// Changes the decompressed lines, each with its line feed.
    var lines: (@Sendable (inout [Data]) -> Void)?
  }

  static let damages: [Damage] = [
    Damage(
      testDescription: "truncated gz", file: "parts", message: "gzip-truncated: ", status: 65,
      compressed: { $0.prefix(300_000) }),
    Damage(
      testDescription: "a flipped byte", file: "parts", message: "gzip-corrupt: ", status: 65,
      compressed: { bytes in
        var bytes = bytes
        bytes[300_000] ^= 0x40
        return bytes
      }),
    Damage(
      testDescription: "a missing file", file: "sets", message: "file-missing: ", status: 66,
      compressed: { _ in nil }),
    Damage(
      testDescription: "a missing column", file: "themes", message: "column-missing: ", status: 65,
      lines: { $0[0] = Data("id,title,parent_id\n".utf8) }),
    Damage(
      testDescription: "a duplicate key", file: "themes",
      message: "themes.csv:102: byte 1490, column id: duplicate-key: ", status: 65,
      lines: { $0.insert($0[50], at: 101) }),
    Damage(
      testDescription: "an orphan", file: "elements",
      message: "elements.csv:5001: byte 88501, column part_num: missing-parent: ", status: 65,
      lines: { $0[5000] = Data("1,no-such-part,0\n".utf8) }),
    Damage(
      testDescription: "12x in an integer", file: "inventory_sets",
      message: "inventory_sets.csv:1001: byte 14151, column quantity: not-an-integer: \"12x\"",
      status: 65, lines: { $0[1000] = Data("35,75911-1,12x\n".utf8) }),
    Damage(
      testDescription: "a ragged row", file: "inventory_parts",
      message:
        "inventory_parts.csv:700001: byte 12615593: wrong-field-count: 3 fields, but the header has 5; add the "
        + "missing fields, or delimiters for empty ones",
      status: 65,
      lines: { $0[700_000] = Data("1,3001,0\n".utf8) }),
    Damage(
      testDescription: "invalid UTF-8", file: "sets",
      message: "sets.csv:9001: byte 360602, column name: invalid-utf8: ",
      status: 65, lines: { $0[9000].insert(0xe9, at: $0[9000].startIndex + 14) }),
  ]

  @Test(arguments: damages.indices)
  func `a damaged copy leaves the previous database unchanged`(index: Int) throws {
    let damage = Self.damages[index]
    let command = try Command()
    #expect(try command.load(Command.fixtures + "/dumps").status == 0)
    let before = try command.bytesOfCatalog()
    let dumps = try DumpCopy(of: Snapshot.complete, for: command)
    if let change = damage.compressed { try dumps.changeBytes(of: damage.file, change) }
    if let change = damage.lines { try dumps.changeLines(of: damage.file, change) }
    let result = try command.load(dumps.path)
    #expect(result.status == damage.status, "\(result)")
    #expect(result.errors.contains(damage.message), "\(damage.testDescription): \(result)")
    #expect(try command.bytesOfCatalog() == before)
    let kept = result.errors.contains(": byte ") ? ["catalog.sqlite.rejects"] : []
    #expect(try command.names() == ["catalog.sqlite"] + kept + ["dumps"])
  }
}
