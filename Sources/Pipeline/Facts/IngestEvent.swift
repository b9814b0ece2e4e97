/// What a run reports while it goes on, from any thread.
package enum IngestEvent: Equatable, Sendable {
  /// How many rejects are reported for each code and table.
  package static let describedRejectsPerCode = 10

  /// Another run has to end first; the text describes it.
  case waiting(String)
  /// Something has changed, so that the run cannot be skipped; the text says what.
  case changed(String)
  /// A record was rejected; of many that are alike only the first are reported.
  case reject(Reject)
  case warning(Warning)
  /// The dumps were read, to their end or to a failure; the rows are not counted yet.
  case readingEnded([TableCounts])
  case tableWritten(name: String, rows: Int, seconds: Double)
  /// A part of the run has ended that is not one table's.
  case stageEnded(StageTime)
}
