import Foundation
import SQLiteSwiftly
import Testing

/// A row of a source file, split into fields.
private struct Record {
  let inventory: Int64
  let part: String
  let color: Int64
  let quantity: Int64
  let isSpare: Bool
}

/// The example of the article about loading, with fewer rows.
struct LoadingExamples {
  private func records(_ count: Int64) -> [Record] {
    (0..<count).map { number in
      Record(
        inventory: number / 40, part: "\(3000 + number % 9000)", color: number % 200,
        quantity: 1 + number % 12, isSpare: number % 17 == 0)
    }
  }

  @Test func `SW-3 SW-42 SW-45 rows are loaded by one statement in one transaction`() throws {
    try withFolder { folder in
      let path = folder + "/inventories.sqlite"
      let records = records(20_000)
      var prepared: [String] = []

      // Example: LoadingAMillionRows # Overview

      let connection = try Connection(path, opening: .createNew)
      connection.traceHandler = { if case .prepared(let sql) = $0 { prepared.append(sql) } }

      // Example: LoadingAMillionRows # Overview (2)

      // Example: LoadingAMillionRows # Overview (3)

      // Example: LoadingAMillionRows # Overview (4)

      let faults = try connection.faults(.structure)
      try connection.close()

      #expect(faults == [])
      #expect(prepared.count { $0.hasPrefix("INSERT INTO \"inventory_parts\"") } == 1)
      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.value(of: "SELECT count(*) FROM inventory_parts") == 20_000)
      #expect(
        try reader.query("SELECT * FROM inventory_parts WHERE rowid = 20000") == [
          [499, "4999", 199, 8, 0]
        ])
      #expect(
        try reader.value(of: "SELECT sum(is_spare) FROM inventory_parts")
          == .integer(Int64(records.count(where: \.isSpare))))
      try insertOneByOne(records, inventoryParts)
    }
  }

  private func insertOneByOne(
    _ records: [Record], _ inventoryParts: TableDescription
  ) throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: inventoryParts)
    var prepared: [String] = []
    connection.traceHandler = { if case .prepared(let sql) = $0 { prepared.append(sql) } }

    // Example: LoadingAMillionRows # Rejected rows

    #expect(prepared.count { $0.hasPrefix("INSERT INTO \"inventory_parts\"") } == 1)
    #expect(try connection.value(of: "SELECT count(*) FROM inventory_parts") == 20_000)
  }

  @Test func `SK-18 a row that is refused does not end the load`() throws {
    let connection = try Connection.inMemory()
    let colors = TableDescription(
      "colors", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
      primaryKey: ["id"])
    try connection.createTable(describedBy: colors)
    let names: [(Int64, String)] = [(0, "Black"), (1, "Blue"), (1, "Navy"), (2, "Green")]

    // Example: LoadingAMillionRows # Rejected rows (2)

    #expect(refused.map(\.message) == ["UNIQUE constraint failed: colors.id"])
    #expect(try connection.rows(of: "colors") == [[0, "Black"], [1, "Blue"], [2, "Green"]])
  }
}
