import CSQLite

/// Closures that SQLite owns: a function's until it is replaced or the connection closes, a group's until its result.
@safe final class Registration<Body> {
  let body: Body
  private unowned(unsafe) let connection: Connection

  init(_ body: Body, on connection: Connection) {
    self.body = body
    unsafe self.connection = connection
  }

  @unsafe static func at(_ pointer: UnsafeMutableRawPointer?) -> Registration? {
    unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  func derived<New>(_ body: New) -> Registration<New> {
    unsafe Registration<New>(body, on: connection)
  }

  @unsafe func retained() -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(self).toOpaque()
  }

  /// Calls code of the program, which must not use the connection.
  func occupyingConnection<Result>(_ call: (Registration) -> Result) -> Result {
    let connection = unsafe connection
    let outer = connection.occupation
    connection.occupation = .function
    defer { connection.occupation = outer }
    return call(self)
  }

  /// Makes the value or the error of a call its result in SQL.
  @unsafe func setResult(of context: OpaquePointer?, to value: (Registration) throws -> SQLiteValue)
  {
    occupyingConnection { registration in
      do {
        unsafe try value(registration).becomeResult(of: context)
      } catch {
        let error = error as? SQLiteError ?? SQLiteError(.error, "\(error)")
        unsafe error.becomeResult(of: context)
      }
    }
  }
}

@unsafe func release(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer = unsafe pointer { unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}

@unsafe func copies(
  of values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32
) -> [SQLiteValue] {
  unsafe UnsafeBufferPointer(start: values, count: Int(count)).map { value in
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(value))
    case SQLITE_NULL: return .null
    case let type:
      // The length is requested first, for text in UTF-8. Without memory for it, the statement fails.
      let count = Int(unsafe sqlite3_value_bytes(value))
      let start = unsafe sqlite3_value_blob(value)
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
      return type == SQLITE_TEXT
        ? .text(unsafe String(decoding: bytes, as: UTF8.self)) : .blob(unsafe Array(bytes))
    }
  }
}

extension SQLiteValue {
  @unsafe fileprivate func becomeResult(of context: OpaquePointer?) {
    switch self {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let value): unsafe sqlite3_result_int64(context, value)
    case .real(let value): unsafe sqlite3_result_double(context, value)
    case .text(let value):
      unsafe value.utf8Span.span.withUnsafeBytes { bytes in
        unsafe csqlite_result_text(context, bytes.baseAddress, UInt64(bytes.count))
      }
    case .blob(let value):
      unsafe value.withUnsafeBytes { bytes in
        unsafe csqlite_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
      }
    }
  }
}

extension SQLiteError {
  @unsafe fileprivate func becomeResult(of context: OpaquePointer?) {
    // SQLite reads the message up to a NUL, and drops one that exceeds its limit of lengths.
    let scalars = message.unicodeScalars.prefix(2000).map { $0 == "\0" ? "\u{FFFD}" : $0 }
    unsafe sqlite3_result_error(context, String(String.UnicodeScalarView(scalars)), -1)
    // It acts on other codes: it would roll back, run the statement again or report success.
    guard [.constraint, .mismatch, .misuse, .range].contains(code), extendedCode.rawValue > 0 else {
      return
    }
    unsafe sqlite3_result_error_code(context, extendedCode.rawValue)
  }
}
