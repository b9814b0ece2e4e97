import SQLiteSwiftly
import Testing

/// Misuses of bulk inserts.
struct MisuseBulkInsertTests {
  private static func bulk(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    into table: TableDescription = words,
    _ body: @escaping @Sendable (Connection, inout BulkInsert) throws -> Void
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      try connection.bulkInsert(intoTable: table) { try body(connection, &$0) }
    }
  }

  static let cases: [Misuse] = [
    bulk("no values", .range, "row 0 of words: expected 2 values (columns: id, word), found 0") {
      _, rows in
      try rows.append([])
    },
    bulk("an empty pack", .range, "expected 2 values (columns: id, word), found 0") { _, rows in
      try rows.append()
    },
    bulk("too few values", .range, "expected 2 values (columns: id, word), found 1") { _, rows in
      try rows.append(3)
    },
    bulk("too many values", .range, "expected 2 values (columns: id, word), found 100000") {
      _, rows in
      try rows.append([SQLiteValue](repeating: "x", count: 100_000))
    },
    bulk("a number beyond 64 bits", .range, "does not fit into") { _, rows in
      try rows.append(UInt64.max, "x")
    },
    bulk("a row that is there", .constraintPrimaryKey, "row 1: ") { _, rows in
      try rows.append(3, "x")
      try rows.append(1, "x")
    },
    bulk("a key that is a text", .mismatch, "row 0: datatype mismatch") { _, rows in
      try rows.append("x", "x")
    },
    bulk("an error of the caller's", .warning, "so what") { _, _ in
      throw SQLiteError(.warning, "so what")
    },
    bulk(
      "no columns", .misuse, "there are no columns",
      into: TableDescription("words", columns: [], primaryKey: [])
    ) { _, rows in try rows.append() },
    bulk(
      "no table", .error, "no such table: t",
      into: TableDescription("t", columns: words.columns, primaryKey: [])
    ) { _, _ in },
    bulk(
      "more columns than SQLite takes", .error, "no such table: t",
      into: TableDescription(
        "t", columns: (0..<2001).map { ColumnDescription("c\($0)", .text) }, primaryKey: [])
    ) { _, _ in },
    bulk(
      "more columns than cells of a batch", .error, "",
      into: TableDescription(
        "words", columns: (0..<20_000).map { ColumnDescription("c\($0)", .text) }, primaryKey: [])
    ) { _, _ in },
    bulk("a commit in it", .abortRollback, "has already ended") { connection, rows in
      try rows.append(3, "x")
      try connection.execute("COMMIT")
    },
    bulk("a rollback in it", .abortRollback, "has already ended") { connection, rows in
      try rows.append(3, "x")
      try connection.execute("ROLLBACK")
    },
    bulk("closing in it", .busy, "unable to close") { connection, _ in try connection.close() },
    bulk("dropping the table in it", .error, "no such table: words") { connection, rows in
      try connection.execute("DROP TABLE words")
      try rows.append(3, "x")
    },
    bulk("an interrupted statement in it", .interrupted, "interrupted") { connection, rows in
      try rows.append(3, "x")
      try connection.forEachRow(of: "SELECT * FROM words") { _ throws(SQLiteError) in
        connection.interrupter.interrupt()
      }
    },
    Misuse("an error that is caught", .constraintPrimaryKey, "row 0: ") {
      connection, _ in
      try connection.bulkInsert(intoTable: words) { rows in
        for id in 1..<20_000 { try? rows.append(id, "x") }
      }
    },
    Misuse("nothing but rows that are left out", gives: "0") { connection, _ in
      try connection.bulkInsert(intoTable: words) { rows in
        for id in 3..<20_000 { try? rows.append(id) }
      }
    },
    Misuse("no rows at all", gives: "0") { connection, _ in
      try connection.bulkInsert(intoTable: words) { _ in }
    },
    Misuse("the same bulk insert into itself, many deep", gives: "52") { connection, _ in
      func descend(_ depth: Int) throws {
        try connection.bulkInsert(intoTable: words) { rows in
          try rows.append(100 + depth, "x")
          if depth > 0 { try descend(depth - 1) }
        }
      }
      try descend(49)
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("a bulk insert that is put into the place of another", gives: "4") { connection, _ in
      try connection.bulkInsert(intoTable: words) { outer in
        try connection.bulkInsert(intoTable: words) { inner in
          try inner.append(4, "inner")
          swap(&outer, &inner)
        }
        try outer.append(3, "outer")
      }
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("a resolution by no key", .misuse, "has no primary key") { connection, _ in
      try connection.bulkInsert(
        intoTable: TableDescription("words", columns: words.columns, primaryKey: []),
        onConflict: .update
      ) { _ in }
    },
    Misuse("a bulk insert for reading only", .readOnly, "readonly database") { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).bulkInsert(intoTable: words) {
        try $0.append(3, "x")
      }
    },
    Misuse("a bulk insert beside another connection's", .busy, "database is locked") {
      connection, folder in
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try connection.bulkInsert(intoTable: words) { rows in
        try rows.append(3, "x")
        try other.bulkInsert(intoTable: words) { try $0.append(4, "x") }
      }
    },
    Misuse("a text that is longer than may be", .tooBig, "string or blob too big") {
      connection, _ in
      try connection.limitLength(to: 1000)
      defer { try? connection.limitLength(to: .max) }
      try connection.bulkInsert(intoTable: words) {
        try $0.append(3, String(repeating: "x", count: 1001))
      }
    },
  ]

  @Test(arguments: cases) func `an invalid bulk insert is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
