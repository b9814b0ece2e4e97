#if PostgreSQL
  import PostgreSQL

  /// The threads of a run that work at once, each over a connection of its own to each of some servers.
  struct ServerThreads: Sendable {
    /// The connection strings.
    let servers: [String]
    /// How many there are, the one that begins among them.
    let count: Int
    let gate: Gate

    /// What is done over one connection to each server, in their order.
    typealias Work = @Sendable ([PostgreSQLConnection]) throws(PostgreSQLError) -> Void

    /// Does the same on all threads.
    ///
    /// - Parameters:
    ///   - connections: the connections of the thread that begins; the others get theirs here.
    ///   - work: what each of them does.
    ///   - stop: is called when one has failed, so that the others end soon.
    /// - Throws: `PostgreSQLError`, the first one in the order of the threads.
    func all(
      _ connections: [PostgreSQLConnection], _ work: @escaping Work,
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
        try? Worker("connection") { [servers, gate] in
          result { () throws(PostgreSQLError) in
            var runs: [RunConnection] = []
            for server in servers { runs.append(try RunConnection(server, gate)) }
            try work(runs.map(\.connection))
          }
        }
      }
      let results = [result { () throws(PostgreSQLError) in try work(connections) }]
      for result in results + others.map({ $0.result() }) { try result.get() }
    }

    /// Does pieces of work that do not depend on one another; each thread takes the next when it is done with one.
    func share(
      _ pieces: [Work], from connections: [PostgreSQLConnection]
    ) throws(PostgreSQLError) {
      let next = Monitor(0)
      try all(connections) { connections throws(PostgreSQLError) in
        while true {
          let piece = next.with { next in
            defer { next += 1 }
            return next
          }
          guard piece < pieces.count else { return }
          try pieces[piece](connections)
        }
      } stop: {
        next.with { $0 = pieces.count }
      }
    }
  }
#endif
