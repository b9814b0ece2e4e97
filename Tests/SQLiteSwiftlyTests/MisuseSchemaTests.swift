import SQLiteSwiftly
import Schema
import Testing

/// Schemas that are read and compared and make no sense.
struct MisuseSchemaTests {
  private static func schema(
    tables: [TableDescription] = [words], unions: [KeyUnionDescription] = [],
    views: [ViewDescription] = []
  ) -> SchemaDescription {
    SchemaDescription(
      tables: tables, keyUnions: unions, views: views, applicationID: 0, version: 0)
  }

  /// A description that is refused.
  private static func refused(
    _ name: String, _ part: String, _ schema: SchemaDescription
  ) -> Misuse {
    Misuse(name, .misuse, part) { connection, _ in _ = try connection.differences(from: schema) }
  }

  /// The properties that differ.
  private static func different(
    _ name: String, gives text: String, after sql: SQL = "", _ schema: SchemaDescription
  ) -> Misuse {
    Misuse(name, gives: text) { connection, _ in
      try connection.execute(script: sql)
      return try connection.differences(from: schema).map(\.property.rawValue)
    }
  }

  private static let union = KeyUnionDescription(
    "ids", column: "id", type: .integer, members: [.init("words", "id")])

  static let cases: [Misuse] = [
    refused(
      "tables of one name", "two tables or views are named words",
      schema(tables: [words, words])),
    refused(
      "a view of a table's name", "two tables or views are named Words",
      schema(views: [ViewDescription("Words", "SELECT 1")])),
    refused(
      "a view without a name", "the view has no name", schema(views: [ViewDescription("", "")])),
    refused(
      "a view with values", "the query must not have values",
      schema(views: [ViewDescription("v", "SELECT \(1)")])),
    refused(
      "a union of nothing", "there are no member tables",
      schema(unions: [KeyUnionDescription("ids", column: "id", type: .integer, members: [])])),
    refused(
      "a union of tables that are not there", "no table x",
      schema(
        unions: [
          KeyUnionDescription("ids", column: "id", type: .integer, members: [.init("x", "y")])
        ])),
    refused(
      "a union without a column's name", "a column has no name",
      schema(
        unions: [
          KeyUnionDescription("ids", column: "", type: .integer, members: [.init("words", "id")])
        ])),
    refused(
      "a table without columns", "there are no columns",
      schema(tables: [TableDescription("t", columns: [], primaryKey: [])])),
    different("nothing described", gives: #"["table"]"#, schema(tables: [])),
    different("a union that is missing", gives: #"["table"]"#, schema(unions: [union])),
    different(
      "a view that cannot be compiled", gives: #"["query"]"#,
      after: "CREATE VIEW v AS SELECT * FROM absent",
      schema(views: [ViewDescription("v", "SELECT * FROM absent_too")])),
    different(
      "a view whose query is none", gives: #"["query"]"#, after: "CREATE VIEW v AS SELECT 1",
      schema(views: [ViewDescription("v", "nonsense; DROP TABLE words")])),
    different(
      "a view whose query closes a parenthesis", gives: "[]",
      after: "CREATE VIEW v AS SELECT 1 AS a",
      schema(views: [ViewDescription("v", "SELECT 1 AS a) --")])),
    different(
      "a table of a module", gives: #"["table"]"#,
      after: "CREATE VIRTUAL TABLE f USING rtree(a, b, c); DROP TABLE f; CREATE TABLE f (a)",
      schema()),
    different(
      "a table that was written by hand", gives: #"["table"]"#,
      after: #"CREATE TABLE "a b;" (c DEFAULT (1 + 1), d AS (c) STORED, e COLLATE NOCASE UNIQUE)"#,
      schema()),
    Misuse("the schema of nothing", gives: "true") { connection, _ in
      try ["", "nothing", "words\0", "sqlite_stmt", "\"", String(repeating: "x", count: 99_999)]
        .allSatisfy { try connection.schema(ofTable: $0) == nil }
    },
    Misuse("the schema of the schema", gives: "sqlite_schema") { connection, _ in
      try connection.schema(ofTable: "sqlite_schema")?.name ?? "none"
    },
    Misuse("a table of another kind than described", gives: "true") { connection, _ in
      try connection.execute(
        "CREATE TABLE t (a, b GENERATED ALWAYS AS (a + 1), c DEFAULT (random()), PRIMARY KEY (c DESC))"
      )
      let table = TableDescription(
        "t", columns: [ColumnDescription("a", .text), ColumnDescription("z", .blob)],
        primaryKey: ["a"], uniqueKeys: [["z"]],
        foreignKeys: [ForeignKeyDescription("a", references: "nothing", "x")],
        indexes: [["z", "a"]])
      return try connection.differences(fromTable: table).count > 5
    },
    Misuse("a table with more columns than SQLite takes", gives: #"["table"]"#) { connection, _ in
      let table = TableDescription(
        "t", columns: (0..<2001).map { ColumnDescription("c\($0)", .text) }, primaryKey: [])
      return try connection.differences(fromTable: table).map(\.property.rawValue)
    },
    Misuse("the same for one that is there", .error, "too many columns on words") {
      connection, _ in
      let table = TableDescription(
        "words", columns: (0..<2001).map { ColumnDescription("c\($0)", .text) }, primaryKey: [])
      _ = try connection.differences(fromTable: table)
    },
    Misuse("columns that the result does not have", .misuse, "column id of words is missing") {
      connection, _ in _ = try connection.query("SELECT word FROM words", describedBy: words)
    },
    Misuse("columns that the result has twice", .misuse, "occurs twice in the result") {
      connection, _ in
      _ = try connection.query("SELECT id, word, id AS ID FROM words", describedBy: words)
    },
    Misuse("columns that the description does not have", .misuse, "is not in the description") {
      connection, _ in
      _ = try connection.query("SELECT *, 1 AS more FROM words", describedBy: words)
    },
    Misuse("values that the description does not allow", .mismatch, "row 1, column id: expected") {
      connection, _ in
      _ = try connection.query(
        "SELECT 1 AS id, NULL AS word UNION ALL SELECT 'x', 'y'", describedBy: words)
    },
    Misuse("a damaged schema", .corrupt, "malformed") { connection, folder in
      let other = try Connection(folder + "/b.sqlite", opening: .createNew)
      try other.execute("CREATE TABLE t (a)")
      try other.execute("PRAGMA writable_schema = ON")
      try other.execute("UPDATE sqlite_schema SET sql = 'nonsense'")
      try other.close()
      _ = try Connection(folder + "/b.sqlite", opening: .openExisting).schema(ofTable: "t")
    },
  ]

  @Test(arguments: cases) func `an invalid schema is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
