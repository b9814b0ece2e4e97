#if PostgreSQL
  import Threads
  import PostgreSQL

  /// A connection of a run, which stops what the server does for it when the run is interrupted.
  ///
  /// Without a word the server would go on, and keep the locks meanwhile.
  final class RunConnection {
    let connection: PostgreSQLConnection
    private let gate: Gate
    private let cancellation: Int

    init(_ string: String, _ gate: Gate) throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(string)
      try connection.prepareForLoading()
      self.connection = connection
      self.gate = gate
      cancellation = gate.pass { [canceller = connection.canceller] unfinished in
        unfinished.add { try? canceller.cancel() }
      }
    }

    deinit { gate.pass { [cancellation] unfinished in unfinished.drop(cancellation) } }
  }
#endif
