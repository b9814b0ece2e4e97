public import SQLiteSwiftly
import Text

/// The connection shared by the helpers of a database's tables, with their prepared inserts and lookups.
///
/// Opening a store never throws: if its database cannot be opened, every call of a helper throws
/// the error. Like its connection it must be used by one thread at a time.
///
/// ```swift
/// let store = DataStore(path, opening: .openOrCreate)
/// let teams = TeamHelper(store: store)
/// try store.createTables([teams])
/// ```
public final class DataStore {
  private let opened: Result<Connection, SQLiteError>
  private var inserts: [Kind: Kept<InsertStatement>] = [:]
  private var lookups: [ObjectIdentifier: Kept<PreparedStatement>] = [:]
  private var rules: [ObjectIdentifier: RowRules] = [:]

  private struct Kind: Hashable {
    let helper: ObjectIdentifier
    let resolution: ConflictResolution
  }

  private final class Kept<Statement: ~Copyable> {
    var statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }
  }

  /// Opens the database at `path`.
  public init(_ path: String, opening: Connection.Opening) {
    opened = Result { () throws(SQLiteError) in try Connection(path, opening: opening) }
  }

  /// Creates a store with an open connection.
  public init(_ connection: Connection) { opened = .success(connection) }

  /// The connection, or nil if the database could not be opened; the helpers' calls then throw the error.
  public var connection: Connection? { try? opened.get() }

  /// Creates the tables of helpers, all or none; existing ones are unchanged.
  ///
  /// - Throws: `DataAccessError.datastoreConnection` for all errors.
  public func createTables(_ helpers: [any DataHelper]) throws(DataAccessError) {
    let connection = try usableConnection()
    try mapError(as: DataAccessError.datastoreConnection) { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        for helper in helpers { try connection.createTableIfMissing(type(of: helper).table) }
      }
    }
  }

  /// Releases the prepared statements and closes the connection.
  ///
  /// - Throws: `SQLiteError` with `busy` while the connection has other statements.
  public func close() throws(SQLiteError) {
    inserts = [:]
    lookups = [:]
    try connection?.close()
  }

  func usableConnection() throws(DataAccessError) -> Connection {
    try mapError(as: DataAccessError.datastoreConnection) { () throws(SQLiteError) in
      let connection = try opened.get()
      _ = try unsafe connection.openHandle()
      return connection
    }
  }

  func rules<Helper: DataHelper>(of helper: Helper.Type) -> RowRules {
    if let rules = rules[ObjectIdentifier(helper)] { return rules }
    let rules = RowRules(helper.table, choosesKeys: helper.choosesKeys)
    self.rules[ObjectIdentifier(helper)] = rules
    return rules
  }

  func insert<Helper: DataHelper>(
    _ values: [SQLiteValue], for helper: Helper.Type, onConflict resolution: ConflictResolution,
    on connection: Connection
  ) throws(SQLiteError) {
    let kind = Kind(helper: ObjectIdentifier(helper), resolution: resolution)
    if let insert = inserts[kind] { return try insert.statement.insert(values) }
    let insert = Kept(
      try connection.prepareInsertIntoTable(describedBy: helper.table, onConflict: resolution))
    inserts[kind] = insert
    try insert.statement.insert(values)
  }

  /// Finds the row with a value for each column of the primary key.
  func find<Helper: DataHelper>(
    _ key: [SQLiteValue], for helper: Helper.Type, on connection: Connection
  ) throws(SQLiteError) -> Helper.Model? {
    let id = ObjectIdentifier(helper)
    // Another lookup while the model is created needs its own statement.
    let kept = lookups.removeValue(forKey: id)
    let lookup = if let kept { kept } else { Kept(try connection.prepare(helper.lookup())) }
    defer { lookups[id] = lookup }
    var model: Helper.Model?
    try lookup.statement.forEachRow(SQLParameters(key), describedBy: helper.table) {
      row throws(SQLiteError) in
      // A primary key of a table with rowids may have NULLs, and those several times.
      guard model == nil else { return }
      model = try helper.model(from: row)
    }
    return model
  }
}

extension Connection {
  func createTableIfMissing(_ table: TableDescription) throws(SQLiteError) {
    let found = try value(
      of: """
        SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(table.name) COLLATE NOCASE
        """)
    if found == nil { try createTable(describedBy: table) }
  }
}

/// The rules for the rows of a helper's table, computed once.
struct RowRules {
  let columnCount: Int
  /// The column whose values SQLite chooses if a model has none; nil if there is none.
  let chosenColumn: Int?
  let keyColumn: Int?
  let requiredColumns: [Int]
  let hasRowids: Bool

  init(_ table: TableDescription, choosesKeys: Bool) {
    let chosen = choosesKeys ? table.rowidColumn : nil
    columnCount = table.columns.count
    chosenColumn = chosen
    keyColumn = table.primaryKey.count == 1 ? table.columnIndex(table.primaryKey[0]) : nil
    requiredColumns = table.columns.indices.filter {
      table.requires(table.columns[$0]) && $0 != chosen
    }
    hasRowids = !table.isWithoutRowid
  }

  /// The integer key of a row; nil if it has none.
  func key(in row: [SQLiteValue]) -> Int64? { keyColumn.flatMap { row[$0].integerValue } }
}
