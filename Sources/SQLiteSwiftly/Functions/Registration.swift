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

extension Connection {
  /// Calls `add`, whose result is a code of SQLite, once the kept statements are forgotten, which may use what the name
  /// then replaces.
  @unsafe func register(_ name: String, _ add: (OpaquePointer) -> Int32) throws(SQLiteError) {
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    let handle = try unsafe openHandle()
    guard 1...255 ~= name.utf8.count, !name.utf8.contains(0) else {
      throw SQLiteError(.misuse, "expected a name of 1 to 255 bytes without NUL")
    }
    statementCache.clear()
    hasChanged = true
    let code = unsafe add(handle)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: handle, sql: nil) }
  }
}

@unsafe func release(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer = unsafe pointer { unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}

@unsafe func copies(
  of values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32
) -> [SQLiteValue] {
  unsafe UnsafeBufferPointer(start: values, count: Int(count)).map { value in
    switch unsafe RowReader.value(of: value) {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .bytes(let bytes, let isText):
      isText ? .text(unsafe String(decoding: bytes, as: UTF8.self)) : .blob(unsafe Array(bytes))
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
        unsafe csqlite_result_text(context, bytes.baseAddress, UInt64(bytes.count), 1)
      }
    case .blob(let value):
      unsafe value.withUnsafeBytes { bytes in
        unsafe csqlite_result_blob(context, bytes.baseAddress, UInt64(bytes.count), 1)
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
