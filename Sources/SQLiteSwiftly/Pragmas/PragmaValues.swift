extension Connection {
  /// How a transaction can be undone (<https://www.sqlite.org/pragma.html#pragma_journal_mode>).
  ///
  /// ```swift
  /// if let mode = Connection.JournalMode(rawValue: option) {
  ///   try connection.set(.journalMode, to: mode)
  /// }
  /// ```
  public enum JournalMode: String, CaseIterable, Sendable {
    /// A journal that is removed at the end of each transaction.
    case delete
    /// A journal that is cut to nothing at the end of each transaction.
    case truncate
    /// A journal that stays, and is made invalid at the end of each transaction.
    case persist
    /// A journal in memory: a crash within a transaction damages the database.
    case memory
    /// A write-ahead log, beside which readers and one writer do not wait for each other.
    case wal
    /// No journal: a transaction cannot be rolled back, and a crash damages the database.
    case off
  }

  /// When SQLite waits for the disk (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
  ///
  /// ```swift
  /// let mode = try connection.value(of: .synchronous)
  /// let mayLoseCommits = mode == .off || mode == .normal
  /// ```
  public enum SynchronousMode: Int64, CaseIterable, Sendable {
    /// Never: a crash of the machine can damage the database.
    case off
    /// At the moments that matter most; with a write-ahead log, a crash of the machine can undo the
    /// last transactions, but damages nothing.
    case normal
    /// Whenever a transaction would not survive a crash of the machine without it.
    case full
    /// As `full`, and for the folder of a journal that is removed.
    case extra
  }

  /// Where temporary tables and indexes are kept.
  public enum TemporaryStore: Int64, CaseIterable, Sendable {
    /// Where the library was built to keep them, which is most often a file.
    case `default`
    /// In a file.
    case file
    /// In memory.
    case memory
  }

  /// How long locks on the file are held.
  public enum LockingMode: String, CaseIterable, Sendable {
    /// For a transaction.
    case normal
    /// From the first use on, until the connection is closed.
    case exclusive
  }

  /// What becomes of pages that are no longer used.
  public enum AutoVacuum: Int64, CaseIterable, Sendable {
    /// They are kept for later use.
    case none
    /// They are given back at each commit.
    case full
    /// They are given back on `PRAGMA incremental_vacuum`.
    case incremental
  }

  /// Whether content that is deleted is overwritten with zeros.
  public enum SecureDelete: Int64, CaseIterable, Sendable {
    /// It is not.
    case off
    /// It is.
    case on
    /// It is where that costs no further writing.
    case fast
  }

  /// How much of the database is kept in memory at most.
  ///
  /// ```swift
  /// let pageSize = try connection.value(of: .pageSize)
  /// try connection.set(.cacheSize, to: .pages(8_000_000 / pageSize))
  /// ```
  public enum CacheSize: Equatable, Sendable {
    /// As many pages.
    case pages(Int)
    /// As many pages as fit into that many units of 1024 bytes.
    case kibibytes(Int)
  }
}
