/// What a connection's trace handler gets.
///
/// The SQL is that of the statement, without the values.
///
/// ```swift
/// connection.traceHandler = { event in
///   if case .failed(let error) = event { log.append("\(error.code): \(error.message)") }
/// }
/// ```
public enum TraceEvent: Equatable, Sendable {
  /// A statement was compiled.
  case prepared(sql: String)
  /// A run of a statement has ended, successfully or not, after this time.
  case finished(sql: String, duration: Duration)
  /// A statement failed, or was used wrongly.
  case failed(SQLiteError)
}
