/// The decoder of a row, of its columns whose names begin with a prefix, or of one of them.
final class RecordDecoder: Decoder, SingleValueDecodingContainer {
  var source: RecordRow
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
