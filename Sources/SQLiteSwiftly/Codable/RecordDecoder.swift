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
    let source = RecordRow(row: row.current, mode: mode)
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
    SQLiteError(coding: error, of: type, sql: decoder?.source.row.sql)
  }
}

/// The values of a row, read like those of a `QueryDecodable`.
struct RecordRow {
  let row: CurrentRow
  let mode: DecodingMode

  @inline(__always)
  func decode<Value: QueryDecodableValue>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value {
    var decoder = SQLiteQueryDecoder(row, mode, column: column)
    return try Value(decoder: &decoder)
  }

  @inline(__always)
  func decodeIfPresent<Value: QueryDecodableValue>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value? {
    var decoder = SQLiteQueryDecoder(row, mode, column: column)
    return try Value.decodeIfPresent(from: &decoder)
  }

  /// Decodes a column as any other type: by its own conformance, if it has one, or else by its `init(from:)`.
  func decode<Value: Decodable>(
    any type: Value.Type, at column: Int, _ key: (any CodingKey)?
  ) throws(SQLiteError) -> Value {
    if let type = type as? any QueryDecodableValue.Type,
      let value = try decode(type, at: column) as? Value
    {
      return value
    }
    do {
      return try Value(from: RecordDecoder(self, column: column, key))
    } catch let error as SQLiteError {
      throw error
    } catch is DecodingError {
      // Its description may contain the value.
      let isEnumeration = type is any RawRepresentable.Type
      throw row.failure(
        .mismatch, at: column, "expected a \(isEnumeration ? "case of" : "valid") \(type)")
    } catch {
      throw SQLiteError(coding: error, of: type, at: key.map { [$0] } ?? [], sql: row.sql)
    }
  }

  func isNull(at column: Int) -> Bool { (try? row.storageClass(at: column)) == .null }

  func refusal(of path: [any CodingKey]) -> SQLiteError {
    .container(path.map(\.stringValue).joined(separator: "."), "QueryDecodableValue", sql: row.sql)
  }
}

/// The decoder of a row, or of one of its columns.
final class RecordDecoder: Decoder, SingleValueDecodingContainer {
  fileprivate(set) var source: RecordRow
  private let column: Int?
  private let key: (any CodingKey)?

  init(_ source: RecordRow, column: Int? = nil, _ key: (any CodingKey)? = nil) {
    self.source = source
    self.column = column
    self.key = key
  }

  var codingPath: [any CodingKey] { key.map { [$0] } ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard column == nil else { throw source.refusal(of: codingPath) }
    return KeyedDecodingContainer(RecordContainer<Key>(source: source))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard column == nil else { throw source.refusal(of: codingPath) }
    throw SQLiteError(
      .mismatch, "a row is not an array; decode its columns by name", sql: source.row.sql)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Whether the column is NULL, or all columns of the row: that row is nil, as in an outer join.
  func decodeNil() -> Bool {
    guard let column else { return (0..<source.row.columnCount).allSatisfy(source.isNull) }
    return source.isNull(at: column)
  }

  func decode<Value: Decodable & QueryDecodableValue>(_ type: Value.Type) throws -> Value {
    try source.decode(type, at: try index(for: type))
  }

  // The protocol's own are preferred to a generic method.
  func decode(_ type: Int128.Type) throws -> Int128 {
    try source.decode(type, at: try index(for: type))
  }
  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try source.decode(type, at: try index(for: type))
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let isRecord = column == nil && !(type is any QueryDecodableValue.Type)
    return isRecord
      ? try Value(from: self) : try source.decode(any: type, at: try index(for: type), key)
  }

  /// The column, or the only one of the row.
  private func index(for type: Any.Type) throws(SQLiteError) -> Int {
    if let column { return column }
    let rest = SQLiteQueryDecoder(source.row, source.mode, column: 1)
    try rest.checkAllColumnsRead(by: type)
    return 0
  }
}

/// The columns of a row, by name.
///
/// The generic `decode` implements those of all primitive types; it is inlined, and so specialized for each.
private struct RecordContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: RecordRow

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    (0..<source.row.columnCount).compactMap { column in
      (try? source.row.name(at: column)).flatMap { Key(stringValue: $0) }
    }
  }

  func contains(_ key: Key) -> Bool { (try? index(of: key)) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { source.isNull(at: try index(of: key)) }

  @inline(__always)
  func decode<Value: Decodable & QueryDecodableValue>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value { try source.decode(type, at: try index(of: key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try source.decode(any: type, at: try index(of: key), key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let column = try index(of: key)
    return source.isNull(at: column) ? nil : try source.decode(any: type, at: column, key)
  }

  // One by one, since the protocol's own are preferred to a generic method.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try source.decode(type, at: try index(of: key))
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try source.decode(type, at: try index(of: key))
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try read(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try read(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try read(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try read(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try read(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try read(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try read(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try read(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try read(key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try read(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try read(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try read(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try read(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try read(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try read(key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try read(key) }

  @inline(__always)
  private func read<Value: QueryDecodableValue>(_ key: Key) throws(SQLiteError) -> Value? {
    try source.decodeIfPresent(Value.self, at: try index(of: key))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw source.refusal(of: [key]) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw source.refusal(of: [key])
  }

  func superDecoder() throws -> any Decoder {
    throw SQLiteError.superclass("decoder", sql: source.row.sql)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw source.refusal(of: [key]) }

  @inline(__always)
  private func index(of key: Key) throws(SQLiteError) -> Int {
    try source.row.index(ofColumn: key.stringValue)
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
  /// others. Names ignore the case of ASCII letters. Each column holds one value: a property of
  /// another type is read by its conformance to ``QueryDecodableValue``, or else as the one value
  /// that it decodes, such as a raw value. A type that conforms to ``RowDecodable`` is read by that.
  ///
  /// - Throws: `SQLiteError` of the run; with `range` if no column or more than one has the name of
  ///   a key; with `mismatch` if a value is not valid for its type, or if a property decodes an
  ///   array or an object. Nothing is returned then.
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
