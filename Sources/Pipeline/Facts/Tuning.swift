import Threads

/// The sizes that decide how fast a run is.
///
/// The seconds beside them are those of the whole job at today's size, medians of five to seven runs
/// in alternation, which varied by about as much as the sizes do. `ingest-benchmark` measures the
/// inserts.
package enum Tuning {
  /// Bytes of a page of the file.
  ///
  /// With 4, 8, 16 and 32 KiB, 2.45, 2.93, 3.24 and 3.52 million rows a second are inserted into
  /// `inventory_parts`. The whole job is no faster with 32 KiB than with 16, and takes 13 MB more.
  package static let pageBytes = 16384

  /// Kibibytes of SQLite's page cache while rows are inserted.
  ///
  /// Rows in the order of their key need next to none. Those of `elements` come in any order: with
  /// 2,000 they took 0.19 s at today's size and 1.4 s at four times that, with 16,000 they take 0.16 s
  /// and 0.7 s.
  package static let insertCacheKibibytes = 16_000

  /// The most kibibytes of that cache for a table whose keys come in any order; it is doubled up to that while
  /// pages have to be read again, and given back after the table.
  ///
  /// With 16 times today's rows `elements` takes 3.3 s, and took twice as long without that.
  package static let mostInsertCacheKibibytes = 256_000

  /// The rows of a transaction for which one page may have to be read again before the cache grows.
  ///
  /// Keys can come in groups, like the stops of one trip after the other, of which a page is read again for each.
  package static let rowsForMiss = 50

  /// Kibibytes of SQLite's page cache while it fills derived tables and the search, and creates indexes.
  ///
  /// They also bound the runs that it sorts: what fits into the processor's cache is fastest.
  ///
  /// The two indexes of `inventory_parts` took 1.1 to 1.2 s with 250 to 4,000, 1.5 s with 8,000, and
  /// 1.7 s with 32,000. For derived tables and the search, 16,000 save nothing, and take 14 MB.
  package static let indexCacheKibibytes = 2_000

  /// Rows of a transaction: 2.48 s with 10,000, 2.31 s with 100,000, 2.43 s with a million.
  package static let rowsPerTransaction = 100_000

  /// The most bytes of sorted entries that are kept in the memory file system.
  package static let mostSpilledToMemory = 96 << 20

  /// Threads that help with sorting the entries of an index: 2.42 s with none, 2.31 s with one,
  /// 2.46 s with two, and 2.48 s with three on two cores.
  package static let sorterThreads = 1

  /// Entries of an index that are sampled for the statistics: with 1,000, in 4 ms, a theme seemed to have a thousand
  /// sets instead of 50, and three questions of the cookbook took twice as long; with 50,000 it takes 76 ms, with
  /// 100,000 107 ms for the same plans, and 0.6 s with all.
  package static let analysisLimit = 50_000

  /// Bytes of a block of CSV; one batch of it stays in the processor's second-level cache.
  ///
  /// 2.42 s with 64 KiB, 2.31 s with 256 KiB, 2.41 s with a megabyte.
  package static let batchBytes = 256 << 10

  /// Records of a batch; a block of records that are shorter than 21 bytes makes more than one.
  package static let batchRecords = 12 << 10

  /// The most cells of a batch of rows: with 2,000 columns, all of `batchRecords` would take 220 MB in each of four.
  private static let batchCells = 1 << 20

  /// Records of a batch for tables of up to `columns` columns.
  package static func batchRecords(columns: Int) -> Int {
    min(batchRecords, max(batchCells / max(columns, 1), 1))
  }

  /// Fields of a batch, with room for the longest header.
  package static let batchFields = 128 << 10
}

extension Ring {
  /// Makes a ring with all batches free, each for tables of up to `columns` columns.
  package init(columns: Int) {
    self.init(
      cells: Tuning.batchRecords(columns: columns) * columns, textCapacity: Tuning.batchBytes)
  }
}
