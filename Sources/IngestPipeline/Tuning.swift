/// The sizes that decide how fast a run is, each chosen by measurement.
enum Tuning {
  /// Bytes of a page of the file.
  static let pageBytes = 16384

  /// Kibibytes of SQLite's page cache while rows are inserted.
  ///
  /// Rows in the order of their key need next to none. Those of `elements` come in any order: with
  /// 2,000 they took 0.19 s at today's size and 1.4 s at four times that, with 16,000 they take 0.16 s
  /// and 0.7 s.
  static let insertCacheKibibytes = 16_000

  /// Kibibytes of SQLite's page cache while an index is built, which also bound the runs that it is
  /// sorted from: what fits into the processor's cache is fastest.
  ///
  /// The two indexes of `inventory_parts` took 1.1 to 1.2 s with 250 to 4,000, 1.5 s with 8,000, and
  /// 1.7 s with 32,000.
  static let indexCacheKibibytes = 2_000

  /// Rows of a transaction.
  static let rowsPerTransaction = 100_000

  /// Threads that help with sorting the entries of an index.
  static let sorterThreads = 1

  /// Entries of an index that are looked at for the statistics, as SQLite recommends for large
  /// files; all of them would take as long as the verification.
  static let analysisLimit = 1000

  /// Bytes of a block of CSV; one batch of it stays in the processor's second-level cache.
  static let batchBytes = 256 << 10

  /// Records of a batch.
  static let batchRecords = 12 << 10

  /// Fields of a batch, with room for the longest header.
  static let batchFields = 128 << 10
}
