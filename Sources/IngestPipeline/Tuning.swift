/// The sizes that decide how fast a run is, each chosen by measurement.
enum Tuning {
  /// Bytes of a page of the file.
  static let pageBytes = 16384

  /// Kibibytes of SQLite's page cache, which also bounds the runs that an index is sorted from: what
  /// fits into the processor's cache is fastest.
  static let cacheKibibytes = 2000

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
