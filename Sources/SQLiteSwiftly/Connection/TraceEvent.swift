/// An event reported to a connection's trace handler.
///
/// The SQL is the text of the statement, without values.
public enum TraceEvent: Equatable, Sendable {
  /// A statement was compiled.
  case prepared(sql: String)
  /// A run of a statement ended, successfully or not, after this time.
  case finished(sql: String, duration: Duration)
  /// A statement failed, or was misused.
  case failed(SQLiteError)
}
