#if PostgreSQL
  import SQLiteSwiftly

  extension SQLiteValue {
    /// The value as a literal for a column of a type; nil for NULL.
    func postgreSQL(as type: ColumnDescription.DataType) -> String? {
      switch self {
      case .null: nil
      case .integer(let value) where type == .boolean: value == 0 ? "false" : "true"
      case .integer(let value) where type == .real: Double(value).postgreSQL
      case .integer(let value): value.postgreSQL
      case .real(let value): value.postgreSQL
      case .text(let value): quoted(text: value)
      case .blob(let bytes): "'\\x\(bytes.map(\.hexadecimal).joined())'::bytea"
      }
    }
  }

  extension Int64 {
    /// The number as a literal; the minimum would be read as the negative of a number that is too large.
    var postgreSQL: String { self == .min ? "'\(self)'::bigint" : "\(self)" }
  }

  extension Double {
    /// The number as a literal that is read exactly: its shortest decimal, or `inf`, `-inf` or `nan`.
    var postgreSQL: String { "'\(self)'::double precision" }
  }
#endif
