/// Codes arrays and nested structures as JSON if the program links `SQLiteSwiftlyFoundation`, which adds the conformance.
///
/// This module does not use Foundation.
package enum NestedValues {
  static var json: (any NestedValueCoding.Type)? { self as? any NestedValueCoding.Type }
}

/// Encodes and decodes nested values as text.
package protocol NestedValueCoding {
  static func text(of value: some Encodable) throws -> String
  static func value<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value
}
