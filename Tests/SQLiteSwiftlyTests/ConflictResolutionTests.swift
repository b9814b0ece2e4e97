import SQLiteSwiftly
import Testing

/// The handling of existing rows by an insert.
struct ConflictResolutionTests {
  /// A description of columns that can all hold integers and NULL.
  private static func table(
    _ columns: [String], of name: String = "t", key: [String], unique: [[String]] = [],
    isWithoutRowid: Bool? = nil
  ) -> TableDescription {
    TableDescription(
      name,
      columns: columns.map { ColumnDescription($0, .integer, isNullable: !key.contains($0)) },
      primaryKey: key, uniqueKeys: unique, isWithoutRowid: isWithoutRowid)
  }

  static let tables = [
    table(["a", "b", "c"], key: ["a"]),
    table(["a", "b", "c"], key: ["a"], isWithoutRowid: true),
    table(["b", "a", "c"], key: ["a"]),
    table(["a", "c", "b"], key: ["a", "b"]),
    table(["a", "b", "c"], key: ["b", "a"], isWithoutRowid: false),
    table(["a", "b", "c"], key: ["c", "b", "a"]),
    table(["a b", "\"", "SELECT", "é", "excluded"], key: ["\"", "é"]),
    table(["a", "b"], of: "excluded", key: ["a"]),
    table(["excluded", "b"], of: "EXCLUDED", key: ["excluded"]),
    table(["a", "b"], of: "t u\"", key: ["a"]),
  ]

  @Test(arguments: tables, [ConflictResolution.keep, .update])
  func `a row with an existing key is kept or updated`(
    table: TableDescription, resolution: ConflictResolution
  ) throws {
    let old = table.columns.indices.map { SQLiteValue.integer(Int64($0)) }
    // The same key, and other values.
    let new = zip(table.columns, old).map { column, value in
      table.primaryKey.contains(column.name) ? value : .integer(100)
    }
    let other = old.map { SQLiteValue.integer(($0.integerValue ?? 0) + 50) }
    for isBulk in [false, true] {
      let connection = try Connection.inMemory(with: table)
      var insert = try connection.prepareInsertIntoTable(describedBy: table, onConflict: resolution)
      if isBulk {
        try connection.bulkInsert(intoTable: table, onConflict: resolution) { rows in
          for row in [old, new, other] { try rows.append(row) }
        }
      } else {
        for row in [old, new, other] { try insert.insert(row) }
      }
      let rows = try connection.query("SELECT * FROM \(identifier: table.name)")
      #expect(Set(rows) == [resolution == .keep ? old : new, other])
      #expect(rows.count == 2)
    }
  }

  @Test(arguments: tables)
  func `without a resolution a row with an existing key is an error`(table: TableDescription) throws
  {
    let connection = try Connection.inMemory(with: table)
    for resolution in [nil, ConflictResolution.fail] {
      var insert =
        try resolution.map {
          try connection.prepareInsertIntoTable(describedBy: table, onConflict: $0)
        } ?? connection.prepareInsertIntoTable(describedBy: table)
      let row = [SQLiteValue](repeating: 1, count: table.columns.count)
      try? insert.insert(row)
      #expect(try failure { try insert.insert(row) }.code == .constraint)
      #expect(try connection.query("SELECT * FROM \(identifier: table.name)") == [row])
    }
  }

  @Test func `NULL and names replace values like others`() throws {
    let connection = try Connection.inMemory(with: words)
    var upsert = try connection.prepareInsertIntoTable(describedBy: words, onConflict: .update)
    let word: String? = nil
    try upsert.insert(["word": "one", "id": 1])
    try upsert.insert(["WORD": word, "Id": 1])
    try upsert.insert(.null, "two")
    #expect(try connection.rows(of: "words") == [[1, .null], [2, "two"]])
  }

