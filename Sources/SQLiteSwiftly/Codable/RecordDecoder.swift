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

/// The values of a row of a result or of a described table, read like those of a `QueryDecodable`.
enum RecordRow {
  case result(CurrentRow, DecodingMode)
  case table(TableRow)

  @inline(__always)
  func decode<Value: QueryDecodable>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value {
    switch self {
    case .result(let row, let mode):
      var decoder = SQLiteQueryDecoder(row, mode, column: column)
      return try Value(decoder: &decoder)
    case .table(let row): return try row.value(row.name(at: column))
    }
  }

  @inline(__always)
  func decodeIfPresent<Value: QueryDecodableValue>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value? { try decode(Value?.self, at: column) }

  /// Decodes a column as any other type: by its own conformance, or else by its `init(from:)`, from JSON if that
  /// needs a container.
  func decode<Value: Decodable>(
    any type: Value.Type, at column: Int, _ key: (any CodingKey)?
  ) throws(SQLiteError) -> Value {
    // The conformance of a date does not read the real that it encodes itself as.
    if storageClass(at: column) != .real || !isDate(type),
      let type = type as? any QueryDecodableValue.Type,
      let value = try decode(type, at: column) as? Value
    {
      return value
    }
    let decoder = RecordDecoder(self, column: column, key, isDate: isDate(type))
    do { return try Value(from: decoder) } catch {
      if decoder.needsContainer, let json = NestedValues.json {
        let text = try decode(String.self, at: column)
        do { return try json.value(type, from: text) } catch {
          throw failure(at: column, SQLiteError(coding: error, of: type).message)
        }
      }
      if let error = error as? SQLiteError { throw error }
      guard error is DecodingError else {
        throw SQLiteError(coding: error, of: type, at: key.map { [$0] } ?? [], sql: sql)
      }
      // Its description may contain the value.
      let isEnumeration = type is any RawRepresentable.Type
      throw failure(at: column, "expected a \(isEnumeration ? "case of" : "valid") \(type)")
    }
  }

  /// The number that a date decodes itself from: a real as it is, and text as a date.
  func secondsSince2001(at column: Int) throws(SQLiteError) -> Double {
    guard storageClass(at: column) == .text else { return try decode(Double.self, at: column) }
    guard let seconds = TimeValue.secondsSince2001(try decode(String.self, at: column)) else {
      throw failure(at: column, "expected \(TimeValue.phrase)")
    }
    return seconds
  }

  func isNull(at column: Int) -> Bool { storageClass(at: column) == .null }

  func refusal(of path: [any CodingKey]) -> SQLiteError {
    .container(path.map(\.stringValue).joined(separator: "."), "QueryDecodableValue", sql: sql)
  }
}

extension RecordRow {
  var columnCount: Int {
    switch self {
    case .result(let row, _): row.columnCount
    case .table(let row): row.values.count
    }
  }

  var sql: String? { if case .result(let row, _) = self { row.sql } else { nil } }

  func name(at column: Int) -> String {
    switch self {
    case .result(let row, _): (try? row.name(at: column)) ?? ""
    case .table(let row): row.name(at: column)
    }
  }

  /// The only column of that name; nil if there is none or more than one.
  @inline(__always)
  func column(_ name: String) throws(SQLiteError) -> Int? {
    switch self {
    case .result(let row, _): try row.column(name)
    case .table(let row): row.index(of: name)
    }
  }

  func lackOfColumn(_ name: String) -> SQLiteError {
    switch self {
    case .result(let row, _): row.columnNameError(name)
    case .table(let row): row.lackOfColumn(name)
    }
  }

  func storageClass(at column: Int) -> StorageClass? {
    switch self {
    case .result(let row, _): try? row.storageClass(at: column)
    case .table(let row): row.values[column].storageClass
    }
  }

  func failure(at column: Int, _ message: String) -> SQLiteError {
    switch self {
    case .result(let row, _): row.failure(.mismatch, at: column, message)
    case .table(let row):
      SQLiteError(.mismatch, "column \(row.name(at: column)): \(message)", sql: nil)
    }
  }
}

