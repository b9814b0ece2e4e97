/// Why a command line cannot be understood.
struct UsageError: Error, Equatable {
  let message: String

  /// Words of the command line are quoted in the message, but no passwords.
  init(message: String) { self.message = ServerAddress.withoutPasswords(message) }
}
