/// What became of the records of one table: `read` = `inserted` + `rejected`.
package struct TableAccount: Equatable, Sendable {
  /// The table's name.
  package let table: String
  /// The dump's name, or nil if the table may be missing and is.
  package let file: String?
  /// The records in the dump, the header and blank lines not among them.
  package var read = 0
  /// The rows in the table, as counted in the finished file.
  package var inserted = 0
  /// The records that are not in the table.
  package var rejected = 0
  /// The rejected records by code.
  package var rejectedByCode: [RecordCode: Int] = [:]
  /// The decompressed bytes that were read.
  package var bytes = 0
  /// The time from the end of the table before to the end of this one, its indexes included.
  package var seconds = 0.0
}

/// What a run did.
package struct IngestReport: Equatable, Sendable {
  /// The accounts, in the order in which the tables were read.
  package let tables: [TableAccount]
  /// The time of the whole run.
  package let seconds: Double
  /// The time for derived tables, statistics and verification.
  package let finishingSeconds: Double
  /// The seconds in which the reading thread waited for the writing one.
  package let readerWaited: Double
  /// The seconds in which the writing thread waited for the reading one.
  package let writerWaited: Double
  /// The size of the published file.
  package let outputBytes: Int

  /// The records of all dumps.
  package var read: Int { tables.reduce(0) { $0 + $1.read } }
  /// The rows in all tables of the dumps.
  package var inserted: Int { tables.reduce(0) { $0 + $1.inserted } }
  /// The records that are in no table.
  package var rejected: Int { tables.reduce(0) { $0 + $1.rejected } }
}

/// What a run tells while it goes on, from any thread.
package enum IngestEvent: Equatable, Sendable {
  /// The rejections that are told for each code and table.
  package static let describedRejectionsPerCode = 10

  /// A record was rejected; of many that are alike only the first are told.
  case rejection(Rejection)
  /// A file is not quite as expected.
  case notice(Notice)
  /// The dumps were read, to their end or to a failure; the rows are not counted yet.
  case readingEnded([TableAccount])
  /// A table is complete, with its indexes; its rows and the seconds it took.
  case tableWritten(name: String, rows: Int, seconds: Double)
}