/// The decoder of a row, of its columns whose names begin with a prefix, or of one of them.
final class RecordDecoder: Decoder, SingleValueDecodingContainer {
  fileprivate(set) var source: RecordRow
  private let column: Int?
  private let key: (any CodingKey)?
  private let isDate: Bool
  private let prefix: String
  /// Whether the type of a column has asked for a container.
  private(set) var needsContainer = false

  init(
    _ source: RecordRow, column: Int? = nil, _ key: (any CodingKey)? = nil, isDate: Bool = false,
    prefix: String = ""
  ) {
    self.source = source
    self.column = column
    self.key = key
    self.isDate = isDate
    self.prefix = prefix
  }

  var codingPath: [any CodingKey] { key.map { [$0] } ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard column == nil else { throw refusal() }
    return KeyedDecodingContainer(RecordContainer<Key>(source: source, prefix: prefix))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard column == nil else { throw refusal() }
    throw SQLiteError(
      .mismatch, "a row is not an array; decode its columns by name", sql: source.sql)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Whether the column is NULL, or all columns of the record: that is nil, as in an outer join.
  func decodeNil() -> Bool {
    column.map(source.isNull) ?? columns.allSatisfy(source.isNull)
  }

  var columns: [Int] {
    (0..<source.columnCount).filter {
      prefix.isEmpty || source.name(at: $0).hasNamePrefix(prefix)
    }
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
  func decode(_ type: Double.Type) throws -> Double {
    let column = try index(for: type)
    return isDate
      ? try source.secondsSince2001(at: column) : try source.decode(type, at: column)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let isRecord = column == nil && !(type is any QueryDecodableValue.Type)
    return isRecord
      ? try Value(from: self) : try source.decode(any: type, at: try index(for: type), key)
  }

  /// The column, or the only one of the row.
  private func index(for type: Any.Type) throws(SQLiteError) -> Int {
    if let column { return column }
    guard prefix.isEmpty else { throw source.lackOfColumn(String(prefix.dropLast())) }
    if case .result(let row, let mode) = source {
      try SQLiteQueryDecoder(row, mode, column: 1).checkAllColumnsRead(by: type)
    }
    return 0
  }

  private func refusal() -> SQLiteError {
    needsContainer = true
    return source.refusal(of: codingPath)
  }
}

/// The columns of a row, by name, or those of a joined record, whose names begin with that of its property and a
/// point.
///
/// The generic `decode` implements those of all primitive types; it is inlined, and so specialized for each.
private struct RecordContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: RecordRow
  let prefix: String

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    RecordDecoder(source, prefix: prefix).columns.compactMap { column in
      Key(stringValue: String(source.name(at: column).dropFirst(prefix.count)))
    }
  }

  func contains(_ key: Key) -> Bool {
    (try? index(of: key)) != nil || !joined(key).columns.isEmpty
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let column = try source.column(name(of: key)) else {
      return try record(key).decodeNil()
    }
    return source.isNull(at: column)
  }

  @inline(__always)
  func decode<Value: Decodable & QueryDecodableValue>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value { try source.decode(type, at: try index(of: key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let column = try source.column(name(of: key)) else {
      return try Value(from: try record(key))
    }
    return try source.decode(any: type, at: column, key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let column = try source.column(name(of: key)) else {
      let record = try record(key)
      return record.decodeNil() ? nil : try Value(from: record)
    }
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
    throw SQLiteError.superclass("decoder", sql: source.sql)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw source.refusal(of: [key]) }

  /// The decoder of a joined record.
  private func record(_ key: Key) throws(SQLiteError) -> RecordDecoder {
    let record = joined(key)
    guard !record.columns.isEmpty else { throw source.lackOfColumn(name(of: key)) }
    return record
  }

  private func joined(_ key: Key) -> RecordDecoder {
    RecordDecoder(source, prefix: name(of: key) + ".")
  }

  @inline(__always)
  private func index(of key: Key) throws(SQLiteError) -> Int {
    guard let column = try source.column(name(of: key)) else {
      throw source.lackOfColumn(name(of: key))
    }
    return column
  }

  @inline(__always)
  private func name(of key: Key) -> String {
    prefix.isEmpty ? key.stringValue : prefix + key.stringValue
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
