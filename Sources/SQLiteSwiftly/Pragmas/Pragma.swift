/// A SQLite setting (<https://www.sqlite.org/pragma.html>) with the type of its values.
///
///     try connection.set(.journalMode, to: .wal)
///     let version = try connection.value(of: .userVersion)
///
/// The settings are static members. Those of a database apply to the main one.
public struct Pragma<Value: Equatable & Sendable>: Sendable {
  /// SQLite's name for the setting.
  public let name: String
  private let decode: @Sendable (SQLiteValue) -> Value?
  private let encode: @Sendable (Value) -> SQLiteValue

  init(
    _ name: String, decode: @escaping @Sendable (SQLiteValue) -> Value?,
    encode: @escaping @Sendable (Value) -> SQLiteValue
  ) {
    self.name = name
    self.decode = decode
    self.encode = encode
  }

  fileprivate func value(on connection: Connection) throws(SQLiteError) -> Value {
    let (stored, sql) = try connection.storedValue(ofPragma: name)
    guard let value = stored.flatMap(decode) else {
      throw SQLiteError(
        .error, "pragma \(name) has an unknown value: \(shown(stored))", sql: sql)
    }
    return value
  }

  fileprivate func set(to value: Value, on connection: Connection) throws(SQLiteError) {
    let expected = encode(value)
    let setting = SQL(generated: "PRAGMA \(name) = \(shown(expected))")
    _ = try connection.query(setting)
    // SQLite ignores settings that it cannot apply.
    let (stored, _) = try connection.storedValue(ofPragma: name)
    guard stored.flatMap(decode) == value else {
      let message = "pragma \(name) was set to \(shown(expected)), but is \(shown(stored))"
      throw SQLiteError(.error, message, sql: setting.text)
    }
  }
}

/// A read-only number that SQLite reports about a database.
public struct ReadOnlyPragma: Sendable {
  /// SQLite's name for it.
  public let name: String
}

extension Connection {
  /// Returns the value of a setting.
  ///
  /// ```swift
  /// let version = try connection.value(of: .userVersion)
  /// let cache = try connection.value(of: .cacheSize)
  /// ```
  ///
  /// - Throws: `SQLiteError`, also if the setting has no value, as `mmapSize` on a database in
  ///   memory, or an unknown one.
  public func value<Value>(of pragma: Pragma<Value>) throws(SQLiteError) -> Value {
    try pragma.value(on: self)
  }

  /// Returns a number that SQLite reports about the main database.
  ///
  /// ```swift
  /// let bytes = try connection.value(of: .pageCount) * connection.value(of: .pageSize)
  /// ```
  public func value(of pragma: ReadOnlyPragma) throws(SQLiteError) -> Int {
    let (stored, sql) = try storedValue(ofPragma: pragma.name)
    guard let value = stored?.integerValue else {
      throw SQLiteError(.error, "pragma \(pragma.name) has no value", sql: sql)
    }
    return Int(value)
  }

  /// Changes a setting and reads it back.
  ///
  /// ```swift
  /// try connection.set(.foreignKeys, to: true)
  /// try connection.set(.cacheSize, to: .kibibytes(16_000))
  /// ```
  ///
  /// - Throws: `SQLiteError`, with `error` if SQLite ran the statement but did not apply the value:
  ///   foreign keys within a transaction, a write-ahead log for a database in memory, the page size
  ///   of a database with content. SQLite keeps its own choice: it remembers a page size or an
  ///   auto-vacuum mode for the next `VACUUM`.
  public func set<Value>(_ pragma: Pragma<Value>, to value: Value) throws(SQLiteError) {
    try pragma.set(to: value, on: self)
  }

  fileprivate func storedValue(
    ofPragma name: String
  ) throws(SQLiteError) -> (value: SQLiteValue?, sql: String) {
    let reading = SQL(generated: "PRAGMA \(name)")
    return (try query(reading).first?.first, reading.text)
  }
}

/// The value as an SQL literal; pragmas have integers and words.
private func shown(_ value: SQLiteValue?) -> String {
  switch value {
  case .integer(let value): "\(value)"
  case .text(let value): value
  default: "none"
  }
}
