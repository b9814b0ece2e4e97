import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// Helpers of tables with keys of all kinds.
struct DataHelperKeyTests {
  @Test func `a key may be a text`() throws {
    let labels = try LabelHelper.make(LabelHelper.init)
    #expect(try labels.insert(Label(code: "a", name: "A", size: 1)) == 0)
    #expect(try labels.insert(Label(code: "", name: "none")) == 0)
    #expect(try labels.insert(Label(code: "e\u{301}", name: "two scalars")) == 0)
    #expect(try labels.find("a") == Label(code: "a", name: "A", size: 1))
    #expect(try labels.find("")?.name == "none")
    #expect(try labels.find("\u{E9}") == nil)
    #expect(try labels.find("A") == nil)
    try labels.upsert(Label(code: "a", name: "B"))
    try labels.upsert(Label(code: "new", name: "N"))
    #expect(try labels.find("a") == Label(code: "a", name: "B", size: nil))
    try labels.delete(Label(code: "a"))
    #expect(try labels.findAll().map(\.code) == ["", "e\u{301}", "new"])
  }

  @Test func `DAL-34 a key may be several columns, in the order of the key`() throws {
    let seats = try SeatHelper.make(SeatHelper.init)
    for (row, number) in [("B", 1), ("A", 2), ("A", 1)] {
      #expect(try seats.insert(Seat(number: number, row: row, guest: "\(row)\(number)")) == 0)
    }
    #expect(try seats.find("A", 2)?.guest == "A2")
    #expect(try seats.find("A", 3) == nil)
    #expect(try seats.find(2, "A") == nil)
    #expect(try seats.findAll().map(\.guest) == ["A1", "A2", "B1"])
    try seats.upsert(Seat(number: 2, row: "A", guest: nil))
    #expect(try seats.find("A", 2) == Seat(number: 2, row: "A", guest: nil))
    try seats.delete(Seat(number: 1, row: "A", guest: "anybody"))
    #expect(try seats.findAll().map(\.number) == [2, 1])
  }

  @Test func `a key beside the rowid is found, and an insert returns the rowid`() throws {
    let seats = try RowidSeatHelper.make(RowidSeatHelper.init)
    #expect(try seats.insert(Seat(number: 7, row: "A")) == 1)
    #expect(try seats.insert(Seat(number: 8, row: "A")) == 2)
    try seats.upsert(Seat(number: 7, row: "A", guest: "x"))
    #expect(try seats.find("A", 7)?.guest == "x")
    #expect(try seats.insert(Seat(number: 9, row: "A")) == 3)
  }

  /// Values for a key, and the message about their number.
  static let wrongKeys: [(String, @Sendable (SeatHelper) throws -> Seat?)] = [
    ("0", { try $0.find() }), ("1", { try $0.find("A") }),
    ("3", { try $0.find("A", 1, nil as String?) }),
  ]

  @Test(arguments: wrongKeys) func `a key has as many values as columns`(
    given: String, find: @Sendable (SeatHelper) throws -> Seat?
  ) throws {
    let seats = try SeatHelper.make(SeatHelper.init)
    try seats.insert(Seat(number: 1, row: "A"))
    let cause = SQLiteError(
      .range, "expected 2 values for the primary key of seats, found \(given)")
    #expect(try helperFailure { _ = try find(seats) } == .search(cause))
  }

