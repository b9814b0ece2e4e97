/// Encodes records as the values of a described table's columns, whose names are the keys.
///
/// It can be reused: the places of the keys are remembered.
package final class RecordEncoder: Encoder {
  private let table: TableDescription
  private var names: ColumnNames
  private var values: [SQLiteValue?] = []
  /// The error of a container that has encoded nothing so far.
  private var failure: SQLiteError?

  package init(_ table: TableDescription) {
    self.table = table
    names = ColumnNames(table.columns.map(\.name))
  }

  /// Returns the values of a record's columns; nil for a column whose key was not encoded.
  package func encode(_ record: some Encodable) throws(SQLiteError) -> [SQLiteValue?] {
    values = [SQLiteValue?](repeating: nil, count: table.columns.count)
    failure = nil
    do { try record.encode(to: self) } catch {
      throw SQLiteError(coding: error, of: type(of: record))
    }
    if let failure { throw failure }
    return values
  }

  /// Returns the values as above; a column whose key was not encoded is NULL if it is nullable.
  func encodeRow(_ record: some Encodable) throws(SQLiteError) -> [SQLiteValue] {
    let values = try encode(record)
    let missing = values.indices.first { values[$0] == nil && table.requires(table.columns[$0]) }
    if let missing { throw SQLiteError(.range, table.lackOfValue(of: missing)) }
    return values.map { $0 ?? .null }
  }

  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordEncodingContainer<Key>(encoder: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    refuse(SQLiteError(.mismatch, "a row is not an array; encode its columns by name"))
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer {
    refuse(SQLiteError(.mismatch, "a row is not one value; encode its columns by name"))
  }

  fileprivate func encode(
    _ value: SQLiteValue, forKey key: some CodingKey
  ) throws(SQLiteError) {
    guard let column = names.index(of: key.stringValue) else {
      throw SQLiteError(.range, table.lackOfColumns([key.stringValue]))
    }
    guard values[column] == nil else {
      throw SQLiteError(.range, "\(table.location(ofColumn: column)) has two values")
    }
    values[column] = value
  }

  fileprivate func refuse(_ error: SQLiteError) -> RefusedContainer<NoKey> {
    failure = failure ?? error
    return RefusedContainer(error: error)
  }
}

/// The columns of a row, by name; the generic `encode` implements those of all primitive types.
private struct RecordEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RecordEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try encoder.encode(.null, forKey: key) }

  @inline(__always)
  func encode<Value: Encodable & SQLiteValueConvertible>(_ value: Value, forKey key: Key) throws {
    try encoder.encode(try value.sqliteValue(at: key.stringValue), forKey: key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.encode(try ColumnEncoder.encode(value, key), forKey: key)
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return try encodeNil(forKey: key) }
    try encode(value, forKey: key)
  }

  // One by one, since the protocol's own are preferred to a generic method.
  func encode(_ value: Int128, forKey key: Key) throws { try write(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try write(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try write(value, key) }

  @inline(__always)
  private func write(
    _ value: (some SQLiteValueConvertible)?, _ key: Key
  ) throws(SQLiteError) {
    try encoder.encode(try value.sqliteValue(at: key.stringValue), forKey: key)
  }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> { refuse(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { refuse(key) }
  func superEncoder(forKey key: Key) -> any Encoder { refuse(key) }

  func superEncoder() -> any Encoder { encoder.refuse(.superclass("encoder")) }

  private func refuse(_ key: Key) -> RefusedContainer<NoKey> {
    encoder.refuse(.container(key.stringValue))
  }
}

/// The encoder of one column, for types that do not conform to `SQLiteValueConvertible`.
private final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  private let key: any CodingKey
  private var value: SQLiteValue?
  private var needsContainer = false

  static func encode(
    _ value: some Encodable, _ key: any CodingKey
  ) throws(SQLiteError) -> SQLiteValue {
    if let value = value as? any SQLiteValueConvertible {
      return try value.sqliteValue(at: key.stringValue)
    }
    let encoder = ColumnEncoder(key)
    var failure: (any Error)?
    do { try value.encode(to: encoder) } catch { failure = error }
    if encoder.needsContainer { return try json(value, key) }
    if let failure { throw SQLiteError(coding: failure, of: type(of: value), at: [key]) }
    guard let stored = encoder.value else {
      throw SQLiteError(.range, "\(key.stringValue): expected one value, found none")
    }
    // A date encodes itself as seconds since 2001 where its conformance is not linked.
    guard case .real(let seconds) = stored, isDate(type(of: value)) else { return stored }
    guard let text = TimeValue.text(secondsSince2001: seconds) else {
      throw SQLiteError(.range, "\(key.stringValue): \(TimeValue.rangeMessage)")
    }
    return .text(text)
  }

  /// A value that encodes itself as a container, as text.
  private static func json(
    _ value: some Encodable, _ key: any CodingKey
  ) throws(SQLiteError) -> SQLiteValue {
    guard let json = NestedValues.json else { throw .container(key.stringValue) }
    do { return .text(try json.text(of: value)) } catch {
      throw SQLiteError(coding: error, of: type(of: value)).prefixed(by: key.stringValue)
    }
  }

  private init(_ key: any CodingKey) { self.key = key }

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    refusal.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { refusal }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() throws { try set(.null) }
  func encode<Value: Encodable>(_ value: Value) throws { try set(try Self.encode(value, key)) }
  // The protocol's own are preferred to a generic method.
  func encode(_ value: Int128) throws { try set(try value.sqliteValue(at: key.stringValue)) }
  func encode(_ value: UInt128) throws { try set(try value.sqliteValue(at: key.stringValue)) }

  private func set(_ value: SQLiteValue) throws(SQLiteError) {
    guard self.value == nil else {
      throw SQLiteError(.range, "\(key.stringValue): expected one value, found two")
    }
    self.value = value
  }

  private var refusal: RefusedContainer<NoKey> {
    needsContainer = true
    return RefusedContainer(error: .container(key.stringValue))
  }
}

/// An encoder and container whose methods throw, since an encoder cannot throw when a type asks it for a container.
struct RefusedContainer<Key: CodingKey>: Encoder, KeyedEncodingContainerProtocol,
  UnkeyedEncodingContainer, SingleValueEncodingContainer
{
  let error: SQLiteError

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(RefusedContainer<Other>(error: error))
  }

  func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other>
  { container(keyedBy: type) }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> { container(keyedBy: type) }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func superEncoder() -> any Encoder { self }
  func superEncoder(forKey key: Key) -> any Encoder { self }

  func encodeNil() throws { throw error }
  func encode<Value: Encodable>(_ value: Value) throws { throw error }
  func encodeNil(forKey key: Key) throws { throw error }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw error }
}

/// The keys of a container that is not keyed.
enum NoKey: CodingKey {}

extension SQLiteError {
  static func container(
    _ path: String, _ conformance: String = "SQLiteValueConvertible", sql: String? = nil
  ) -> SQLiteError {
    let json =
      NestedValues.json == nil ? "import SQLiteSwiftlyFoundation to store it as JSON, or " : ""
    return SQLiteError(
      .mismatch,
      "\(path): a column holds one value, not a container; \(json)conform its type to \(conformance)",
      sql: sql)
  }

  static func superclass(_ coder: String, sql: String? = nil) -> SQLiteError {
    let message = "super: a row has no part for a superclass; pass it the \(coder) itself"
    return SQLiteError(.mismatch, message, sql: sql)
  }
}
