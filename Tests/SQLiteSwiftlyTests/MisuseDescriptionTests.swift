import SQLiteSwiftly
import Schema
import Testing

/// Invalid descriptions.
struct MisuseDescriptionTests {
  private static let id = ColumnDescription("id", .integer)

  private static func columns(_ count: Int) -> [ColumnDescription] {
    (0..<count).map { ColumnDescription("c\($0)", .integer, isNullable: $0 > 0) }
  }

  /// A description with faults, which every call refuses that uses it.
  private static func fault(_ name: String, _ part: String, _ table: TableDescription) -> [Misuse] {
    let calls: [(String, @Sendable (Connection) throws -> Void)] = [
      ("create", { try $0.createTable(describedBy: table) }),
      ("index", { try $0.createIndexes(describedBy: table) }),
      ("insert", { _ = try $0.prepareInsertIntoTable(describedBy: table, onConflict: .update) }),
      ("bulk insert", { try $0.bulkInsert(intoTable: table, onConflict: .keep) { _ in } }),
      ("read", { _ = try $0.query("SELECT 1", describedBy: table) }),
      ("compare", { _ = try $0.differences(fromTable: table) }),
    ]
    return calls.map { call, body in
      Misuse("\(name), \(call)", .misuse, part) { connection, _ in try body(connection) }
    }
  }

  private static let faults: [[Misuse]] = [
    fault("no columns", "there are no columns", TableDescription("t", columns: [], primaryKey: [])),
    fault("no name", "the table has no name", TableDescription("", columns: [id], primaryKey: [])),
    fault(
      "a name with a NUL", "contains a NUL character",
      TableDescription("t\0", columns: [id], primaryKey: [])),
    fault(
      "a column without a name", "a column has no name",
      TableDescription("t", columns: [ColumnDescription("", .text)], primaryKey: [])),
    fault(
      "two columns of one name", "is described twice",
      TableDescription("t", columns: [id, ColumnDescription("ID", .text)], primaryKey: [])),
    fault(
      "a key of nothing", "the primary key uses column x",
      TableDescription("t", columns: [id], primaryKey: ["x"])),
    fault(
      "a default of another type", "'x' is not a valid default",
      TableDescription(
        "t", columns: [ColumnDescription("a", .integer, defaultValue: "x")], primaryKey: [])),
    fault(
      "a domain of another type", "does not match its type",
      TableDescription(
        "t", columns: [ColumnDescription("a", .blob, domain: .within(.min ... .max))],
        primaryKey: [])),
    fault(
      "digits below zero", "needs at least 1 hexadecimal digit, not -9223372036854775808",
      TableDescription(
        "t", columns: [ColumnDescription("a", .text, domain: .hexadecimalDigits(.min))],
        primaryKey: [])),
    fault(
      "no foreign columns", "has no columns",
      TableDescription(
        "t", columns: [id], primaryKey: [],
        foreignKeys: [ForeignKeyDescription([], references: "", ["x"])])),
    fault(
      "no rowid and no key", "needs a primary key",
      TableDescription("t", columns: [id], primaryKey: [], isWithoutRowid: true)),
  ]

  private static let others: [Misuse] = [
    Misuse("as many columns as SQLite takes", gives: "2000") { connection, _ in
      let table = TableDescription("t", columns: columns(2000), primaryKey: ["c0"])
      try connection.createTable(describedBy: table)
      var insert = try connection.prepareInsertIntoTable(describedBy: table, onConflict: .update)
      for _ in 0..<2 { try insert.insert([SQLiteValue](repeating: 1, count: 2000)) }
      return try connection.query("SELECT * FROM t").joined().count
    },
    Misuse("a column more than that", .error, "too many columns on t") { connection, _ in
      try connection.createTable(
        describedBy: TableDescription("t", columns: columns(2001), primaryKey: ["c0"]))
    },
    Misuse("an insert of a column more than that", .error, "no such table: t") { connection, _ in
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription("t", columns: columns(2001), primaryKey: []))
    },
    Misuse("five thousand columns", .error, "") { connection, _ in
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription("t", columns: columns(5000), primaryKey: []))
    },
    Misuse("names that are keywords and quotes", gives: "[]") { connection, _ in
      let table = TableDescription(
        "select \"from'",
        columns: ["table", "\"", "a b", "é;--"].map { ColumnDescription($0, .text) },
        primaryKey: ["\"", "table"], uniqueKeys: [["a b"]], indexes: [["é;--"]])
      try connection.createTable(describedBy: table)
      return try connection.differences(fromTable: table)
    },
    Misuse("a name of SQLite's own", .error, "reserved for internal use") { connection, _ in
      try connection.createTable(
        describedBy: TableDescription("sqlite_words", columns: [id], primaryKey: []))
    },
    Misuse("a table that is there", .error, "already exists") { connection, _ in
      try connection.createTable(describedBy: words)
    },
    Misuse("an index of no table", .error, "no such table: main.t") { connection, _ in
      try connection.createIndexes(
        describedBy: TableDescription("t", columns: [id], primaryKey: [], indexes: [["id"]]))
    },
    Misuse("foreign keys to nothing", .error, "no such table: main.nothing") { connection, _ in
      let table = TableDescription(
        "t", columns: [id], primaryKey: [],
        foreignKeys: [ForeignKeyDescription("id", references: "nothing", "x")])
      try connection.createTable(describedBy: table)
      try connection.set(.foreignKeys, to: true)
      try connection.execute("INSERT INTO t VALUES (1)")
    },
    Misuse("a domain of all integers", gives: "1") { connection, _ in
      let table = TableDescription(
        "t",
        columns: [
          ColumnDescription(
            "a", .integer, domain: .within(.min ... .max), defaultValue: .integer(.min))
        ], primaryKey: [])
      try connection.createTable(describedBy: table)
      try connection.execute("INSERT INTO t DEFAULT VALUES")
      return try connection.first("SELECT count(*) FROM t WHERE a = \(Int.min)", as: Int.self) ?? 0
    },
    Misuse("a place of no column", gives: "nil nil false") { _, _ in
      let table = TableDescription("t", columns: [], primaryKey: ["x"], isWithoutRowid: false)
      return
        "\(table.columnIndex("").map { _ in "" } ?? "nil") \(table.columnIndex("x\0").map { _ in "" } ?? "nil") \(table.keyIsRowid)"
    },
    Misuse("a view without a name, whose query has values", gives: "2") { _, _ in
      ViewDescription("", "SELECT \(1)").faults.count
    },
  ]

  static let cases: [Misuse] = faults.flatMap(\.self) + others

  @Test(arguments: cases) func `an invalid description is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
