struct UsageError: Error, Equatable {
  let message: String

  /// Words of the command line are quoted in the message, but no passwords.
  init(message: String) { self.message = ServerAddress.withoutPasswords(message) }
}

/// Throws unless a command line is as it has to be.
func require(_ isSo: Bool, _ message: @autoclosure () -> String) throws(UsageError) {
  if !isSo { throw UsageError(message: message()) }
}
