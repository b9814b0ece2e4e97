import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// Rows that helpers insert together, and stores that cannot be used.
struct DataHelperChangeTests {
  @Test func `rows inserted together are counted`() throws {
    let labels = try LabelHelper.make(LabelHelper.init)
    #expect(try labels.insert(all: []) == 0)
    #expect(try labels.insert(all: [Label(code: "a", name: "x")]) == 1)
    let lazy = ["b", "c", "d"].lazy.map { Label(code: $0, name: $0.uppercased()) }
    #expect(try labels.insert(all: lazy) == 3)
    let unfolded = sequence(first: 1) { $0 < 5 ? $0 + 1 : nil }
    #expect(try labels.insert(all: unfolded.lazy.map { Label(code: "\($0)", name: "") }) == 5)
    #expect(try labels.findAll().map(\.code) == ["1", "2", "3", "4", "5", "a", "b", "c", "d"])
  }

  /// Rows of which one cannot be inserted, and the kind and words of the error.
  static let refused: [(Label, String, String?)] = [
    (
      Label(code: "a", name: "again"), "cannot insert or update",
      "UNIQUE constraint failed: labels.code"
    ),
    (
      Label(code: "z", name: "x", size: -1), "cannot insert or update",
      "CHECK constraint failed: size"
    ),
    (Label(code: "z"), "no value for the required column name", nil),
    (Label(name: "x"), "no value for the required column code", nil),
  ]

  @Test(arguments: refused, [0, 1, 2])
  func `DAL-26 DAL-30 all rows are inserted or none`(refused: (Label, String, String?), place: Int)
    throws
  {
    let labels = try LabelHelper.make(LabelHelper.init)
    try labels.insert(Label(code: "a", name: "there"))
    let (wrong, kind, message) = refused
    var rows = [Label(code: "b", name: "x"), Label(code: "c", name: "x")]
    rows.insert(wrong, at: place)
    let error = try helperFailure { try labels.insert(all: rows) }
    #expect(error.kind == kind && error.cause?.message == message)
    #expect(try labels.findAll() == [Label(code: "a", name: "there")])
    #expect(try labels.insert(all: [Label(code: "b", name: "x")]) == 1)
  }

