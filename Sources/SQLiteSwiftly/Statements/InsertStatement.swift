import Text

/// A prepared insert into one table, for any number of rows, one per run.
///
///     var insert = try connection.prepareInsertIntoTable(describedBy: themes)
///     try insert.insert(1, "Technic", .null)
///     try insert.insert(["name": "Arctic", "id": 2, "parent_id": 1])
///
/// Values by position use the column order of the description that the statement was prepared with:
/// equal descriptions may have a different order. Values by name do not depend on it.
public struct InsertStatement: ~Copyable {
  private let table: TableDescription
  private let statement: Statement
  private var names: ColumnNames
  /// Whether each column has a value, and the columns of the values, during an insert by name.
  private var hasValue: [Bool]
  private var columns: [Int] = []
  private var bound = 0
  private var encoder: RecordEncoder?

  init(
    into table: TableDescription, onConflict resolution: ConflictResolution,
    on connection: Connection
  ) throws(SQLiteError) {
    let insertion = try table.insertion(from: nil, onConflict: resolution)
    let statement = try connection.statement(forQuery: insertion.text)
    let names = table.columns.map(\.name)
    self.table = table
    self.statement = statement
    self.names = ColumnNames(names)
    hasValue = [Bool](repeating: false, count: names.count)
  }

  /// Inserts one row.
  ///
  /// - Parameter values: one for each column of the description, in its order; they are copied.
  /// - Throws: `SQLiteError` if their number is wrong, or if SQLite refuses the row. The statement
  ///   can continue with the next row, unless SQLite rolled back the transaction.
  public mutating func insert(_ values: [SQLiteValue]) throws(SQLiteError) {
    guard values.count == table.columns.count else { throw valueCountError(values.count) }
    try statement.run(values)
  }

  /// Inserts one row of values in the order of the description.
  ///
  /// ```swift
  /// for (id, name) in names { try insert.insert(id, name, .null) }
  /// ```
  ///
  /// - Throws: `SQLiteError` as above, and with `range` for a number beyond 64 bits.
  @_disfavoredOverload @inlinable
  public mutating func insert<each Value: SQLiteValueConvertible>(
    _ value: repeat each Value
  ) throws(SQLiteError) {
    // Disfavored, since an array of values would become one blob. Values are bound one by one: an
    // array would add a fifth to the time.
    if isTraced {
      var values: [SQLiteValue] = []
      repeat values.append(try (each value).sqliteValue(at: location(values.count)))
      return try insert(values)
    }
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    try beginRow()
    do throws(SQLiteError) { repeat try bindNext(try (each value).sqliteValue) } catch {
      throw located(error)
    }
    try finishRow()
  }

  /// Inserts one row of values by column name.
  ///
  /// - Parameter row: a value for each column of the description, in any order; names ignore the case of ASCII letters.
  /// - Throws: `SQLiteError` that names a column without a value, with two values, or unknown to
  ///   the description; or the error of SQLite if it refuses the row.
  public mutating func insert(_ row: KeyValuePairs<String, SQLiteValue>) throws(SQLiteError) {
    // A dictionary literal with a duplicate name would end the process.
    try insertNamed(row.count, { row[$0].key }, { row[$0].value })
  }

  /// Inserts one row of any Swift values, by column name or in the order of the description; nil is NULL.
  ///
  /// - Throws: `SQLiteError` as above, and with `range` for a number beyond 64 bits.
  @_disfavoredOverload
  public mutating func insert(_ row: SQLParameters) throws(SQLiteError) {
    switch row.form {
    case .named(let values):
      try insertNamed(values.count, { values[$0].name }, { values[$0].value })
    case .positional(let values): try insert(values)
    // Binding throws the error.
    case .invalid, .conflicting: try statement.bind(row)
    }
  }

  /// Inserts one row as above, for example from a dictionary.
  @_disfavoredOverload
  public mutating func insert(
    _ values: some Sequence<(key: String, value: SQLiteValue)>
  ) throws(SQLiteError) {
    // A dictionary parameter would also be chosen for literals, even if disfavored.
    let values = Array(values)
    try insertNamed(values.count, { values[$0].key }, { values[$0].value })
  }

  /// Inserts one row of a record, with each property in the column of the same name.
  ///
  /// ```swift
  /// for theme in themes { try insert.insert(record: theme) }
  /// ```
  ///
  /// Nil is NULL. So is a key that the record does not encode, if its column is nullable. A property
  /// is stored by its conformance to ``SQLiteValueConvertible``, or else as the one value that it
  /// encodes, such as a raw value. Arrays and nested structures are stored as JSON, which needs
  /// `SQLiteSwiftlyFoundation`.
  ///
  /// - Throws: `SQLiteError` that names a column without a value, or a key without a column; with
  ///   `mismatch` for a value that cannot be encoded; with `range` for a number beyond 64 bits; or
  ///   the error of SQLite if it refuses the row.
  /// - Complexity: O(*n*) in the number of columns.
  public mutating func insert(record: some Encodable) throws(SQLiteError) {
    // With a label: otherwise a literal of variables, such as `[id, name]`, would be a record.
    if !isKnownUniquelyReferenced(&encoder) { encoder = nil }
    let encoder = encoder ?? RecordEncoder(table)
    let values = try mapError(
      encoder.encodeRow(record),
      as: { (error: SQLiteError) in statement.refusal(error.extendedCode, error.message) })
    self.encoder = encoder
    try statement.run(values)
  }

