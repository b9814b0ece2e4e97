import Foundation
import SQLiteSwiftly
import Schema

/// Misuses of descriptions, and of the inserts and comparisons that use them.
extension MistakeTests {
  private static let id = ColumnDescription("id", .integer)

  private static func columns(_ count: Int) -> [ColumnDescription] {
    (0..<count).map { ColumnDescription("c\($0)", .integer, isNullable: $0 > 0) }
  }

  private static func table(
    _ columns: [ColumnDescription], named name: String = "t", key: [String] = []
  ) -> TableDescription {
    TableDescription(name, columns: columns, primaryKey: key)
  }

  static let descriptionMisuses: [Mistake] = [
    returned("2000") {
      let table = table(columns(2000), key: ["c0"])
      try $0.createTable(describedBy: table)
      var insert = try $0.prepareInsertIntoTable(describedBy: table, onConflict: .update)
      for _ in 0..<2 { try insert.insert([SQLiteValue](repeating: 1, count: 2000)) }
      return try $0.query("SELECT * FROM t").joined().count
    },
    refused(.error, "too many columns on t") {
      try $0.createTable(describedBy: table(columns(2001), key: ["c0"]))
    },
    refused(.error, "no such table: t") {
      _ = try $0.prepareInsertIntoTable(describedBy: table(columns(2001)))
    },
    refused(.error, "") { _ = try $0.prepareInsertIntoTable(describedBy: table(columns(5000))) },
    returned("[]") {
      let table = TableDescription(
        "select \"from'",
        columns: ["table", "\"", "a b", "é;--"].map { ColumnDescription($0, .text) },
        primaryKey: ["\"", "table"], uniqueKeys: [["a b"]], indexes: [["é;--"]])
      try $0.createTable(describedBy: table)
      return try $0.differences(fromTable: table)
    },
    refused(.error, "reserved for internal use") {
      try $0.createTable(describedBy: table([id], named: "sqlite_words"))
    },
    refused(.error, "no such table: main.t") {
      try $0.createIndexes(
        describedBy: TableDescription("t", columns: [id], primaryKey: [], indexes: [["id"]]))
    },
    refused(.error, "no such table: main.nothing") {
      try $0.createTable(
        describedBy: TableDescription(
          "t", columns: [id], primaryKey: [],
          foreignKeys: [ForeignKeyDescription("id", references: "nothing", "x")]))
      try $0.set(.foreignKeys, to: true)
      try $0.execute("INSERT INTO t VALUES (1)")
    },
    returned("1") {
      let column = ColumnDescription(
        "a", .integer, domain: .within(.min ... .max), defaultValue: .integer(.min))
      try $0.createTable(describedBy: table([column]))
      try $0.execute("INSERT INTO t DEFAULT VALUES")
      return try $0.first("SELECT count(*) FROM t WHERE a = \(Int.min)", as: Int.self) ?? 0
    },
    returned("nil nil false") { _ in
      let table = TableDescription("t", columns: [], primaryKey: ["x"], isWithoutRowid: false)
      let places = ["", "x\0"].map { table.columnIndex($0).map(String.init) ?? "nil" }
      return places.joined(separator: " ") + " \(table.keyIsRowid)"
    },
  ]

  private static func schema(
    tables: [TableDescription] = [words], unions: [KeyUnionDescription] = [],
    views: [ViewDescription] = []
  ) -> SchemaDescription {
    SchemaDescription(tables: tables, keyUnions: unions, views: views, applicationID: 0, version: 0)
  }

  /// The properties that differ, besides the tables of teams and members.
  private static func differences(
    _ text: String, after sql: SQL = "", _ schema: SchemaDescription, line: Int = #line
  ) -> Mistake {
    returned(text, line: line) {
      try $0.execute(script: "DROP TABLE members; DROP TABLE teams")
      try $0.execute(script: sql)
      return try $0.differences(from: schema).map(\.property.rawValue)
    }
  }

