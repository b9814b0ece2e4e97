struct UsageError: Error, Equatable {
  let message: String

  /// Creates an error whose message may quote the command line; passwords are removed.
  init(message: String) { self.message = ServerAddress.withoutPasswords(message) }

  /// The error with the line of a file in which it is.
  func at(_ place: String?) -> UsageError {
    place.map { UsageError(message: "\($0): \(message)") } ?? self
  }

  static func invalidValue(_ value: String, of option: String, expected: String) -> UsageError {
    UsageError(message: "invalid value '\(value)' for \(option): expected \(expected)")
  }

  static let replayRemoved = UsageError(
    message:
      "'ingest replay' and '--write-repairs' were removed: save fixed records with 'ingest repair', "
      + "and load the source files with '--repairs'")
}

/// Throws unless a condition on the command line holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(UsageError) {
  if !condition { throw UsageError(message: message()) }
}
