/// A SQLite setting (<https://www.sqlite.org/pragma.html>) with the type of its values.
///
///     try connection.set(.journalMode, to: .wal)
///     let version = try connection.value(of: .userVersion)
///
/// The settings are static members. Those of a database apply to the main one.
public struct Pragma<Value: Equatable & Sendable>: Sendable {
  /// SQLite's name for the setting.
  public let name: String
  fileprivate let decode: @Sendable (SQLiteValue) -> Value?
  fileprivate let encode: @Sendable (Value) -> SQLiteValue

  init(
    _ name: String, decode: @escaping @Sendable (SQLiteValue) -> Value?,
    encode: @escaping @Sendable (Value) -> SQLiteValue
  ) {
    self.name = name
    self.decode = decode
    self.encode = encode
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
  /// - Throws: `SQLiteError`, also if the setting has no value, as `mmapSize` on a database in
  ///   memory, or an unknown one.
  public func value<Value>(of pragma: Pragma<Value>) throws(SQLiteError) -> Value {
    let (stored, sql) = try storedValue(ofPragma: pragma.name)
    guard let value = stored.flatMap(pragma.decode) else {
      throw SQLiteError(
        .error, "pragma \(pragma.name) has an unknown value: \(shown(stored))", sql: sql)
    }
    return value
  }

  /// Returns a number that SQLite reports about the main database.
  public func value(of pragma: ReadOnlyPragma) throws(SQLiteError) -> Int {
    let (stored, sql) = try storedValue(ofPragma: pragma.name)
    guard let value = stored?.integerValue else {
      throw SQLiteError(.error, "pragma \(pragma.name) has no value", sql: sql)
    }
    return Int(value)
  }

  /// Changes a setting and reads it back.
  ///
  /// - Throws: `SQLiteError`, with `error` if SQLite ran the statement but did not apply the value: foreign keys within
  ///   a transaction, a write-ahead log for a database in memory, the page size of a database with content. SQLite
  ///   keeps its own choice: it remembers a page size or an auto-vacuum mode for the next `VACUUM`.
  public func set<Value>(_ pragma: Pragma<Value>, to value: Value) throws(SQLiteError) {
    let expected = pragma.encode(value)
    let setting = SQL(generated: "PRAGMA \(pragma.name) = \(shown(expected))")
    _ = try query(setting)
    // SQLite ignores settings that it cannot apply.
    let (stored, _) = try storedValue(ofPragma: pragma.name)
    guard stored.flatMap(pragma.decode) == value else {
      let message = "pragma \(pragma.name) was set to \(shown(expected)), but is \(shown(stored))"
      throw SQLiteError(.error, message, sql: setting.text)
    }
  }

  private func storedValue(
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
