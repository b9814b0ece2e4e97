/// The coding of arrays and nested structures as JSON, which `SQLiteSwiftlyFoundation` conforms to where it is linked:
/// this module does not use Foundation.
package enum NestedValues {
  static var json: (any NestedValueCoding.Type)? { self as? any NestedValueCoding.Type }
}

/// What encodes and decodes nested values.
package protocol NestedValueCoding {
  static func text(of value: some Encodable) throws -> String
  static func value<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value
}
