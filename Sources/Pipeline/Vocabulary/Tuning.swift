/// The sizes that determine the speed of a run.
///
/// Times are those of a whole run at today's size: medians of five to seven alternating runs, which varied about as much
/// as the results differ. `ingest-benchmark` measures the inserts.
package enum Tuning {
  /// The page size of the file in bytes.
  ///
  /// With 4, 8, 16 and 32 KiB, `inventory_parts` is filled at 2.45, 2.93, 3.24 and 3.52 million rows per second. A whole
  /// run takes the same time with 32 KiB as with 16, and 13 MB more memory.
  package static let pageBytes = 16384

  /// The size of SQLite's page cache for the first rows of a table, in KiB.
  ///
  /// Rows in key order need almost none.
  package static let insertCacheKibibytes = 2_000

  /// The maximum size of that cache for a table with unordered keys, in KiB; it is doubled up to this size while pages
  /// are read again, and released after the table.
  ///
  /// With 16 times today's rows, `elements` took 3.3 s, and twice as long without it, while SQLite kept the index of its key.
  package static let mostInsertCacheKibibytes = 256_000

  /// The rows after which the pages read again are counted.
  ///
  /// With 16 times today's rows, `part_relationships` takes 0.8 s, and 1.5 s if they are counted after each transaction.
  package static let rowsPerMissCount = 10_000

  /// The inserted rows per page that may be read again before the cache grows.
  ///
  /// Keys can come in groups, such as the stops of a trip, each of which reads one page again.
  package static let rowsForMiss = 50

  /// The size of SQLite's page cache for SQL after the load, whose statements can change any rows, in KiB.
  package static let customSQLCacheKibibytes = 16_000

  /// The size of SQLite's page caches for the search, indexes, and tables derived from today's rows, in KiB.
  ///
  /// It also limits the runs that SQLite sorts, which are fastest if they fit into the processor's cache.
  ///
  /// The two indexes of `inventory_parts` took 1.1 to 1.2 s with 250 to 4,000, 1.5 s with 8,000, and
  /// 1.7 s with 32,000. For derived tables and the search, 16,000 save no time, and take 14 MB.
  package static let indexCacheKibibytes = 2_000

  /// The size of that cache in KiB for tables that are derived from `rows` rows, which they look up in any order: from two
  /// million rows on, a KiB for each thousand.
  ///
  /// With 16 times today's rows, and with 29,000 in place of 2,000, `set_inventories` takes 2.6 s in place of 4.3 s. The
  /// check of their indexes takes 1.3 s in place of 2.6 s.
  package static func derivingCacheKibibytes(rows: Int) -> Int {
    min(max(rows / 1000, indexCacheKibibytes), 64_000)
  }

  /// Rows of a transaction: 2.48 s with 10,000, 2.31 s with 100,000, 2.43 s with a million.
  package static let rowsPerTransaction = 100_000

  /// The most bytes of sorted entries in the memory file system.
  package static let mostSpilledToMemory = 96 << 20

  /// Additional threads for sorting index entries: on two cores 2.42 s with none, 2.31 s with one, 2.46 s with two, and
  /// 2.48 s with three.
  package static let sorterThreads = 1

  /// The index entries sampled for statistics.
  ///
  /// 1,000 take 4 ms, but estimate a thousand sets per theme instead of 50, and three queries of the cookbook took twice as
  /// long. 50,000 take 76 ms; 100,000 take 107 ms for the same query plans, and all take 0.6 s.
  package static let analysisLimit = 50_000

  /// The bytes of a block of CSV; a batch of it stays in the processor's second-level cache.
  ///
  /// 2.42 s with 64 KiB, 2.31 s with 256 KiB, 2.41 s with a megabyte.
  package static let batchBytes = 256 << 10

  /// The records of a batch; a block of records shorter than 21 bytes fills several.
  package static let batchRecords = 12 << 10

  /// The most cells of a batch of rows: with 2,000 columns, all of `batchRecords` would take 220 MB in each of eight.
  private static let batchCells = 1 << 20

  /// Records of a batch for tables of up to `columns` columns.
  package static func batchRecords(columns: Int) -> Int {
    min(batchRecords, max(batchCells / max(columns, 1), 1))
  }

  /// The fields of a batch, with room for the longest header.
  package static let batchFields = 128 << 10
}

extension Ring {
  /// Creates a ring with all batches free, each for tables of up to `columns` columns; they grow with their rows.
  package init(columns: Int) {
    self.init(cells: columns, textCapacity: Tuning.batchBytes)
  }
}

/// The version in the command, the database and the report; the latest one in CHANGELOG.md.
package let toolVersion = "1.0.0"
