import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// Rows that helpers find, all at once or one at a time.
struct DataHelperSearchTests {
  private struct Stop: Error {}

  private func makeLabels() throws -> LabelHelper {
    let labels = try LabelHelper.make(LabelHelper.init)
    try labels.insert(all: [
      Label(code: "a", name: "x", size: 1), Label(code: "b", name: "y"),
      Label(code: "c", name: "x", size: 3), Label(code: "d", name: "x"),
    ])
    return labels
  }

  @Test func `DAL-39 DAL-40 rows are found by variables of any kind, and by nil`() throws {
    let labels = try makeLabels()
    let (name, size, missing) = ("x", 3 as UInt8, nil as Int?)
    #expect(try labels.find(where: ["name": name]).map(\.code) == ["a", "c", "d"])
    #expect(try labels.find(where: ["name": name, "size": size]).map(\.code) == ["c"])
    #expect(try labels.find(where: ["size": missing]).map(\.code) == ["b", "d"])
    #expect(try labels.find(where: ["size": nil, "name": "x"]).map(\.code) == ["d"])
    #expect(try labels.find(where: ["size": .null]).map(\.code) == ["b", "d"])
    #expect(try labels.find(where: [:]).count == 4)
    #expect(try labels.find(where: ["NAME": name, "Size": size]).map(\.code) == ["c"])
    let values: [String: SQLiteValue] = ["name": "x", "size": .null]
    #expect(try labels.find(where: values).map(\.code) == ["d"])
    let pairs = [(key: "size", value: SQLiteValue.integer(1))]
    #expect(try labels.find(where: pairs).map(\.code) == ["a"])
    #expect(try labels.find(like: Label(name: "x", size: 3)).map(\.code) == ["c"])
    #expect(try labels.find(like: Label()).count == 4)
  }

  private static let unknown = SQLiteError(
    .misuse, "labels has no column color (columns: code, name, size)")
  private static let twice = SQLiteError(.range, "column size of labels has two values")
  private static let beyond = SQLiteError(
    .range,
    "column size of labels: a value of type UInt64 does not fit into SQLite's 64-bit integers")

