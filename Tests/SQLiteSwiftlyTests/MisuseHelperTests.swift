import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// Helpers with an invalid table, model or store.
struct MisuseHelperTests {
  /// A helper whose description has faults.
  private struct FaultyHelper: BoxTable {
    static let table = TableDescription(
      "boxes", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
      primaryKey: ["absent"])
    let store: DataStore
  }

  /// A helper of a table without columns, and models without values.
  private struct EmptyHelper: DataHelper {
    static let table = TableDescription("empty", columns: [], primaryKey: [])
    let store: DataStore
    static func values(of model: Int) -> [(any SQLiteValueConvertible)?] { [] }
    static func model(from row: TableRow) throws(SQLiteError) -> Int { 0 }
  }

  /// A helper whose models have values beyond 64 bits.
  private struct HugeHelper: DataHelper {
    static let table = TableDescription.boxes(isWithoutRowid: false)
    static let choosesKeys = false
    let store: DataStore
    static func values(of model: UInt64) -> [(any SQLiteValueConvertible)?] {
      [model, nil as String?]
    }
    static func model(from row: TableRow) throws(SQLiteError) -> UInt64 { try row.value("id") }
  }

  private static func seats(_ connection: Connection) throws -> SeatHelper {
    let seats = SeatHelper(store: DataStore(connection))
    try seats.createTable()
    return seats
  }

  private static func boxes(_ connection: Connection) throws -> BoxHelper {
    let boxes = BoxHelper(store: DataStore(connection))
    try boxes.createTable()
    return boxes
  }

  static let cases: [Misuse] = [
    Misuse("a table with faults", .misuse, "the primary key uses column absent") {
      connection, _ in try FaultyHelper(store: DataStore(connection)).createTable()
    },
    Misuse("an insert into one", .misuse, "the primary key uses column absent") {
      connection, _ in try FaultyHelper(store: DataStore(connection)).insert(Box(id: 1, name: "x"))
    },
    Misuse("a key of one", .misuse, "boxes has no primary key") { connection, _ in
      _ = try FaultyHelper(store: DataStore(connection)).find(1)
    },
    Misuse("a deletion from one", .misuse, "boxes has no primary key") { connection, _ in
      try FaultyHelper(store: DataStore(connection)).delete(Box(id: 1))
    },
    Misuse("a table without columns", .misuse, "there are no columns") { connection, _ in
      try EmptyHelper(store: DataStore(connection)).createTable()
    },
    Misuse("a model without values", .misuse, "there are no columns") { connection, _ in
      try EmptyHelper(store: DataStore(connection)).insert(1)
    },
    Misuse("a key without values", .misuse, "empty has no primary key") { connection, _ in
      _ = try EmptyHelper(store: DataStore(connection)).find()
    },
    Misuse("a table that is missing", .error, "no such table: labels") { connection, _ in
      try LabelHelper(store: DataStore(connection)).insert(Label(code: "a", name: "x"))
    },
    Misuse("a table that is another", .error, "has no column named") { connection, _ in
      try connection.execute("CREATE TABLE labels (a)")
      let labels = LabelHelper(store: DataStore(connection))
      try labels.createTable()
      try labels.insert(Label(code: "a", name: "x"))
    },
    Misuse("a table that is dropped after an insert", .error, "no such table: seats") {
      connection, _ in
      let seats = try seats(connection)
      try seats.insert(Seat(number: 1, row: "A"))
      try connection.execute("DROP TABLE seats")
      defer { try? seats.store.close() }
      try seats.insert(Seat(number: 2, row: "A"))
    },
    Misuse(
      "a model with a value too few", .range,
      "expected 2 values for boxes (columns: id, name), but the model has 1"
    ) {
      connection, _ in
      try ShortBoxHelper(store: DataStore(connection)).insert(Box())
    },
    Misuse("a value beyond 64 bits", .range, "does not fit into") { connection, _ in
      try HugeHelper(store: DataStore(connection)).insert(.max)
    },
    Misuse("such values of many", .range, "does not fit into") { connection, _ in
      let boxes = try boxes(connection)
      let huge = HugeHelper(store: boxes.store)
      defer { try? boxes.store.close() }
      try huge.insert(all: [1, .max])
    },
    Misuse("such a value to be deleted", .range, "does not fit into") { connection, _ in
      try HugeHelper(store: DataStore(connection)).delete(.max)
    },
    Misuse("such a value as an example", .range, "does not fit into") { connection, _ in
      _ = try HugeHelper(store: DataStore(connection)).find(like: .max)
    },
    Misuse("a row beyond the model's type", .mismatch, "an unsigned integer of 64 bits") {
      connection, _ in
      try boxes(connection).insert(Box(id: -1))
      _ = try HugeHelper(store: DataStore(connection)).findAll()
    },
    Misuse("a value that is nil", .ok, "no value for the required column row") { connection, _ in
      try seats(connection).insert(Seat(number: 1))
    },
    Misuse("a row that is there", .constraintPrimaryKey, "cannot insert") { connection, _ in
      let boxes = try boxes(connection)
      defer { try? boxes.store.close() }
      try boxes.insert(all: [Box(id: 1), Box(id: 1)])
    },
    Misuse("an upsert by a key that SQLite chooses", .misuse, "the model has no key, but boxes") {
      connection, _ in
      let boxes = ChosenBoxHelper(store: try boxes(connection).store)
      try boxes.upsert(Box(id: 0))
    },
    Misuse("a column twice", .range, "column id of boxes has two values") { connection, _ in
      let boxes = try boxes(connection)
      _ = try boxes.find(where: [(key: "id", value: 1), (key: "id", value: .null)])
    },
    Misuse("a row that is not there", .error, "has no row with the key") { connection, _ in
      try boxes(connection).delete(Box(id: 1))
    },
    Misuse("too long a key", .range, "found 3") { connection, _ in
      _ = try seats(connection).find("A", 1, 1)
    },
    Misuse("a column that is not there", .misuse, "seats has no column x") { connection, _ in
      try seats(connection).forEach(where: ["x": 1]) { _ in }
    },
    Misuse("the greatest key, and one after it", .full, "database or disk is full") {
      connection, _ in
      let boxes = try boxes(connection)
      try boxes.insert(Box(id: .max))
      // Of the keys that are left SQLite tries some: none may be.
      try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)")
      defer { try? boxes.store.close() }
      try connection.execute("INSERT INTO t VALUES (\(Int.max))")
      try connection.execute("INSERT INTO t VALUES (NULL)")
    },
    Misuse("a store that is closed in its own reading", .busy, "unable to close") {
      connection, _ in
      let boxes = try boxes(connection)
      try boxes.insert(Box(id: 1))
      try boxes.forEach { _ in try boxes.store.close() }
    },
    Misuse("a store that is closed twice, and used", .misuse, "the connection is closed") {
      connection, _ in
      let boxes = try boxes(connection)
      for _ in 0..<2 { try boxes.store.close() }
      _ = try boxes.findAll()
    },
    Misuse("a store of a folder", .cannotOpen, "cannot use the database") { _, folder in
      try DataStore(folder).createTables([])
    },
    Misuse("tables of two helpers that are not alike", .misuse, "uses column absent") {
      connection, _ in
      let store = DataStore(connection)
      try store.createTables([LabelHelper(store: store), FaultyHelper(store: store)])
    },
  ]

  @Test(arguments: cases) func `a helper that cannot work reports the reason`(misuse: Misuse) throws
  {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