  static let schemaMisuses: [Mistake] = [
    refused(.misuse, "two tables or views are named words") {
      _ = try $0.differences(from: schema(tables: [words, words]))
    },
    refused(.misuse, "there are no columns") {
      _ = try $0.differences(from: schema(tables: [table([])]))
    },
    differences(#"["table"]"#, schema(tables: [])),
    differences(
      #"["table"]"#,
      schema(unions: [
        KeyUnionDescription("ids", column: "id", type: .integer, members: [.init("words", "id")])
      ])),
    differences(
      #"["query"]"#, after: "CREATE VIEW v AS SELECT * FROM absent",
      schema(views: [ViewDescription("v", "SELECT * FROM absent_too")])),
    differences(
      #"["query"]"#, after: "CREATE VIEW v AS SELECT 1",
      schema(views: [ViewDescription("v", "nonsense; DROP TABLE words")])),
    differences(
      "[]", after: "CREATE VIEW v AS SELECT 1 AS a",
      schema(views: [ViewDescription("v", "SELECT 1 AS a) --")])),
    differences(
      #"["table"]"#,
      after: "CREATE VIRTUAL TABLE f USING rtree(a, b, c); DROP TABLE f; CREATE TABLE f (a)",
      schema()),
    differences(
      #"["table"]"#,
      after: #"CREATE TABLE "a b;" (c DEFAULT (1 + 1), d AS (c) STORED, e COLLATE NOCASE UNIQUE)"#,
      schema()),
    returned("true") { connection in
      try ["", "nothing", "words\0", "sqlite_stmt", "\"", String(repeating: "x", count: 99_999)]
        .allSatisfy { try connection.schema(ofTable: $0) == nil }
    },
    returned("sqlite_schema") { try $0.schema(ofTable: "sqlite_schema")?.name ?? "none" },
    returned("true") {
      try $0.execute(
        "CREATE TABLE t (a, b GENERATED ALWAYS AS (a + 1), c DEFAULT (random()), PRIMARY KEY (c DESC))"
      )
      let table = TableDescription(
        "t", columns: [ColumnDescription("a", .text), ColumnDescription("z", .blob)],
        primaryKey: ["a"], uniqueKeys: [["z"]],
        foreignKeys: [ForeignKeyDescription("a", references: "nothing", "x")],
        indexes: [["z", "a"]])
      return try $0.differences(fromTable: table).count > 5
    },
    returned(#"["table"]"#) {
      try $0.differences(fromTable: table(columns(2001))).map(\.property.rawValue)
    },
    refused(.error, "too many columns on words") {
      _ = try $0.differences(fromTable: table(columns(2001), named: "words"))
    },
    refusedInFolder(.corrupt, "malformed") { _, folder in
      let other = try Connection(folder + "/b.sqlite", opening: .createNew)
      try other.execute("CREATE TABLE t (a)")
      try other.execute("PRAGMA writable_schema = ON")
      try other.execute("UPDATE sqlite_schema SET sql = 'nonsense'")
      try other.close()
      _ = try Connection(folder + "/b.sqlite", opening: .openExisting).schema(ofTable: "t")
    },
  ]

  private static let rows: SQL = "SELECT count(*) FROM words"

  static let insertMisuses: [Mistake] = [
    refused(.range, "has two values") {
      var insert = try $0.prepareInsertIntoTable(describedBy: words)
      try insert.insert(["id": 3, "word": "x", "ID": 4])
    },
    refused(.range, "has two values") {
      var insert = try $0.prepareInsertIntoTable(describedBy: words)
      try insert.insert([(key: "id", value: 3 as SQLiteValue), (key: "id", value: 3)])
    },
    refused(.range, #"words has no column "word\0" (columns: id, word)"#) {
      var insert = try $0.prepareInsertIntoTable(describedBy: words)
      try insert.insert(["id": 3, "word\0": "x"])
    },
    returned("3") {
      var insert = try $0.prepareInsertIntoTable(describedBy: words)
      for number in 0..<1000 { try? insert.insert(["id": 3, "x\(number)": 1]) }
      try insert.insert(["WORD": "x", "Id": 3])
      return try $0.first(rows, as: Int.self) ?? 0
    },
    refused(.error, "cannot modify words2 because it is a view") {
      try $0.execute("CREATE VIEW words2 AS SELECT * FROM words")
      var insert = try $0.prepareInsertIntoTable(describedBy: table(words.columns, named: "words2"))
      try insert.insert(3, "x")
    },
    refused(.error, "may not be modified") {
      var insert = try $0.prepareInsertIntoTable(
        describedBy: table([ColumnDescription("type", .text)], named: "sqlite_schema"))
      try insert.insert("table")
    },
    refused(.error, "may not be modified") {
      try $0.bulkInsert(intoTable: words) { _ in }
      _ = try $0.prepareInsertIntoTable(
        describedBy: table([ColumnDescription("c0", .text)], named: "sqlite_rows_2"))
    },
    refusedInFolder(.readOnly, "attempt to write a readonly database") { _, folder in
      let reader = try Connection(folder + "/a.sqlite", opening: .readOnly)
      var insert = try reader.prepareInsertIntoTable(describedBy: words)
      try insert.insert(3, "x")
    },
    refused(.busy, "unable to close") {
      var insert = try $0.prepareInsertIntoTable(describedBy: words)
      try $0.close()
      try insert.insert(3, "x")
    },
  ]

  /// A bulk insert into words.
  private static func bulk(
    _ code: SQLiteError.ResultCode, _ part: String, line: Int = #line,
    _ body: @escaping @Sendable (Connection, inout BulkInsert) throws -> Void
  ) -> Mistake {
    refused(code, part, line: line) { connection in
      try connection.bulkInsert(intoTable: words) { try body(connection, &$0) }
    }
  }

  static let bulkMisuses: [Mistake] = [
    bulk(.range, "expected 2 values (columns: id, word), found 100000") { _, rows in
      try rows.append([SQLiteValue](repeating: "x", count: 100_000))
    },
    bulk(.abortRollback, "has already ended") { connection, rows in
      try rows.append(3, "x")
      try connection.execute("COMMIT")
    },
    bulk(.abortRollback, "has already ended") { connection, rows in
      try rows.append(3, "x")
      try connection.execute("ROLLBACK")
    },
    bulk(.busy, "unable to close") { connection, _ in try connection.close() },
    bulk(.interrupted, "interrupted") { connection, rows in
      try rows.append(3, "x")
      try connection.forEachRow(of: "SELECT * FROM words") { _ in connection.interrupter.interrupt()
      }
    },
    refused(.error, "no such table: t") {
      try $0.bulkInsert(intoTable: table(columns(2001))) { _ in }
    },
    // More columns than a batch has cells.
    refused(.error, "") {
      try $0.bulkInsert(intoTable: table(columns(20_000), named: "words")) { _ in }
    },
    returned("0") {
      try $0.bulkInsert(intoTable: words) { for id in 3..<20_000 { try? $0.append(id) } }
    },
    returned("52") { connection in
      func descend(_ depth: Int) throws {
        try connection.bulkInsert(intoTable: words) { rows in
          try rows.append(100 + depth, "x")
          if depth > 0 { try descend(depth - 1) }
        }
      }
      try descend(49)
      return try connection.first(rows, as: Int.self) ?? 0
    },
    refused(.misuse, "has no primary key") {
      try $0.bulkInsert(intoTable: table(words.columns, named: "words"), onConflict: .update) { _ in
      }
    },
    refusedInFolder(.readOnly, "readonly database") { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).bulkInsert(intoTable: words) {
        try $0.append(3, "x")
      }
    },
    refusedInFolder(.busy, "database is locked") { connection, folder in
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try connection.bulkInsert(intoTable: words) { rows in
        try rows.append(3, "x")
        try other.bulkInsert(intoTable: words) { try $0.append(4, "x") }
      }
    },
    refused(.tooBig, "string or blob too big") { connection in
      try connection.limitLength(to: 1000)
      defer { _ = try? connection.limitLength(to: .max) }
      try connection.bulkInsert(intoTable: words) {
        try $0.append(3, String(repeating: "x", count: 1001))
      }
    },
    returned("0") {
      try $0.bulkInsert(intoTable: words) { try $0.append(3, "x") }
      return try $0.first("SELECT count(*) FROM sqlite_rows_2", as: Int.self) ?? -1
    },
  ]
}
