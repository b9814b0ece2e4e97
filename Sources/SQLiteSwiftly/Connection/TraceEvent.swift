/// What a connection's trace handler is told.
///
/// The SQL is that of the statement, without the values.
public enum TraceEvent: Equatable, Sendable {
  /// A statement was compiled.
  case prepared(sql: String)
  /// A run of a statement has ended, well or not, after so long.
  case finished(sql: String, duration: Duration)
  /// A statement failed, or was used wrongly.
  case failed(SQLiteError)
}
