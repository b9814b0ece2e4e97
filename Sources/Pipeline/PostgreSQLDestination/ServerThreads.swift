#if PostgreSQL
  import Threads
  import PostgreSQL

  /// The threads of a run that work at once, each over a connection of its own.
  struct ServerThreads: Sendable {
    /// The connection string.
    let server: String
    /// How many there are, the one that begins among them.
    let count: Int
    let gate: Gate

    /// What is done over one connection.
    typealias Work = @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Void

    /// Does the same on all threads.
    ///
    /// - Parameters:
    ///   - connection: the connection of the thread that begins; the others get theirs here.
    ///   - work: what each of them does.
    ///   - stop: is called when one has failed, so that the others end soon.
    /// - Throws: `PostgreSQLError`, the first one in the order of the threads.
    func all(
      _ connection: PostgreSQLConnection, _ work: @escaping Work,
      stop: @escaping @Sendable () -> Void
    ) throws(PostgreSQLError) {
      @Sendable func result(
        _ body: () throws(PostgreSQLError) -> Void
      ) -> Result<Void, PostgreSQLError> {
        let result = Result(catching: body)
        if case .failure = result { stop() }
        return result
      }
      // With fewer threads than there could be, the same is done.
      let others = (1..<count).compactMap { _ in
        try? Worker("connection") { [server, gate] in
          result { () throws(PostgreSQLError) in
            let run = try RunConnection(server, gate)
            try work(run.connection)
          }
        }
      }
      let results = [result { () throws(PostgreSQLError) in try work(connection) }]
      for result in results + others.map({ $0.result() }) { try result.get() }
    }

    /// Does pieces of work that do not depend on one another; each thread takes the next when it is done with one.
    func share(
      _ pieces: [Work], from connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      let next = Monitor(0)
      try all(connection) { connection throws(PostgreSQLError) in
        while true {
          let piece = next.with { next in
            defer { next += 1 }
            return next
          }
          guard piece < pieces.count else { return }
          try pieces[piece](connection)
        }
      } stop: {
        next.with { $0 = pieces.count }
      }
    }
  }

  /// A connection of a run, which stops what the server does for it when the run is interrupted.
  ///
  /// Without a word the server would go on, and keep the locks meanwhile.
  final class RunConnection {
    let connection: PostgreSQLConnection
    private let gate: Gate
    private let cancellation: Int

    init(_ string: String, _ gate: Gate) throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(string)
      // Until the schema is published, nobody needs what the session commits, so it does not wait for the disk. And
      // what it asks, it asks once: to compile that takes longer than it saves, 2 of 12 seconds for a million rows.
      try connection.execute("SET synchronous_commit = off; SET jit = off")
      self.connection = connection
      self.gate = gate
      cancellation = gate.pass { [canceller = connection.canceller] unfinished in
        unfinished.add { try? canceller.cancel() }
      }
    }

    deinit { gate.pass { [cancellation] unfinished in unfinished.drop(cancellation) } }
  }
#endif