  @Test func `models are created as they are inserted, and may use the helper`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    var counts: [Int] = []
    let models = (0..<3).lazy.map { number -> Box in
      counts.append((try? boxes.findAll().count) ?? -1)
      return Box(name: "box \(number)")
    }
    #expect(try boxes.insert(all: models) == 3)
    #expect(counts == [0, 1, 2])
    #expect(try boxes.findAll().map(\.id) == [1, 2, 3])
  }

  @Test func `a row inserted by a sequence is undone with the others`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    let models = (0..<3).lazy.map { number -> Box in
      _ = try? boxes.insert(Box(id: 100 + number))
      return Box(id: number == 2 ? 0 : number)
    }
    #expect(try helperFailure { try boxes.insert(all: models) }.kind == "cannot insert or update")
    #expect(try boxes.findAll() == [])
  }

  @Test func `a connection that a sequence closes is an error`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    let models = (0..<3).lazy.map { number -> Box in
      if number == 1 { try? boxes.store.close() }
      return Box(id: number)
    }
    let error = try helperFailure { try boxes.insert(all: models) }
    #expect(error == .datastoreConnection(SQLiteError(.misuse, "the connection is closed")))
  }

  @Test func `in a transaction the rows are a part of that`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    let connection = try #require(boxes.store.connection)
    #expect(throws: CancellationError.self) {
      try connection.transaction {
        try boxes.insert(all: [Box(id: 1), Box(id: 2)])
        throw CancellationError()
      }
    }
    #expect(try boxes.findAll() == [])
    try connection.transaction {
      try boxes.insert(Box(id: 1))
      _ = try helperFailure { try boxes.insert(all: [Box(id: 2), Box(id: 1)]) }
      try boxes.upsert(Box(id: 3))
    }
    #expect(try boxes.findAll().map(\.id) == [1, 3])
  }

  @Test func `an upsert that is refused changes nothing`() throws {
    let labels = try LabelHelper.make(LabelHelper.init)
    try labels.insert(Label(code: "a", name: "x", size: 1))
    let error = try helperFailure { try labels.upsert(Label(code: "a", name: "y", size: -1)) }
    #expect(
      error.kind == "cannot insert or update" && error.cause?.extendedCode == .constraintCheck)
    #expect(try helperFailure { try labels.upsert(Label(code: "a")) } == .nilInData(column: "name"))
    #expect(try labels.findAll() == [Label(code: "a", name: "x", size: 1)])
  }

  @Test func `one insert and one upsert are compiled for all rows`() throws {
    let labels = try LabelHelper.make(LabelHelper.init)
    var prepared: [String] = []
    labels.store.connection?.traceHandler = { event in
      if case .prepared(let sql) = event, sql.hasPrefix("INSERT") { prepared.append(sql) }
    }
    for round in 0..<3 {
      try labels.insert(all: (0..<10).map { Label(code: "\(round) \($0)", name: "x") })
      for number in 0..<10 { try labels.upsert(Label(code: "\(round) \(number)", name: "y")) }
    }
    #expect(prepared.count == 2)
    #expect(Set(try labels.findAll().map(\.name)) == ["y"])
  }

  /// Every call of a helper.
  static let calls: [(String, @Sendable (LabelHelper) throws -> Void)] = [
    ("createTable", { try $0.createTable() }),
    ("createTables", { try $0.store.createTables([$0]) }),
    ("insert", { _ = try $0.insert(Label(code: "a", name: "x")) }),
    ("insert all", { _ = try $0.insert(all: [Label(code: "a", name: "x")]) }),
    ("insert none", { _ = try $0.insert(all: []) }),
    ("upsert", { try $0.upsert(Label(code: "a", name: "x")) }),
    ("delete", { try $0.delete(Label(code: "a")) }), ("find", { _ = try $0.find("a") }),
    ("findAll", { _ = try $0.findAll() }),
    ("find where", { _ = try $0.find(where: ["code": "a"]) }),
    (
      "find where, values",
      { _ = try $0.find(where: ["code": .text("a")] as [String: SQLiteValue]) }
    ),
    ("find like", { _ = try $0.find(like: Label()) }),
    ("forEach", { try $0.forEach { _ in Issue.record("there is no row") } }),
  ]

  @Test(arguments: calls) func `DAL-4 DAL-11 an unusable store reports that in every call`(
    name: String, call: @Sendable (LabelHelper) throws -> Void
  ) throws {
    let lost = LabelHelper(store: DataStore("/nowhere/a.sqlite", opening: .openOrCreate))
    #expect(lost.store.connection == nil)
    let error = try helperFailure { try call(lost) }
    #expect(error.kind == "cannot use the database" && error.cause?.code == .cannotOpen)
    try lost.store.close()
    let closed = try LabelHelper.make(LabelHelper.init)
    try closed.insert(Label(code: "a", name: "x"))
    try closed.store.close()
    #expect(
      try helperFailure { try call(closed) }
        == .datastoreConnection(SQLiteError(.misuse, "the connection is closed")))
  }

  @Test func `an update changes the other values of one row`() throws {
    let labels = try LabelHelper.make(LabelHelper.init)
    try labels.insert(all: [
      Label(code: "a", name: "x", size: 1), Label(code: "b", name: "y", size: 2),
    ])
    try labels.update(Label(code: "a", name: "z", size: nil))
    #expect(
      try labels.findAll() == [Label(code: "a", name: "z"), Label(code: "b", name: "y", size: 2)])
    for (label, message) in [
      (Label(code: "c", name: "x"), "labels has no row with the key of the model"),
      (Label(code: "a", name: "x", size: -1), "CHECK constraint failed: size"),
    ] {
      let error = try helperFailure { try labels.update(label) }
      #expect(error.kind == "cannot insert or update" && error.cause?.message == message)
    }
    #expect(try helperFailure { try labels.update(Label(code: "a")) } == .nilInData(column: "name"))
    #expect(try labels.count() == 2)
    let seats = try SeatHelper.make(SeatHelper.init)
    try seats.insert(all: [Seat(number: 1, row: "A"), Seat(number: 2, row: "A")])
    try seats.update(Seat(number: 2, row: "A", guest: "Ada"))
    #expect(try seats.findAll().map(\.guest) == [nil, "Ada"])
  }

  @Test func `an update needs a key`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    try boxes.insert(Box(name: "x"))
    for id in [0, nil] {
      let error = try helperFailure { try boxes.update(Box(id: id, name: "y")) }
      #expect(error.cause?.message == "the model has no key, but an update needs one")
      #expect(try boxes.find(like: Box(id: id, name: "x")) == [Box(id: 1, name: "x")])
    }
    // A model without a key is in no row; 0 may be the key of one that SQL has inserted.
    try boxes.delete(Box(id: nil, name: "x"))
    #expect(try helperFailure { try boxes.delete(Box(id: 0)) }.kind == "cannot delete")
    #expect(try boxes.findAll() == [Box(id: 1, name: "x")])
    let seats = try KeylessSeatHelper.make(KeylessSeatHelper.init)
    let error = try helperFailure { try seats.update(Seat(number: 1, row: "A")) }
    #expect(error.cause?.code == .misuse)
  }

  @Test func `a save inserts or updates`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    #expect(try boxes.save(Box(id: nil, name: "a")) == 1)
    #expect(try boxes.save(Box(id: 0, name: "b")) == 2)
    #expect(try boxes.save(Box(id: 1, name: "c")) == 1)
    #expect(try boxes.save(Box(id: 7, name: nil)) == 7)
    let all = [Box(id: 1, name: "c"), Box(id: 2, name: "b"), Box(id: 7, name: nil)]
    #expect(try boxes.findAll() == all)
    let zero = try BoxHelper.make(BoxHelper.init)
    #expect(try zero.save(Box(id: 0, name: "a")) == 0)
    #expect(try zero.save(Box(id: 0, name: "b")) == 0)
    #expect(try zero.findAll() == [Box(id: 0, name: "b")])
    let labels = try LabelHelper.make(LabelHelper.init)
    #expect(try labels.save(Label(code: "a", name: "x")) == 0)
    #expect(try labels.save(Label(code: "a", name: "y")) == 0)
    #expect(try labels.findAll() == [Label(code: "a", name: "y")])
    #expect(try helperFailure { try labels.save(Label(name: "y")) } == .nilInData(column: "code"))
  }

  @Test func `rows are counted, all or those that match`() throws {
    let labels = try LabelHelper.make(LabelHelper.init)
    #expect(try labels.count() == 0)
    try labels.insert(all: [Label(code: "a", name: "x", size: 1), Label(code: "b", name: "x")])
    #expect(try labels.count() == 2)
    #expect(try labels.count(where: ["name": "x"]) == 2)
    #expect(try labels.count(where: ["name": "x", "size": nil]) == 1)
    #expect(try labels.count(where: ["code": "A"]) == 0)
    #expect(try helperFailure { _ = try labels.count(where: ["other": 1]) }.kind == "cannot read")
  }
}
