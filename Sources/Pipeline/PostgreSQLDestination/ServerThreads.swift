#if PostgreSQL
  import Platform
  import PostgreSQL

  /// The threads of a run that work concurrently, each over its own connection.
  struct ServerThreads: Sendable {
    /// The connections of all threads but the calling one.
    ///
    /// They last until the end of the run: a server may still count a session that has just ended.
    private let others: [RunConnection]
    /// The number of threads, including the calling one.
    var count: Int { others.count + 1 }

    init(
      _ count: Int, besides connection: PostgreSQLConnection, _ gate: Gate
    ) throws(PostgreSQLError) {
      var others: [RunConnection] = []
      for number in 1..<count {
        let other = try connection.another(
          "--jobs \(count) needs \(count + 1) connections", missing: count - number)
        others.append(try RunConnection(other, gate))
      }
      self.others = others
    }

    typealias Work = @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Void

    /// Runs the same work on all threads.
    ///
    /// - Parameters:
    ///   - connection: the connection of the calling thread.
    ///   - work: runs on each thread.
    ///   - stop: called after a failure, so that the other threads end soon.
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
      // If a thread cannot start, the others do its work.
      let others = others.compactMap { other in
        try? Worker("connection") {
          result { () throws(PostgreSQLError) in try work(other.connection) }
        }
      }
      let results = [result { () throws(PostgreSQLError) in try work(connection) }]
      for result in results + others.map({ $0.result() }) { try result.get() }
    }

    /// Runs independent pieces of work; each thread takes the next piece when it has finished one.
    func share(
      _ pieces: [Work], from connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      let turns = Turns(pieces.count)
      try all(connection) { connection throws(PostgreSQLError) in
        while let piece = turns.take() { try pieces[piece](connection) }
      } stop: {
        turns.end()
      }
    }
  }

  /// A connection of a run, whose statement is canceled when the run is interrupted.
  ///
  /// Otherwise the server would continue, and keep its locks meanwhile. One thread uses it at a time.
  final class RunConnection: @unchecked Sendable {
    let connection: PostgreSQLConnection
    private let gate: Gate
    private let cancellation: Int

    init(_ connection: PostgreSQLConnection, _ gate: Gate) throws(PostgreSQLError) {
      // Nothing that the session commits is needed before the schema is published, so it does not wait for the disk.
      // Each query runs once, so compiling it costs more than it saves: 2 of 12 seconds for a million rows.
      // Dates and times are compared with texts in ISO 8601.
      try connection.execute(
        "SET synchronous_commit = off; SET jit = off; SET datestyle = 'ISO'; SET timezone = 'UTC'")
      if connection.usesCitus { try connection.useCitus() }
      self.connection = connection
      self.gate = gate
      cancellation = gate.pass { [canceller = connection.canceller] unfinished in
        unfinished.add { try? canceller.cancel() }
      }
    }

    deinit { gate.pass { [cancellation] unfinished in unfinished.drop(cancellation) } }
  }
#endif
