import RebrickableCatalog
import SQLiteDestination
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// Primary keys whose index is loaded after the rows, and not kept by SQLite meanwhile.
@Suite struct LoadedKeyTests {
  private static let stops = TableDescription(
    "stops \"of\" trips",
    columns: [
      ColumnDescription("trip", .text), ColumnDescription("sequence", .integer),
      ColumnDescription("stop", .text, isNullable: true),
    ],
    primaryKey: ["trip", "sequence"], uniqueKeys: [["stop"]], indexes: [["sequence"]],
    isWithoutRowid: false)
  private static let trips = TableDescription(
    "trips", columns: [ColumnDescription("trip", .text)], primaryKey: ["trip"],
    isWithoutRowid: false)

  /// Ten thousand rows whose keys come in no order, with some as long as a key can be.
  private static let records = (0..<10_000).map { number -> [String] in
    let key = number * 7919 % 10_000
    let trip = "t\(key / 40)" + (key % 1000 == 7 ? String(repeating: "é", count: 500) : "")
    return [trip, "\(key % 40)", number % 3 == 0 ? "" : "s\(number)"]
  }

  private func workplace(_ schema: SchemaDescription) throws -> Workplace {
    let workplace = try Workplace()
    let lines = Self.records.map { $0.joined(separator: ",") }
    try workplace.write(
      Self.stops.name + ".csv", "trip,sequence,stop\n\(lines.joined(separator: "\n"))\n")
    let trips = Set(Self.records.map { $0[0] }).sorted().reversed()
    try workplace.write("trips.csv", "trip\n\(trips.joined(separator: "\n"))\n")
    let outcome = loaded(workplace, schema)
    #expect(outcome.rejected == [])
    return workplace
  }

  /// Whatever reads the tables before the end finds a key that SQLite has kept, and the file is the same to its readers.
  @Test(arguments: [true, false])
  func `a loaded key is like one that SQLite has made`(isRead: Bool) throws {
    let union = KeyUnionDescription(
      "all_trips", column: "trip", type: .text, members: [.init("trips", "trip")])
    let schema = SchemaDescription(
      tables: [Self.trips, Self.stops], keyUnions: isRead ? [union] : [], applicationID: 1,
      version: 1)
    #expect(schema.loadedKeys == [!isRead, true])
    let workplace = try workplace(schema)
    let connection = try Connection(workplace.output, opening: .openExisting)
    #expect(try connection.faults(.full) == [])

    let made = try Connection.inMemory()
    for table in [Self.trips, Self.stops] { try made.createTable(describedBy: table) }
    let objects: SQL = """
      SELECT type, name, sql FROM sqlite_schema
      WHERE tbl_name IN ('trips', \(Self.stops.name)) ORDER BY type, name
      """
    #expect(try connection.query(objects) == made.query(objects))

    let ordered: SQL = """
      SELECT trip, sequence FROM \(identifier: Self.stops.name) ORDER BY trip, sequence
      """
    let plan = try connection.query(SQL(generated: "EXPLAIN QUERY PLAN " + ordered.text))
    #expect(plan.contains { $0.last?.textValue?.contains("sqlite_autoindex_") == true })
    let keys = try connection.query(ordered).map { [$0[0].textValue, $0[1].plainText] }
    let expected = Self.records.sorted { left, right in
      left[0] == right[0]
        ? Int(left[1])! < Int(right[1])! : left[0].utf8.lexicographicallyPrecedes(right[0].utf8)
    }
    #expect(keys == expected.map { [$0[0], $0[1]] })

    let again = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO \(identifier: Self.stops.name) VALUES ('t0', 0, NULL)")
    }
    #expect(again?.extendedCode == .constraintPrimaryKey)
    try connection.close()
  }

  /// Queries, and whether the keys of trips and of stops are loaded.
  private static let queries: [(query: SQL, areLoaded: [Bool])] = [
    ("SELECT 'a trip', trips_of FROM others", [true, true]),
    ("SELECT trip, 1 FROM Trips", [false, true]),
    ("SELECT stop, 1 FROM \"stops \"\"of\"\" trips\"", [false, false]),
    ("SELECT stop, 1 FROM [shown]", [false, false]),
    ("SELECT name, type FROM sqlite_schema", [false, false]),
    ("SELECT name, pk FROM pragma_table_info('other')", [false, false]),
  ]

  @Test(arguments: queries.indices)
  func `the keys of tables are loaded that no query names`(index: Int) {
    let (query, areLoaded) = Self.queries[index]
    let view = ViewDescription("shown", "SELECT trip FROM trips")
    let search = SearchDescription(
      "find", columns: [.init("a", weight: 1), .init("b")], excerptOf: "a", entries: [query])
    let searched = SchemaDescription(
      tables: [Self.trips, Self.stops], views: [view], search: search, applicationID: 1, version: 1)
    #expect(searched.loadedKeys == areLoaded)
    let table = TableDescription(
      "made", columns: [ColumnDescription("a", .text), ColumnDescription("b", .integer)],
      primaryKey: ["a"], isWithoutRowid: false)
    let derived = SchemaDescription(
      tables: [Self.trips, Self.stops],
      derivedTables: [DerivedTableDescription(table, filledBy: query)], views: [view],
      applicationID: 1, version: 1)
    #expect(derived.loadedKeys == areLoaded)
  }

  @Test func `only the key of elements is loaded into a catalog`() {
    let catalog = RebrickableCatalog.schema
    let loaded = zip(catalog.tables, catalog.loadedKeys).filter(\.1).map(\.0.name)
    #expect(loaded == ["elements"])
  }

  @Test func `a derived table has its own key beside a loaded one`() throws {
    let table = TableDescription(
      "made", columns: [ColumnDescription("trip", .text)], primaryKey: ["trip"],
      isWithoutRowid: false)
    let schema = SchemaDescription(
      tables: [Self.trips, Self.stops],
      derivedTables: [
        DerivedTableDescription(table, filledBy: "SELECT trip FROM trips ORDER BY trip")
      ], applicationID: 1, version: 1)
    #expect(schema.loadedKeys == [false, true])
    let workplace = try workplace(schema)
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try connection.faults(.full) == [])
    let keys: SQL = "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex%' ORDER BY 1"
    #expect(
      try connection.query(keys).map { $0[0].textValue } == [
        "sqlite_autoindex_made_1", "sqlite_autoindex_stops \"of\" trips_1",
        "sqlite_autoindex_trips_1",
      ])
    try connection.close()
  }

  @Test func `a repeated key is rejected, and not left to the index`() throws {
    let schema = SchemaDescription(tables: [Self.trips], applicationID: 1, version: 1)
    let workplace = try Workplace()
    try workplace.write("trips.csv", "trip\nb\na\nb\n")
    let outcome = load(workplace, schema)
    #expect(outcome.rejected.count == 1)
  }
}