  @Test func `NULL replaces a value even if no row of the batch has one`() throws {
    let connection = try Connection.inMemory(with: words)
    try connection.execute("INSERT INTO words VALUES (1, 'one')")
    try connection.bulkInsert(intoTable: words, onConflict: .update) { rows in
      try rows.append(1, .null)
      try rows.append(2, .null)
    }
    #expect(try connection.rows(of: "words") == [[1, .null], [2, .null]])
  }

  @Test(arguments: [ConflictResolution.keep, .update])
  func `a unique key of another row is an error`(resolution: ConflictResolution) throws {
    let table = Self.table(["a", "b"], key: ["a"], unique: [["b"]])
    let connection = try Connection.inMemory(with: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table, onConflict: resolution)
    try insert.insert(1, 10)
    try insert.insert(2, 20)
    for row in [[3, 10], resolution == .update ? [2, 10] : [4, 20]] as [[SQLiteValue]] {
      #expect(try failure { try insert.insert(row) }.extendedCode == .constraintUnique)
    }
    #expect(try connection.rows(of: "t") == [[1, 10], [2, 20]])
  }

  @Test(arguments: [ConflictResolution.keep, .update])
  func `a table without a key is refused`(resolution: ConflictResolution) throws {
    let table = Self.table(["a", "b"], key: [], unique: [["a"]])
    let connection = try Connection.inMemory(with: table)
    try expectFailure(.misuse, "t has no primary key to detect existing rows with") {
      _ = try connection.prepareInsertIntoTable(describedBy: table, onConflict: resolution)
    }
  }

  @Test func `a table that has another key than the description is refused`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE words (id INTEGER, word TEXT PRIMARY KEY)")
    let error = try failure {
      _ = try connection.prepareInsertIntoTable(describedBy: words, onConflict: .update)
    }
    #expect(error.code == .error)
    #expect(error.message.hasPrefix("ON CONFLICT clause does not match"))
  }

  @Test func `an updated row is the same row to what refers to it`() throws {
    let names = TableDescription(
      "names", columns: [ColumnDescription("name", .text), ColumnDescription("n", .integer)],
      primaryKey: ["name"], isWithoutRowid: false)
    let connection = try Connection.inMemory(with: names)
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute(
      "CREATE TABLE children (name TEXT REFERENCES names ON DELETE CASCADE ON UPDATE SET NULL)")
    var upsert = try connection.prepareInsertIntoTable(describedBy: names, onConflict: .update)
    for (name, number) in [("x", 1), ("y", 2)] { try upsert.insert(name, number) }
    try connection.execute("INSERT INTO children VALUES ('x'), ('x')")
    let rowid: SQL = "SELECT rowid, name, n FROM names ORDER BY rowid"
    #expect(try connection.query(rowid) == [[1, "x", 1], [2, "y", 2]])
    try upsert.insert("x", 7)
    #expect(try connection.query(rowid) == [[1, "x", 7], [2, "y", 2]])
    #expect(try connection.query("SELECT name FROM children") == [["x"], ["x"]])
  }

  @Test(arguments: [ConflictResolution.keep, .update])
  func `the changes are counted`(resolution: ConflictResolution) throws {
    let connection = try Connection.inMemory(with: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words, onConflict: resolution)
    try insert.insert(1, "one")
    #expect(try connection.changes == 1)
    try insert.insert(1, "again")
    #expect(try connection.changes == (resolution == .keep ? 0 : 1))
    #expect(try connection.value(of: "SELECT total_changes()") == (resolution == .keep ? 1 : 2))
  }

  @Test func `a value that the table refuses is an error for any resolution`() throws {
    let connection = try Connection.inMemory(with: words)
    for resolution in [ConflictResolution.keep, .update] {
      var insert = try connection.prepareInsertIntoTable(describedBy: words, onConflict: resolution)
      try insert.insert(1, "one")
      #expect(
        try failure { try insert.insert(2, [1] as [UInt8]) }.extendedCode == .constraintDataType)
    }
    #expect(try connection.rows(of: "words") == [[1, "one"]])
  }
}
