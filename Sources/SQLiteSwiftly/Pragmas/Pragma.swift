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

  /// The number of pages of the database.
  public static let pageCount = ReadOnlyPragma(name: "page_count")
  /// The number of unused pages.
  public static let freePageCount = ReadOnlyPragma(name: "freelist_count")
  /// A number that changes when another connection changes the database.
  public static let dataVersion = ReadOnlyPragma(name: "data_version")
  /// A number that SQLite increments with each change of the schema.
  public static let schemaVersion = ReadOnlyPragma(name: "schema_version")
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

  /// A way to undo transactions (<https://www.sqlite.org/pragma.html#pragma_journal_mode>).
  public enum JournalMode: String, CaseIterable, Sendable {
    /// A journal that is deleted at the end of each transaction.
    case delete
    /// A journal that is truncated at the end of each transaction.
    case truncate
    /// A journal that is kept, and invalidated at the end of each transaction.
    case persist
    /// A journal in memory: a crash within a transaction damages the database.
    case memory
    /// A write-ahead log, with which readers and one writer do not block each other.
    case wal
    /// No journal: a transaction cannot be rolled back, and a crash damages the database.
    case off
  }

  /// The moments when SQLite waits for the disk (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
  public enum SynchronousMode: Int64, CaseIterable, Sendable {
    /// Never: a crash of the machine can damage the database.
    case off
    /// At the most critical moments; with a write-ahead log, a crash of the machine can undo the
    /// last transactions, but damages nothing.
    case normal
    /// Whenever a transaction would otherwise not survive a crash of the machine.
    case full
    /// As `full`, and also for the folder of a deleted journal.
    case extra
  }

  /// The location of temporary tables and indexes.
  public enum TemporaryStore: Int64, CaseIterable, Sendable {
    /// The default of the library's build, usually a file.
    case `default`
    /// In a file.
    case file
    /// In memory.
    case memory
  }

  /// The duration of locks on the file.
  public enum LockingMode: String, CaseIterable, Sendable {
    /// Until the end of a transaction.
    case normal
    /// From the first use until the connection is closed.
    case exclusive
  }

  /// The handling of unused pages.
  public enum AutoVacuum: Int64, CaseIterable, Sendable {
    /// Keep them for later use.
    case none
    /// Return them to the system at each commit.
    case full
    /// Return them to the system on `PRAGMA incremental_vacuum`.
    case incremental
  }

  /// Whether deleted content is overwritten with zeros.
  public enum SecureDelete: Int64, CaseIterable, Sendable {
    /// Never.
    case off
    /// Always.
    case on
    /// If it requires no additional writes.
    case fast
  }

  /// The maximum amount of the database cached in memory.
  public enum CacheSize: Equatable, Sendable {
    /// A number of pages.
    case pages(Int)
    /// The number of pages that fit into that many units of 1024 bytes.
    case kibibytes(Int)
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

extension Pragma where Value == Bool {
  /// Whether foreign keys are enforced; cannot be changed within a transaction.
  public static var foreignKeys: Self { flag("foreign_keys") }
  /// Whether foreign keys are checked only at commit; the commit resets it.
  public static var deferForeignKeys: Self { flag("defer_foreign_keys") }
  /// Whether `CHECK` constraints are ignored.
  public static var ignoreCheckConstraints: Self { flag("ignore_check_constraints") }
  /// Whether triggers may fire themselves.
  public static var recursiveTriggers: Self { flag("recursive_triggers") }
  /// Whether statements that would change a database fail.
  public static var queryOnly: Self { flag("query_only") }
  /// Whether the schema may use functions and virtual tables that are not declared safe.
  ///
  /// Turn it off for a file of unknown origin (<https://www.sqlite.org/pragma.html#pragma_trusted_schema>).
  public static var trustedSchema: Self { flag("trusted_schema") }

  private static func flag(_ name: String) -> Self {
    Pragma(name, decode: { $0.integerValue.map { $0 != 0 } }, encode: { .integer($0 ? 1 : 0) })
  }
}

extension Pragma where Value == Int32 {
  /// A number in the file's header for the application, often the version of its schema.
  public static var userVersion: Self { number("user_version") }
  /// A number in the file's header that identifies the application of the file.
  public static var applicationID: Self { number("application_id") }
}

extension Pragma where Value == Int {
  /// The page size in bytes, a power of two from 512 to 65536; set it while the file is empty.
  public static var pageSize: Self { number("page_size") }
  /// The maximum number of pages; it cannot be set below the current number.
  public static var maximumPageCount: Self { number("max_page_count") }
  /// The maximum number of bytes of the file read through memory mapping; 0 for none.
  public static var mmapSize: Self { number("mmap_size") }
  /// The number of pages at which a commit checkpoints the write-ahead log; 0 for never.
  public static var walAutocheckpoint: Self { number("wal_autocheckpoint") }
  /// The approximate number of index entries that `ANALYZE` reads; 0 for all.
  public static var analysisLimit: Self { number("analysis_limit") }
  /// The maximum number of threads that help a statement to sort; SQLite allows 8 by default, and
  /// they need a temporary store in files.
  public static var workerThreads: Self { number("threads") }
  /// The size in bytes to which a kept journal or log is truncated; -1 for no limit.
  public static var journalSizeLimit: Self { number("journal_size_limit") }
}

extension Pragma where Value == Connection.JournalMode {
  /// The journal mode, which decides how a transaction is undone; includes attached databases.
  public static var journalMode: Self { word("journal_mode") }
}

extension Pragma where Value == Connection.LockingMode {
  /// The duration of locks on the file; includes attached databases.
  public static var lockingMode: Self { word("locking_mode") }
}

extension Pragma where Value == Connection.SynchronousMode {
  /// The moments when SQLite waits for the disk; cannot be changed within a transaction.
  public static var synchronous: Self { choice("synchronous") }
}

extension Pragma where Value == Connection.TemporaryStore {
  /// The location of temporary tables; a change removes existing ones.
  public static var temporaryStore: Self { choice("temp_store") }
}

extension Pragma where Value == Connection.AutoVacuum {
  /// The handling of unused pages; set it while the file is empty.
  public static var autoVacuum: Self { choice("auto_vacuum") }
}

extension Pragma where Value == Connection.SecureDelete {
  /// Whether deleted content is overwritten.
  public static var secureDelete: Self {
    // As a number, any value but 0 means `on`.
    Pragma(
      "secure_delete", decode: { $0.integerValue.flatMap(Value.init(rawValue:)) },
      encode: { .text($0 == .fast ? "fast" : $0 == .on ? "on" : "off") })
  }
}

extension Pragma where Value == Connection.CacheSize {
  /// The maximum amount of the database cached in memory by this connection alone.
  public static var cacheSize: Self {
    Pragma(
      "cache_size",
      decode: { $0.integerValue.map { $0 < 0 ? .kibibytes(Int(0 &- $0)) : .pages(Int($0)) } },
      encode: {
        switch $0 {
        case .pages(let count): .integer(Int64(count))
        case .kibibytes(let count): .integer(Int64(0 &- count))
        }
      })
  }
}

extension Pragma where Value: FixedWidthInteger {
  fileprivate static func number(_ name: String) -> Self {
    Pragma(
      name, decode: { $0.integerValue.flatMap(Value.init(exactly:)) },
      encode: { .integer(Int64($0)) })
  }
}

extension Pragma where Value: RawRepresentable<String> {
  fileprivate static func word(_ name: String) -> Self {
    Pragma(
      name, decode: { $0.textValue.flatMap(Value.init(rawValue:)) },
      encode: { .text($0.rawValue) })
  }
}

extension Pragma where Value: RawRepresentable<Int64> {
  fileprivate static func choice(_ name: String) -> Self {
    Pragma(
      name, decode: { $0.integerValue.flatMap(Value.init(rawValue:)) },
      encode: { .integer($0.rawValue) })
  }
}
