extension SQLiteError {
  /// An error of a type's own coding at a path, without its description, which may contain a value.
  init(
    coding error: any Error, of type: Any.Type, at path: [any CodingKey] = [], sql: String? = nil
  ) {
    var path = path
    var problem = "not a valid value for \(type)"
    switch error {
    case let error as SQLiteError:
      self = error
      return
    case DecodingError.typeMismatch(let expected, let context),
      DecodingError.valueNotFound(let expected, let context):
      path = context.codingPath
      problem = "expected a value of type \(expected)"
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath + [key]
      problem = "expected a value"
    case DecodingError.dataCorrupted(let context): path = context.codingPath
    case EncodingError.invalidValue(_, let context): path = context.codingPath
    default: problem = "coding \(type) failed with an error of type \(Swift.type(of: error))"
    }
    let place = path.map(\.stringValue).joined(separator: ".")
    self.init(.mismatch, place.isEmpty ? problem : "\(place): \(problem)", sql: sql)
  }
}
