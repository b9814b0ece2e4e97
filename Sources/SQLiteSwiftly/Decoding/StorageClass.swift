/// The storage class of a value, with SQLite's number for it.
enum StorageClass: Int32 {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5

  var phrase: String {
    switch self {
    case .integer: "an integer"
    case .real: "a real"
    case .text: "a text"
    case .blob: "a blob"
    case .null: "NULL"
    }
  }

  /// What a message says of a value of this class where another one was asked for.
  func mismatch(_ expected: StorageClass) -> String {
    "holds \(phrase), and \(expected.phrase) was expected"
  }
}

extension SQLiteValue {
  var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    // As SQLite stores it.
    case .real(let value): value.isNaN ? .null : .real
    case .text: .text
    case .blob: .blob
    }
  }
}

extension QueryDecodingProblem {
  var code: SQLiteError.ResultCode { .mismatch }

  var words: String {
    switch self {
    case .missingValue: "is NULL, and a value was required"
    case .unknownValue(let type): "holds a value that is not a case of \(type)"
    case .invalidValue(let expected): "holds a value that is not \(expected)"
    }
  }
}
