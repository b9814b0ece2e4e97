public import SQLiteSwiftly

/// The connection shared by the helpers of a database's tables, with their prepared inserts.
///
/// Opening a store never throws: if its database cannot be opened, every call of a helper throws
/// the error. Like its connection it must be used by one thread at a time.
///
/// ```swift
/// let store = DataStore(path)
/// let teams = TeamHelper(store: store)
/// try store.createTables([teams])
/// ```
public final class DataStore {
  private let opened: Result<Connection, SQLiteError>
  /// The prepared inserts.
  private var inserts: [Kind: Insert] = [:]
  /// The rules for the rows of each helper.
  private var rules: [ObjectIdentifier: RowRules] = [:]

  /// The identity of an insert.
  private struct Kind: Hashable {
    let helper: ObjectIdentifier
    let resolution: ConflictResolution
  }

  /// A prepared insert, kept for the next row.
  private final class Insert {
    var statement: InsertStatement

    init(
      into table: TableDescription, onConflict resolution: ConflictResolution,
      on connection: Connection
    ) throws(SQLiteError) {
      statement = try connection.prepareInsertIntoTable(
        describedBy: table, onConflict: resolution)
    }
  }

  /// Opens the database at `path`.
  ///
  /// ```swift
  /// let store = DataStore(path, opening: .readOnly)
  /// let teams = try TeamHelper(store: store).findAll()
  /// ```
  public init(_ path: String, opening: Connection.Opening = .openOrCreate) {
    opened = Result { () throws(SQLiteError) in try Connection(path, opening: opening) }
  }

  /// Creates a store with an open connection.
  ///
  /// ```swift
  /// let store = DataStore(try Connection.inMemory())
  /// ```
  public init(_ connection: Connection) { opened = .success(connection) }

  /// The connection, or nil if the database could not be opened; the helpers' calls then throw the
  /// error.
  ///
  /// ```swift
  /// try store.connection?.set(.foreignKeys, to: true)
  /// ```
  public var connection: Connection? { try? opened.get() }

  /// Creates the tables of helpers, all or none; existing ones are unchanged.
  ///
  /// ```swift
  /// try store.createTables([TeamHelper(store: store)])
  /// ```
  ///
  /// - Throws: `DataAccessError.datastoreConnection` for all errors.
  public func createTables(_ helpers: [any DataHelper]) throws(DataAccessError) {
    let connection = try usableConnection()
    do throws(SQLiteError) {
      try connection.transaction { () throws(SQLiteError) in
        for helper in helpers { try connection.createTableIfMissing(type(of: helper).table) }
      }
    } catch {
      throw .datastoreConnection(error)
    }
  }

  /// Releases the prepared inserts and closes the connection.
  ///
  /// ```swift
  /// try store.close()
  /// try FileManager.default.removeItem(atPath: path)
  /// ```
  ///
  /// - Throws: `SQLiteError` with `busy` while the connection has other statements.
  public func close() throws(SQLiteError) {
    inserts = [:]
    try connection?.close()
  }

  /// The connection, or the error of opening it.
  func usableConnection() throws(DataAccessError) -> Connection {
    do throws(SQLiteError) {
      let connection = try opened.get()
      _ = try unsafe connection.openHandle()
      return connection
    } catch {
      throw .datastoreConnection(error)
    }
  }

  /// The rules for the rows of a helper.
  func rules<Helper: DataHelper>(of helper: Helper.Type) -> RowRules {
    if let rules = rules[ObjectIdentifier(helper)] { return rules }
    let rules = RowRules(helper.table, choosesKeys: helper.choosesKeys)
    self.rules[ObjectIdentifier(helper)] = rules
    return rules
  }

  /// Inserts a row with the statement of a helper, which is compiled for its first row.
  func insert<Helper: DataHelper>(
    _ values: [SQLiteValue], for helper: Helper.Type, onConflict resolution: ConflictResolution,
    on connection: Connection
  ) throws(SQLiteError) {
    let kind = Kind(helper: ObjectIdentifier(helper), resolution: resolution)
    if let insert = inserts[kind] { return try insert.statement.insert(values) }
    let insert = try Insert(into: helper.table, onConflict: resolution, on: connection)
    inserts[kind] = insert
    try insert.statement.insert(values)
  }
}

extension Connection {
  /// Creates a table unless one with its name exists.
  func createTableIfMissing(_ table: TableDescription) throws(SQLiteError) {
    let found = try value(
      of: """
        SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(table.name) COLLATE NOCASE
        """)
    if found == nil { try createTable(describedBy: table) }
  }
}
