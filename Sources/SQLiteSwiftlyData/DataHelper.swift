public import SQLiteSwiftly

/// The helper of one table: creates the table, and inserts, deletes and finds its rows as models.
///
/// A helper defines its table, and the conversions between models and rows; extensions provide the rest.
///
///     struct TeamHelper: DataHelper {
///       static let table = TableDescription(
///         "teams", columns: [ColumnDescription("id", .integer), ColumnDescription("city", .text)],
///         primaryKey: ["id"])
///       let store: DataStore
///
///       static func values(of team: Team) -> [(any SQLiteValueConvertible)?] { [team.id, team.city] }
///
///       static func model(from row: TableRow) throws(SQLiteError) -> Team {
///         Team(id: try row.value("id"), city: try row.value("city"))
///       }
///     }
public protocol DataHelper<Model> {
  /// A value type with a property, usually optional, for each column.
  associatedtype Model

  /// The table.
  static var table: TableDescription { get }

  /// Whether SQLite chooses the key of a new row if the model's key is nil or 0; by default if the
  /// primary key is one integer. An explicit key is kept, and must be greater than 0. A helper
  /// whose models always have keys returns false; 0 is an ordinary key then.
  static var choosesKeys: Bool { get }

  /// The store with the connection.
  var store: DataStore { get }

  /// The values of a model, in the order of the table's columns; nil for missing values. By default
  /// those that an `Encodable` model encodes by column name.
  static func values(of model: Model) -> [(any SQLiteValueConvertible)?]

  /// Creates a model from a row; by default a `Decodable` model decodes itself by column name.
  static func model(from row: TableRow) throws(SQLiteError) -> Model
}

extension DataHelper {
  /// Whether the primary key is one integer.
  public static var choosesKeys: Bool { table.keyIsRowid }

  /// Creates the table; an existing one is unchanged.
  public func createTable() throws(DataAccessError) { try store.createTables([self]) }

  /// The model's values as SQLite stores them; their number must be `columnCount`.
  static func row(
    of model: Model, columnCount: Int = table.columns.count
  ) throws(SQLiteError) -> [SQLiteValue] {
    let values = values(of: model)
    guard values.count == columnCount else {
      throw SQLiteError(
        .range,
        "expected \(counted(columnCount, "value")) for \(table.name) \(table.columnList), but the "
          + "model has \(values.count)")
    }
    var row: [SQLiteValue] = []
    row.reserveCapacity(values.count)
    for (column, value) in values.enumerated() {
      do throws(SQLiteError) { row.append(try value?.sqliteValue ?? .null) } catch {
        // The error of a whole model names its own place.
        throw value is InvalidValue ? error : error.prefixed(by: table.location(ofColumn: column))
      }
    }
    return row
  }

  /// At least one column is required.
  static func keyPlaces() throws(SQLiteError) -> [Int] {
    let places = table.primaryKey.compactMap { table.columnIndex($0) }
    guard !places.isEmpty, places.count == table.primaryKey.count else {
      throw SQLiteError(.misuse, "\(table.name) has no primary key to find or delete rows by")
    }
    return places
  }
}

extension DataHelper where Model: Encodable {
  /// The values that a model encodes by the names of the columns; nil for those that it does not encode.
  ///
  /// If the model cannot be encoded, as when a property has no column, every use of the values throws that error.
  ///
  /// - Complexity: O(*n*) in the number of columns.
  public static func values(of model: Model) -> [(any SQLiteValueConvertible)?] {
    do throws(SQLiteError) {
      return try RecordEncoder(table).encode(model)
    } catch {
      return table.columns.map { _ in InvalidValue(error: error) }
    }
  }
}

extension DataHelper where Model: Decodable {
  /// The model that decodes itself from the columns of a row, by name.
  public static func model(from row: TableRow) throws(SQLiteError) -> Model {
    try row.record(as: Model.self)
  }
}

/// The value of a model that cannot be encoded.
struct InvalidValue: SQLiteValueConvertible {
  let error: SQLiteError

  var sqliteValue: SQLiteValue { get throws(SQLiteError) { throw error } }
}

/// An error of a table's helper, with its cause.
///
/// ```swift
/// do throws(DataAccessError) {
///   try teams.insert(Team(city: nil))
/// } catch {
///   guard case .nilInData(let column) = error else { throw error }
///   missing = column
/// }
/// ```
public enum DataAccessError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store has no usable connection, or its tables cannot be created.
  case datastoreConnection(SQLiteError)
  /// A row cannot be inserted or updated.
  case insert(SQLiteError)
  /// A row cannot be deleted, or does not exist.
  case delete(SQLiteError)
  /// Rows cannot be read.
  case search(SQLiteError)
  /// A model has no value for a required column.
  case nilInData(column: String)

  /// The failed operation and its cause.
  public var description: String {
    switch self {
    case .datastoreConnection(let cause): "cannot use the database: \(cause)"
    case .insert(let cause): "cannot insert or update: \(cause)"
    case .delete(let cause): "cannot delete: \(cause)"
    case .search(let cause): "cannot read: \(cause)"
    case .nilInData(let column): "no value for the required column \(column)"
    }
  }
}
