extension Connection {
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

  /// The moments when SQLite waits for the disk
  /// (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
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
