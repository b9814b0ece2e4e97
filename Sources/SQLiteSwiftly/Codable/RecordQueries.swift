/// Decodes rows as records: a row is a keyed container whose keys are column names.
///
/// One decoder serves all rows, unless a record stores it: that record keeps its own, whose reads
/// throw once the cursor has moved on.
@usableFromInline
struct RecordReader {
  /// The type, if it has its own way of reading rows, which generic code cannot see.
  @usableFromInline let model: (any RowDecodable.Type)?
  private let mode: DecodingMode
  private var decoder: RecordDecoder?

  @usableFromInline
  init(_ type: Any.Type, _ mode: DecodingMode) {
    model = type as? any RowDecodable.Type
    self.mode = mode
  }

  @inlinable
  mutating func read<Record: Decodable>(
    _ type: Record.Type, from row: borrowing Row
  ) throws(SQLiteError) -> Record {
    // Inlined, so that the model's code is specialized where rows are read.
    if let model, let value = try model.init(row: row) as? Record { return value }
    do { return try Record(from: decoder(of: row)) } catch { throw failure(error, type) }
  }

  @usableFromInline
  mutating func decoder(of row: borrowing Row) -> any Decoder {
    let source = RecordRow.result(row.current, mode)
    if isKnownUniquelyReferenced(&decoder), let decoder {
      decoder.source = source
      return decoder
    }
    let decoder = RecordDecoder(source)
    self.decoder = decoder
    return decoder
  }

  @usableFromInline
  func failure(_ error: any Error, _ type: Any.Type) -> SQLiteError {
    SQLiteError(coding: error, of: type, sql: decoder?.source.sql)
  }
}

extension Connection {
  /// Runs one statement and decodes each row as a `Decodable` record, by column name.
  ///
  /// ```swift
  /// struct Theme: Codable {
  ///   var id: Int
  ///   var name: String
  ///   var parent: Int?
  ///
  ///   enum CodingKeys: String, CodingKey { case id, name, parent = "parent_id" }
  /// }
  ///
  /// let themes = try connection.query("SELECT * FROM themes", as: Theme.self)
  /// ```
  ///
  /// The result needs a column for each key, also for those of optional properties, and may have
  /// others. Names ignore the case of ASCII letters. A property is read by its conformance to
  /// ``QueryDecodableValue``, or else as the one value that it decodes, such as a raw value. Arrays
  /// and nested structures are read from JSON, which needs `SQLiteSwiftlyFoundation`, or from the
  /// columns of a join, such as `"color.id"`. A type that conforms to ``RowDecodable`` is read by that.
  ///
  /// - Throws: `SQLiteError` of the run; with `range` if no column or more than one has the name of
  ///   a key; with `mismatch` if a value is not valid for its type. Nothing is returned then.
  /// - Complexity: O(*n*) in the number of values.
  @_disfavoredOverload @inlinable
  public func query<Record: Decodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Record.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> [Record] {
    guard var statement = try prepare(sql, with: parameters) else { return [] }
    return try statement.query(parameters, as: type, decoding: mode)
  }

  /// Runs one statement and decodes its first row as a `Decodable` record; nil if there are no rows.
  ///
  /// - Throws: `SQLiteError`, as for decoding all rows; other rows are not read.
  @_disfavoredOverload @inlinable
  public func first<Record: Decodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Record.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Record? {
    guard var statement = try prepare(sql, with: parameters) else { return nil }
    return try statement.first(parameters, as: type, decoding: mode)
  }
}

extension PreparedStatement {
  /// Runs the statement and decodes each row as a `Decodable` record, as for a connection.
  @_disfavoredOverload @inlinable
  public mutating func query<Record: Decodable>(
    _ parameters: SQLParameters = .none, as type: Record.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> [Record] {
    var records: [Record] = []
    var reader = RecordReader(type, mode)
    var rows = rows(parameters, decoding: mode)
    while let row = try rows.next() { records.append(try reader.read(type, from: row)) }
    return records
  }

  /// Runs the statement and decodes its first row as a `Decodable` record; nil if there are no rows.
  @_disfavoredOverload @inlinable
  public mutating func first<Record: Decodable>(
    _ parameters: SQLParameters = .none, as type: Record.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Record? {
    var reader = RecordReader(type, mode)
    var rows = rows(parameters, decoding: mode)
    var record: Record?
    if let row = try rows.next() { record = try reader.read(type, from: row) }
    try rows.skipRest()
    return record
  }
}
