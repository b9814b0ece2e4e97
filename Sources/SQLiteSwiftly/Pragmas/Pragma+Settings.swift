extension Pragma where Value == Bool {
  /// Whether foreign keys are enforced; cannot be changed within a transaction.
  ///
  /// ```swift
  /// try connection.set(.foreignKeys, to: true)
  /// ```
  public static var foreignKeys: Self { flag("foreign_keys") }
  /// Whether foreign keys are checked only when a transaction commits; the commit resets it.
  public static var deferForeignKeys: Self { flag("defer_foreign_keys") }
  /// Whether `CHECK` constraints are ignored.
  public static var ignoreCheckConstraints: Self { flag("ignore_check_constraints") }
  /// Whether triggers may fire themselves.
  public static var recursiveTriggers: Self { flag("recursive_triggers") }
  /// Whether statements that would change a database fail.
  public static var queryOnly: Self { flag("query_only") }
  /// Whether the schema may use functions and virtual tables that have not been declared safe.
  ///
  /// Off is the choice for a file of unknown origin
  /// (<https://www.sqlite.org/pragma.html#pragma_trusted_schema>).
  public static var trustedSchema: Self { flag("trusted_schema") }

  private static func flag(_ name: String) -> Self {
    Pragma(name, decode: { $0.integerValue.map { $0 != 0 } }, encode: { .integer($0 ? 1 : 0) })
  }
}

extension Pragma where Value == Int32 {
  /// A number in the file's header for the application, often the version of its schema.
  ///
  /// ```swift
  /// let version = try connection.value(of: .userVersion)
  /// try connection.set(.userVersion, to: version + 1)
  /// ```
  public static var userVersion: Self { number("user_version") }
  /// A number in the file's header that says which application the file belongs to.
  public static var applicationID: Self { number("application_id") }

  private static func number(_ name: String) -> Self {
    Pragma(
      name, decode: { $0.integerValue.flatMap(Int32.init(exactly:)) },
      encode: { .integer(Int64($0)) })
  }
}

extension Pragma where Value == Int {
  /// The bytes of a page, a power of two from 512 to 65536; to be set while the file is empty.
  public static var pageSize: Self { number("page_size") }
  /// The pages that the database may have; it cannot be set below those it has.
  public static var maximumPageCount: Self { number("max_page_count") }
  /// The bytes of the file that are read through mapped memory at most; 0 is none.
  public static var mmapSize: Self { number("mmap_size") }
  /// The pages of a write-ahead log at which a commit moves them into the database; 0 is never.
  public static var walAutocheckpoint: Self { number("wal_autocheckpoint") }
  /// The entries of an index that `ANALYZE` looks at, about; 0 is all of them.
  public static var analysisLimit: Self { number("analysis_limit") }
  /// The threads that may help a statement to sort, at most; SQLite allows 8 unless it was built
  /// otherwise, and they need a temporary store in files.
  public static var workerThreads: Self { number("threads") }
  /// The bytes to which a journal or log that stays is cut; -1 is no limit.
  public static var journalSizeLimit: Self { number("journal_size_limit") }

  private static func number(_ name: String) -> Self {
    Pragma(name, decode: { $0.integerValue.map { Int($0) } }, encode: { .integer(Int64($0)) })
  }
}

extension Pragma where Value == Connection.JournalMode {
  /// How a transaction can be undone; also of the databases that are attached.
  ///
  /// ```swift
  /// try connection.set(.journalMode, to: .truncate)
  /// ```
  public static var journalMode: Self { word("journal_mode") }
}

extension Pragma where Value == Connection.LockingMode {
  /// How long locks on the file are held; also on those of the databases that are attached.
  public static var lockingMode: Self { word("locking_mode") }
}

extension Pragma where Value == Connection.SynchronousMode {
  /// When SQLite waits for the disk; cannot be changed within a transaction.
  ///
  /// ```swift
  /// try connection.set(.synchronous, to: .normal)
  /// ```
  public static var synchronous: Self { choice("synchronous") }
}

extension Pragma where Value == Connection.TemporaryStore {
  /// Where temporary tables are kept; a change removes those that are there.
  public static var temporaryStore: Self { choice("temp_store") }
}

extension Pragma where Value == Connection.AutoVacuum {
  /// What becomes of pages that are no longer used; to be set while the file is empty.
  public static var autoVacuum: Self { choice("auto_vacuum") }
}

extension Pragma where Value == Connection.SecureDelete {
  /// Whether content that is deleted is overwritten.
  public static var secureDelete: Self {
    // As a number, any but 0 is taken for `on`.
    Pragma(
      "secure_delete", decode: { $0.integerValue.flatMap(Value.init(rawValue:)) },
      encode: { .text($0 == .fast ? "fast" : $0 == .on ? "on" : "off") })
  }
}

extension Pragma where Value == Connection.CacheSize {
  /// How much of the database is kept in memory at most, by this connection alone.
  ///
  /// ```swift
  /// try connection.set(.cacheSize, to: .kibibytes(64 * 1024))
  /// ```
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

extension ReadOnlyPragma {
  /// The pages of the database.
  public static let pageCount = ReadOnlyPragma(name: "page_count")
  /// The pages that are not used.
  public static let freePageCount = ReadOnlyPragma(name: "freelist_count")
  /// A number that differs from an earlier one if another connection has changed the database.
  public static let dataVersion = ReadOnlyPragma(name: "data_version")
  /// A number that SQLite raises with each change of the schema.
  public static let schemaVersion = ReadOnlyPragma(name: "schema_version")
}
