/// What can be measured, by the name that the command line knows.
enum Subject: String, CaseIterable {
  case insertIntegers = "insert-integers"
  case insertParts = "insert-parts"
  case readIntegers = "read-integers"
  case readParts = "read-parts"

  /// What the help says of it.
  var summary: String {
    switch self {
    case .insertIntegers: "InsertStatement, rows of 10 integers"
    case .insertParts: "InsertStatement, rows in the shape of inventory_parts"
    case .readIntegers: "a cursor over rows of 10 integers"
    case .readParts: "a cursor over rows in the shape of inventory_parts"
    }
  }

  /// How many rows it has unless the command line says otherwise.
  var usualRows: Int {
    switch self {
    case .insertIntegers, .readIntegers: 50_000
    case .insertParts, .readParts: 500_000
    }
  }

  /// Makes its rows and its sides.
  func comparison(rows: Int, on store: Store) throws -> Comparison {
    switch self {
    case .insertIntegers: compareInsertsOfIntegers(rows: rows, on: store)
    case .insertParts: compareInsertsOfParts(rows: rows, on: store)
    case .readIntegers: try compareReadsOfIntegers(rows: rows, on: store)
    case .readParts: try compareReadsOfParts(rows: rows, on: store)
    }
  }
}