  /// Invalid searches.
  static let wrong: [(String, @Sendable (LabelHelper) throws -> Void, SQLiteError)] = [
    ("an unknown column", { _ = try $0.find(where: ["name": "x", "color": 1]) }, unknown),
    ("one of many rows", { try $0.forEach(where: ["color": nil]) { _ in } }, unknown),
    ("of a dictionary", { _ = try $0.find(where: ["color": 1 as SQLiteValue]) }, unknown),
    (
      "no name", { _ = try $0.find(where: ["": "x"]) },
      SQLiteError(.misuse, #"labels has no column "" (columns: code, name, size)"#)
    ),
    (
      "a name with a NUL", { _ = try $0.find(where: ["name\0": "x"]) },
      SQLiteError(.misuse, #"labels has no column "name\0" (columns: code, name, size)"#)
    ),
    ("a column twice", { _ = try $0.find(where: ["size": 1, "name": "x", "size": 1]) }, twice),
    (
      "a column twice, row by row", { try $0.forEach(where: ["size": 1, "size": 2]) { _ in } },
      twice
    ),
    (
      "a column twice in a sequence",
      { _ = try $0.find(where: [(key: "size", value: 1), (key: "size", value: .null)]) }, twice
    ),
    ("a value without a form", { _ = try $0.find(where: ["size": UInt64.max]) }, beyond),
    ("one of many rows", { try $0.forEach(where: ["size": UInt64.max]) { _ in } }, beyond),
  ]

  @Test(arguments: wrong) func `a column must be in the table and have one value`(
    name: String, search: @Sendable (LabelHelper) throws -> Void, cause: SQLiteError
  ) throws {
    let labels = try makeLabels()
    #expect(try helperFailure { try search(labels) } == .search(cause))
    #expect(try labels.findAll().count == 4)
  }

  @Test func `rows are passed one at a time, and an error ends the search`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    try boxes.insert(all: (0..<1000).lazy.map { Box(id: $0, name: "box \($0 % 2)") })
    var seen: [Int?] = []
    #expect(throws: Stop.self) {
      try boxes.forEach { box in
        seen.append(box.id)
        if seen.count == 3 { throw Stop() }
      }
    }
    #expect(seen == [0, 1, 2])
    seen = []
    try boxes.forEach(where: ["name": "box 1"]) { seen.append($0.id) }
    #expect(seen == (0..<500).map { 2 * $0 + 1 })
    try boxes.forEach(where: ["id": 7]) { #expect($0 == Box(id: 7, name: "box 1")) }
    try boxes.forEach(where: ["id": nil]) { _ in Issue.record("no row is without a key") }
    // No statement is left under way.
    try boxes.store.close()
  }

  @Test func `DAL-2 DAL-3 a closure that reads one at a time may use the helpers`() throws {
    let store = DataStore(try Connection.inMemory())
    let (boxes, labels) = (BoxHelper(store: store), LabelHelper(store: store))
    try store.createTables([boxes, labels])
    try boxes.insert(all: (1...3).map { Box(id: $0, name: "x") })
    try boxes.forEach { box in
      try labels.insert(Label(code: "\(box.id ?? 0)", name: try #require(boxes.find(2)?.name)))
      try boxes.upsert(Box(id: box.id, name: "seen"))
      try boxes.forEach(where: ["id": box.id]) { #expect($0.name == "seen") }
      #expect(try helperFailure { try labels.insert(Label(code: "1", name: "")) }.cause != nil)
    }
    #expect(try boxes.findAll().map(\.name) == ["seen", "seen", "seen"])
    #expect(try labels.findAll().map(\.code) == ["1", "2", "3"])
  }

  @Test func `DAL-35 DAL-37 lookups by key see each change, of the row and of the table`() throws {
    let labels = try makeLabels()
    let connection = try #require(labels.store.connection)
    #expect(try labels.find("a") == Label(code: "a", name: "x", size: 1))
    try connection.execute("UPDATE labels SET name = 'new' WHERE code = 'a'")
    #expect(try labels.find("a") == Label(code: "a", name: "new", size: 1))
    #expect(try labels.find("absent") == nil)
    #expect(try labels.find(nil as String?) == nil)
    try connection.execute("ALTER TABLE labels ADD COLUMN color INTEGER")
    let unknown = "column color of the result is not in the description of labels"
    #expect(try helperFailure { _ = try labels.find("a") }.cause?.message == unknown)
    try connection.execute("ALTER TABLE labels DROP COLUMN color")
    #expect(try labels.find("b") == Label(code: "b", name: "y"))
    try labels.store.close()
    #expect(try helperFailure { _ = try labels.find("a") }.cause?.code == .misuse)
  }

  /// A label whose size is that of the label with its name as the code.
  private struct ReferringHelper: DataHelper {
    /// One test alone uses it.
    nonisolated(unsafe) static var all: DataStore?
    static let table = LabelHelper.table
    let store: DataStore

    static func values(of label: Label) -> [(any SQLiteValueConvertible)?] {
      LabelHelper.values(of: label)
    }

    static func model(from row: TableRow) throws(SQLiteError) -> Label {
      var label = try LabelHelper.model(from: row)
      guard let name = label.name, let all = unsafe all else { return label }
      label.size = (try? Self(store: all).find(name))?.size ?? label.size
      return label
    }
  }

  @Test func `a lookup within a lookup of the same helper finds its own row`() throws {
    let labels = try makeLabels()
    try labels.insert(all: [
      Label(code: "e", name: "f", size: 5), Label(code: "f", name: "g", size: 6),
      Label(code: "g", name: "none", size: 7),
    ])
    unsafe ReferringHelper.all = labels.store
    defer { unsafe ReferringHelper.all = nil }
    let helper = ReferringHelper(store: labels.store)
    for _ in 0..<2 { #expect(try helper.find("e") == Label(code: "e", name: "f", size: 7)) }
    try labels.store.close()
  }

  @Test func `in the closure the store cannot be closed, and later it can`() throws {
    let labels = try makeLabels()
    var codes: [String?] = []
    try labels.forEach { label in
      try expectFailure(.busy) { try labels.store.close() }
      codes.append(label.code)
    }
    #expect(codes == ["a", "b", "c", "d"])
    try labels.store.close()
  }

  @Test func `a row that is not the model's is a search error`() throws {
    let labels = try makeLabels()
    try labels.store.connection?.execute(
      script: "ALTER TABLE labels RENAME TO old; CREATE TABLE labels (code, name, size)")
    try labels.store.connection?.execute("INSERT INTO labels VALUES ('a', 'x', 1), ('b', x'00', 2)")
    var seen: [String?] = []
    let error = try helperFailure { try labels.forEach { seen.append($0.code) } }
    #expect(seen == ["a"])
    #expect(error.cause?.message == "row 1, column name: expected text, found a blob")
    #expect(try helperFailure { _ = try labels.findAll() } == error)
    #expect(try labels.find("a")?.size == 1)
  }

  @Test func `a model that cannot be created is a search error`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    try boxes.insert(Box(id: 1))
    let short = ShortBoxHelper(store: boxes.store)
    let cause = SQLiteError(.range, "no column label in the description")
    let calls: [() throws -> Void] = [
      { _ = try short.find(1) }, { _ = try short.findAll() }, { try short.forEach { _ in } },
    ]
    for call in calls { #expect(try helperFailure(call) == .search(cause)) }
    let count = SQLiteError(
      .range, "expected 2 values for boxes (columns: id, name), but the model has 1")
    #expect(try helperFailure { _ = try short.find(like: Box(id: 1)) } == .search(count))
    #expect(try helperFailure { try short.insert(Box(id: 1)) } == .insert(count))
    #expect(try helperFailure { try short.insert(all: [Box(id: 1)]) } == .insert(count))
    #expect(try helperFailure { try short.delete(Box(id: 1)) } == .delete(count))
  }

  @Test func `DAL-29 DAL-33 a missing table is an error of each call`() throws {
    let labels = try makeLabels()
    try labels.store.connection?.execute("DROP TABLE labels")
    let calls: [(String, () throws -> Void)] = [
      ("cannot read", { try labels.forEach { _ in Issue.record("there is no row") } }),
      ("cannot insert or update", { try labels.insert(Label(code: "e", name: "x")) }),
      ("cannot delete", { try labels.delete(Label(code: "a")) }),
    ]
    for (kind, call) in calls {
      let error = try helperFailure(call)
      #expect(error.kind == kind && error.cause?.message == "no such table: labels")
    }
  }

  @Test func `a table that changes under the reader ends the reading`() throws {
    let labels = try makeLabels()
    try expectFailure(.locked) {
      try labels.forEach { _ in try labels.store.connection?.execute("DROP TABLE labels") }
    }
    #expect(try labels.findAll().count == 4)
  }
}
