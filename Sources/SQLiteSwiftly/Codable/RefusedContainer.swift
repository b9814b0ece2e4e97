/// An encoder and container whose methods throw, since an encoder cannot throw when a type asks it
/// for a container.
struct RefusedContainer<Key: CodingKey>: Encoder, KeyedEncodingContainerProtocol,
  UnkeyedEncodingContainer, SingleValueEncodingContainer
{
  let error: SQLiteError
  /// The name of the column, if the error is about one.
  var column: String?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(RefusedContainer<Other>(error: error, column: column))
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
  func encodeNil(forKey key: Key) throws { throw error(key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw error(key) }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    throw error(key)
  }

  /// The error names the key, unless any text is one, as in a dictionary: such keys are values.
  private func error(_ key: Key) -> SQLiteError {
    guard let column, Key(stringValue: "") == nil else { return error }
    return .container("\(column).\(key.stringValue)")
  }
}

/// The keys of a container that is not keyed.
enum NoKey: CodingKey {}

extension SQLiteError {
  static func container(_ path: String) -> SQLiteError {
    SQLiteError(
      .mismatch,
      "\(path): a column holds one value, not a container; conform its type to "
        + "SQLiteValueConvertible")
  }
}