  @Test func `a value of the key that has no form is an error`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    let error = try helperFailure { _ = try boxes.find(UInt64.max) }
    #expect(error.kind == "cannot read" && error.cause?.code == .range)
  }

  @Test func `a key that is NULL is in no row`() throws {
    let seats = try SeatHelper.make(SeatHelper.init)
    try seats.insert(Seat(number: 1, row: "A"))
    #expect(try seats.find("A", nil as Int?) == nil)
    #expect(try seats.find(SQLiteValue.null, SQLiteValue.null) == nil)
  }

  @Test func `rows of a table without a key cannot be found or deleted by key`() throws {
    let seats = try KeylessSeatHelper.make(KeylessSeatHelper.init)
    #expect(try seats.insert(Seat(number: 1, row: "A")) == 1)
    #expect(try seats.insert(Seat(number: 1, row: "A")) == 2)
    let none = SQLiteError(.misuse, "seats has no primary key to find or delete rows by")
    #expect(try helperFailure { _ = try seats.find() } == .search(none))
    #expect(try helperFailure { _ = try seats.find(1) } == .search(none))
    #expect(try helperFailure { try seats.delete(Seat(number: 1)) } == .delete(none))
    let upsert = try helperFailure { try seats.upsert(Seat(number: 1, row: "A")) }
    #expect(upsert.kind == "cannot insert or update" && upsert.cause?.code == .misuse)
    #expect(try seats.findAll().count == 2)
  }

  @Test(arguments: [0, -1, 1, Int.min, .max])
  func `DAL-36 models with keys keep them`(id: Int) throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    #expect(try boxes.insert(Box(id: id, name: "x")) == Int64(id))
    #expect(try boxes.find(id) == Box(id: id, name: "x"))
    #expect(try helperFailure { try boxes.insert(Box(id: id)) }.kind == "cannot insert or update")
    try boxes.upsert(Box(id: id, name: "y"))
    #expect(try boxes.findAll() == [Box(id: id, name: "y")])
    try boxes.delete(Box(id: id))
    #expect(try boxes.findAll() == [])
  }

  @Test func `models with keys need one`() throws {
    let boxes = try BoxHelper.make(BoxHelper.init)
    #expect(try helperFailure { try boxes.insert(Box(name: "x")) } == .nilInData(column: "id"))
    #expect(try helperFailure { try boxes.upsert(Box(name: "x")) } == .nilInData(column: "id"))
    #expect(
      try helperFailure { try boxes.insert(all: [Box(id: 1), Box()]) }
        == .nilInData(column: "id"))
    #expect(try boxes.findAll() == [])
  }

  @Test func `DAL-27 an explicit key is kept, and SQLite chooses a missing one`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    #expect(ChosenBoxHelper.choosesKeys && !BoxHelper.choosesKeys)
    #expect(try boxes.insert(Box(name: "nil")) == 1)
    #expect(try boxes.insert(Box(id: 42, name: "given")) == 42)
    #expect(try boxes.insert(Box(id: 0, name: "zero")) == 43)
    #expect(try boxes.insert(Box(id: 7, name: "given")) == 7)
    #expect(try boxes.insert(Box(id: .max, name: "last")) == .max)
    #expect(
      try boxes.insert(all: [Box(id: 50, name: "of many"), Box(id: 0, name: "of many")]) == 2)
    let found = try boxes.findAll()
    #expect(found.compactMap(\.id).dropLast(2) == [1, 7, 42, 43, 50])
    #expect(try boxes.find(42) == Box(id: 42, name: "given"))
    #expect(try boxes.find(0) == nil)
  }

  @Test func `an explicit key that cannot be kept is refused`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    try boxes.insert(Box(id: 42, name: "first"))
    let twice = try helperFailure { try boxes.insert(Box(id: 42, name: "second")) }
    #expect(twice.cause?.extendedCode == .constraintPrimaryKey)
    let notPositive = DataAccessError.insert(
      SQLiteError(.range, "the key of a row of boxes must be greater than 0"))
    for id in [-1, .min] {
      #expect(try helperFailure { try boxes.insert(Box(id: id)) } == notPositive)
      #expect(try helperFailure { try boxes.upsert(Box(id: id)) } == notPositive)
      #expect(try helperFailure { try boxes.insert(all: [Box(), Box(id: id)]) } == notPositive)
    }
    #expect(try boxes.findAll() == [Box(id: 42, name: "first")])
  }

  @Test func `an upsert uses the explicit key`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    try boxes.upsert(Box(id: 42, name: "x"))
    try boxes.upsert(Box(id: 42, name: "y"))
    #expect(try boxes.findAll() == [Box(id: 42, name: "y")])
    let none = SQLiteError(
      .misuse, "the model has no key, but boxes needs one to detect existing rows")
    for id in [nil, 0] {
      #expect(try helperFailure { try boxes.upsert(Box(id: id, name: "z")) } == .insert(none))
    }
    #expect(try boxes.findAll().count == 1)
  }

  @Test func `an integer that is not a rowid is a key of the models`() throws {
    let boxes = try RowidlessBoxHelper.make(RowidlessBoxHelper.init)
    #expect(!RowidlessBoxHelper.choosesKeys)
    #expect(try boxes.insert(Box(id: -3, name: "x")) == -3)
    #expect(try boxes.find(-3)?.name == "x")
    #expect(try helperFailure { try boxes.insert(Box(name: "x")) } == .nilInData(column: "id"))
  }

  @Test func `SQLite cannot choose a key that is not one integer`() throws {
    let seats = try ChoosingSeatHelper.make(ChoosingSeatHelper.init)
    let error = try helperFailure { try seats.insert(Seat(number: 1, row: "A")) }
    #expect(
      error
        == .insert(
          SQLiteError(.misuse, "the key of seats is not one integer; set choosesKeys to false")))
    #expect(try seats.findAll() == [])
  }

  @Test func `two helpers of one table have their own inserts`() throws {
    let store = DataStore(try Connection.inMemory())
    let (chosen, own) = (ChosenBoxHelper(store: store), BoxHelper(store: store))
    try store.createTables([chosen, own])
    #expect(try own.insert(Box(id: 10, name: "own")) == 10)
    #expect(try chosen.insert(Box(name: "chosen")) == 11)
    try own.upsert(Box(id: 11, name: "own"))
    #expect(try own.insert(Box(id: -1)) == -1)
    #expect(try chosen.findAll().map(\.id) == [-1, 10, 11])
    #expect(try chosen.findAll().map(\.name) == [nil, "own", "own"])
  }

  @Test(arguments: [
    Seat(), Seat(number: 1), Seat(row: "A"), Seat(number: 1, guest: "x"), Seat(guest: "x"),
  ])
  func `DAL-31 a model with a part of a key deletes nothing`(seat: Seat) throws {
    let seats = try SeatHelper.make(SeatHelper.init)
    try seats.insert(Seat(number: 1, row: "A", guest: "x"))
    try seats.delete(seat)
    #expect(try seats.findAll().count == 1)
  }
}
