/// An event that a run reports, from any thread.
package enum IngestEvent: Equatable, Sendable {
  /// The most rejects reported for each code and table.
  package static let describedRejectsPerCode = 10

  /// The run waits for another run or program, which the text describes.
  case waiting(String)
  /// The run cannot be skipped, because of the change that the text describes.
  case changed(String)
  /// The tables are distributed over several nodes, as the text describes.
  case distributed(String)
  /// A record was rejected; only the first of many similar ones are reported.
  case reject(Reject)
  case warning(Warning)
  /// The source files were read, completely or up to a failure; rows are not counted yet.
  case readingEnded([TableCounts])
  case tableWritten(name: String, rows: Int, seconds: Double)
  /// A stage of the run that concerns several tables has ended.
  case stageEnded(StageTime)
}
