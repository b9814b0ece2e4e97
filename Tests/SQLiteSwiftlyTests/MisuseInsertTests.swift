import SQLiteSwiftly
import Testing

/// Rows for a prepared insert.
struct MisuseInsertTests {
  private static func insert(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    _ body: @escaping @Sendable (inout InsertStatement) throws -> Void
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      try body(&insert)
    }
  }

  /// Not seen by the compiler to be there twice.
  private static let id = "id"

  static let cases: [Misuse] = [
    insert("no values", .range, "found 0") { try $0.insert([] as [SQLiteValue]) },
    insert("a value too few", .range, "found 1") { try $0.insert([3]) },
    insert("a value too many", .range, "found 3") { try $0.insert(3, "x", .null) },
    insert("an empty pack", .range, "found 0") { try $0.insert() },
    insert("a blob for a row", .range, "found 1") { try $0.insert([3, 4] as [UInt8]) },
    insert("a number beyond 64 bits", .range, "does not fit into") {
      try $0.insert(UInt.max, "x")
    },
    insert("such a number by name", .range, "does not fit into") {
      try $0.insert(["id": UInt.max, "word": "x"])
    },
    insert("no names", .range, "has no value") {
      try $0.insert([:] as [String: SQLiteValue])
    },
    insert("a name too few", .range, "column word of words has no value") {
      try $0.insert(["id": 3])
    },
    insert("a name of nothing", .range, "words has no column x") {
      try $0.insert(["id": 3, "word": "x", "x": 1])
    },
    insert("no name", .range, #"words has no column "" (columns: id, word)"#) {
      try $0.insert(["id": 3, "": "x"])
    },
    insert("a name with a NUL", .range, #"words has no column "word\0" (columns: id, word)"#) {
      try $0.insert(["id": 3, "word\0": "x"])
    },
    insert("a name twice", .range, "column id of words has two values") {
      try $0.insert(["id": 3, "word": "x", id: 4])
    },
    insert("a name twice in other letters", .range, "has two values") {
      try $0.insert(["id": 3, "word": "x", "ID": 4])
    },
    insert("a name twice in a sequence", .range, "has two values") {
      try $0.insert([(key: "id", value: 3 as SQLiteValue), (key: "id", value: 3)])
    },
    insert("a row that is there", .constraintPrimaryKey, "UNIQUE constraint failed") {
      try $0.insert(1, "x")
    },
    insert("a row of another type", .constraintDataType, "cannot store BLOB value") {
      try $0.insert(3, [1] as [UInt8])
    },
    Misuse("many names that are none, and then a row", gives: "3") { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      for number in 0..<1000 { try? insert.insert(["id": 3, "x\(number)": 1]) }
      try insert.insert(["WORD": "x", "Id": 3])
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("no table", .error, "no such table: t") { connection, _ in
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription("t", columns: words.columns, primaryKey: []))
    },
    Misuse("a view", .error, "cannot modify words2 because it is a view") { connection, _ in
      try connection.execute("CREATE VIEW words2 AS SELECT * FROM words")
      var insert = try connection.prepareInsertIntoTable(
        describedBy: TableDescription("words2", columns: words.columns, primaryKey: []))
      try insert.insert(3, "x")
    },
    Misuse("a resolution by no key", .misuse, "has no primary key") { connection, _ in
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription("words", columns: words.columns, primaryKey: []),
        onConflict: .keep)
    },
    Misuse("a resolution by a key that is none", .error, "ON CONFLICT clause does not match") {
      connection, _ in
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription("words", columns: words.columns, primaryKey: ["word"]),
        onConflict: .update)
    },
    Misuse("a table of the schema", .error, "may not be modified") { connection, _ in
      var insert = try connection.prepareInsertIntoTable(
        describedBy: TableDescription(
          "sqlite_schema", columns: [ColumnDescription("type", .text)], primaryKey: []))
      try insert.insert("table")
    },
    Misuse("the rows that bulk inserts come from", .error, "may not be modified") {
      connection, _ in
      try connection.bulkInsert(intoTable: words) { _ in }
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription(
          "sqlite_rows_2", columns: [ColumnDescription("c0", .text)], primaryKey: []))
    },
    Misuse("an insert for reading only", .readOnly, "attempt to write a readonly database") {
      _, folder in
      let reader = try Connection(folder + "/a.sqlite", opening: .readOnly)
      var insert = try reader.prepareInsertIntoTable(describedBy: words)
      try insert.insert(3, "x")
    },
    Misuse("a connection that is closed before its insert", .busy, "unable to close") {
      connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      try connection.close()
      try insert.insert(3, "x")
    },
  ]

  @Test(arguments: cases) func `an invalid row is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
