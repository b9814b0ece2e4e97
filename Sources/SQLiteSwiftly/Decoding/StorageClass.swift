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
    case .text: "text"
    case .blob: "a blob"
    case .null: "NULL"
    }
  }

  func mismatch(_ expected: StorageClass) -> String {
    "expected \(expected.phrase), found \(phrase)"
  }
}

extension SQLiteValue {
  var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    // As SQLite stores the value.
    case .real(let value): value.isNaN ? .null : .real
    case .text: .text
    case .blob: .blob
    }
  }
}

extension QueryDecodingProblem {
  var message: String {
    switch self {
    case .missingValue: "expected a value, found NULL; read it as an optional"
    case .unknownValue(let type): "expected a case of \(type)"
    case .invalidValue(let expected): "expected \(expected)"
    }
  }
}
