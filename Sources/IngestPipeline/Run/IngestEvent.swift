/// What a run tells while it goes on, from any thread.
package enum IngestEvent: Equatable, Sendable {
  /// The rejects that are told for each code and table.
  package static let describedRejectsPerCode = 10

  /// Another run has to end first, which the words name.
  case waiting(String)
  /// A record was rejected; of many that are alike only the first are told.
  case reject(Reject)
  /// A file is not quite as expected.
  case notice(Notice)
  /// The dumps were read, to their end or to a failure; the rows are not counted yet.
  case readingEnded([TableAccount])
  /// A table is complete, with its indexes; its rows and the seconds it took.
  case tableWritten(name: String, rows: Int, seconds: Double)
}
