import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// A row whose key is a text.
struct Label: Equatable {
  var code: String?
  var name: String?
  var size: Int?
}

struct LabelHelper: DataHelper {
  static let table = TableDescription(
    "labels",
    columns: [
      ColumnDescription("code", .text), ColumnDescription("name", .text),
      ColumnDescription("size", .integer, isNullable: true, domain: .atLeast(0)),
    ],
    primaryKey: ["code"])
  let store: DataStore

  static func values(of label: Label) -> [(any SQLiteValueConvertible)?] {
    [label.code, label.name, label.size]
  }

  static func model(from row: TableRow) throws(SQLiteError) -> Label {
    Label(code: try row.value("code"), name: try row.value("name"), size: try row.value("size"))
  }
}

/// A row whose key is two columns, and not in their order.
struct Seat: Equatable {
  var number: Int?
  var row: String?
  var guest: String?
}

/// The columns and the conversions of all tables of seats.
protocol SeatTable: DataHelper<Seat> {}

extension SeatTable {
  static var columns: [ColumnDescription] {
    [
      ColumnDescription("number", .integer), ColumnDescription("row", .text),
      ColumnDescription("guest", .text, isNullable: true),
    ]
  }

  static func values(of seat: Seat) -> [(any SQLiteValueConvertible)?] {
    [seat.number, seat.row, seat.guest]
  }

  static func model(from row: TableRow) throws(SQLiteError) -> Seat {
    Seat(number: try row.value("number"), row: try row.value("row"), guest: try row.value("guest"))
  }
}

struct SeatHelper: SeatTable {
  static let table = TableDescription("seats", columns: columns, primaryKey: ["row", "number"])
  let store: DataStore
}

/// The same beside a rowid.
struct RowidSeatHelper: SeatTable {
  static let table = TableDescription(
    "seats", columns: columns, primaryKey: ["row", "number"], isWithoutRowid: false)
  let store: DataStore
}

/// The same without any key.
struct KeylessSeatHelper: SeatTable {
  static let table = TableDescription("seats", columns: columns, primaryKey: [])
  let store: DataStore
}

/// One that claims that SQLite chooses a key of two columns.
struct ChoosingSeatHelper: SeatTable {
  static let table = SeatHelper.table
  static let choosesKeys = true
  let store: DataStore
}

/// A row whose key is an integer.
struct Box: Equatable {
  var id: Int?
  var name: String?
}

protocol BoxTable: DataHelper<Box> {}

extension BoxTable {
  static func values(of box: Box) -> [(any SQLiteValueConvertible)?] { [box.id, box.name] }

  static func model(from row: TableRow) throws(SQLiteError) -> Box {
    Box(id: try row.value("id"), name: try row.value("name"))
  }
}

extension TableDescription {
  static func boxes(isWithoutRowid: Bool) -> TableDescription {
    TableDescription(
      "boxes",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("name", .text, isNullable: true),
      ], primaryKey: ["id"], isWithoutRowid: isWithoutRowid)
  }
}

/// SQLite chooses the key.
struct ChosenBoxHelper: BoxTable {
  static let table = TableDescription.boxes(isWithoutRowid: false)
  let store: DataStore
}

/// The models bring their keys along.
struct BoxHelper: BoxTable {
  static let table = TableDescription.boxes(isWithoutRowid: false)
  static let choosesKeys = false
  let store: DataStore
}

/// An integer key that is not the rowid.
struct RowidlessBoxHelper: BoxTable {
  static let table = TableDescription.boxes(isWithoutRowid: true)
  let store: DataStore
}

/// One whose models have a value too few.
struct ShortBoxHelper: DataHelper {
  static let table = TableDescription.boxes(isWithoutRowid: false)
  let store: DataStore

  static func values(of box: Box) -> [(any SQLiteValueConvertible)?] { [box.id] }

  static func model(from row: TableRow) throws(SQLiteError) -> Box {
    Box(id: try row.value("id"), name: try row.value("label"))
  }
}

extension DataHelper {
  /// A helper of a table that was made just now.
  static func make(_ new: (DataStore) -> Self) throws -> Self {
    let helper = new(DataStore(try Connection.inMemory()))
    try helper.createTable()
    return helper
  }
}

/// Runs a call that must fail, and returns the helper's error.
func helperFailure(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> DataAccessError {
  try #require(throws: DataAccessError.self, sourceLocation: sourceLocation, performing: body)
}

extension DataAccessError {
  /// The cause, if it is SQLite's or this library's.
  var cause: SQLiteError? {
    switch self {
    case .datastoreConnection(let cause), .insert(let cause), .delete(let cause),
      .search(let cause):
      cause
    case .nilInData: nil
    }
  }

  /// The kind of the error, without its cause.
  var kind: String { String("\(self)".prefix { $0 != ":" }) }
}