  @inline(__always)
  private mutating func insertNamed(
    _ count: Int, _ name: (Int) -> String, _ value: (Int) throws(SQLiteError) -> SQLiteValue
  ) throws(SQLiteError) {
    for column in hasValue.indices { hasValue[column] = false }
    columns.removeAll(keepingCapacity: true)
    for index in 0..<count {
      guard let column = names.index(of: name(index)) else { continue }
      guard !hasValue[column] else {
        throw statement.refusal(.range, "\(location(column)) has two values")
      }
      hasValue[column] = true
      columns.append(column)
    }
    guard columns.count == hasValue.count, columns.count == count else {
      throw columnNameError((0..<count).map(name))
    }
    try statement.run { () throws(SQLiteError) in
      for index in 0..<count {
        try statement.bindInArena(try value(index), at: Int32(columns[index] + 1))
      }
    }
  }

  @usableFromInline var isTraced: Bool { statement.connection.isTraced }

  @usableFromInline func beginCall() throws(SQLiteError) -> Bool {
    try statement.connection.beginCall()
  }

  @usableFromInline func endCall(_ isOutermost: Bool) { statement.connection.endCall(isOutermost) }

  @usableFromInline
  mutating func beginRow() throws(SQLiteError) {
    bound = 0
    try statement.start {}
  }

  @usableFromInline func location(_ column: Int) -> String { table.location(ofColumn: column) }

  /// Adds the place to the error of a value; an error of the statement has the SQL.
  ///
  /// A closure with the place of each value would make inserts a fifth slower.
  @usableFromInline func located(_ error: SQLiteError) -> SQLiteError {
    error.sql == nil ? error.prefixed(by: location(bound)) : error
  }

  @usableFromInline
  mutating func bindNext(_ value: SQLiteValue) throws(SQLiteError) {
    bound += 1
    if bound <= hasValue.count { try statement.bindInArena(value, at: Int32(bound)) }
  }

  @usableFromInline
  mutating func finishRow() throws(SQLiteError) {
    guard bound == hasValue.count else { throw valueCountError(bound) }
    while try statement.step() {}
  }

  private func valueCountError(_ count: Int) -> SQLiteError {
    statement.refusal(
      .range,
      "expected \(counted(table.columns.count, "value")) for \(table.name) "
        + "\(table.columnList), found \(count)")
  }

  private func columnNameError(_ given: [String]) -> SQLiteError {
    var names = names
    let unknown = Set(given.filter { names.index(of: $0) == nil }).sorted()
    guard unknown.isEmpty, let missing = hasValue.firstIndex(of: false) else {
      return statement.refusal(.range, table.lackOfColumns(unknown))
    }
    return statement.refusal(.range, table.lackOfValue(of: missing))
  }
}

extension Connection {
  /// Prepares an insert into an existing table of a description.
  ///
  /// ```swift
  /// var insert = try connection.prepareInsertIntoTable(describedBy: themes, leavingOut: ["id"])
  /// try insert.insert(["name": "Arctic", "parent_id": 1])
  /// ```
  ///
  /// - Parameters:
  ///   - table: the description.
  ///   - resolution: the action if the primary key of a row exists already.
  ///   - columns: the columns that get their default, NULL or, if one is the rowid, the next number;
  ///     rows then have no value for them, and an existing row keeps its own.
  /// - Returns: The statement, whose rows have a value for each other column of the description.
  /// - Throws: `SQLiteError` with `misuse` if the description has faults, if a resolution other than
  ///   `fail` lacks a primary key, and for columns that do not exist or must have a value.
  public func prepareInsertIntoTable(
    describedBy table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    leavingOut columns: [String] = []
  ) throws(SQLiteError) -> InsertStatement {
    try table.validate()
    let inserted = columns.isEmpty ? table : try table.leavingOut(columns)
    return try InsertStatement(into: inserted, onConflict: resolution, on: self)
  }
}

/// The action of an insert if the primary key exists already (<https://www.sqlite.org/lang_upsert.html>).
///
/// Other conflicts, such as those of a unique key, are always errors.
///
/// ```swift
/// var upsert = try connection.prepareInsertIntoTable(describedBy: themes, onConflict: .update)
/// try upsert.insert(1, "Technic", .null)
/// try upsert.insert(1, "Technic, renamed", .null)
/// ```
public enum ConflictResolution: Hashable, Sendable {
  /// The insert fails with `constraint`.
  case fail
  /// The existing row is kept unchanged.
  case keep
  /// All other columns of the existing row are updated. It stays the same row: it keeps its rowid,
  /// and rows that refer to it are not affected.
  case update
}
