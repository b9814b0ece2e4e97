#if PostgreSQL
  import Facts
  package import PostgreSQL
  import SQLiteSwiftly

  /// Does something with a server, and says of what output it is when that fails.
  ///
  /// - Parameters:
  ///   - place: how the output is called.
  ///   - isStart: whether nothing was done yet.
  ///   - body: does it.
  /// - Returns: What `body` returns.
  /// - Throws: `IngestError` for what `body` throws.
  func attempt<Value: ~Copyable>(
    _ place: String, isStart: Bool = false, _ body: () throws(PostgreSQLError) -> Value
  ) throws(IngestError) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw IngestError(error, in: place, isStart: isStart)
    }
  }

  extension IngestError {
    /// A failure of the server, or of the way to it.
    ///
    /// - Parameters:
    ///   - error: what happened.
    ///   - place: how the output is called.
    ///   - isStart: whether nothing was done yet.
    ///   - isEnd: whether it was being published.
    package init(
      _ error: PostgreSQLError, in place: String, isStart: Bool = false, isEnd: Bool = false
    ) {
      let kind: Kind =
        switch error.kind {
        case .locked: .locked
        case .foreign, .inUse, .misuse: .output
        case .connection: isStart ? .output : .inputOutput
        case .uncertain: isEnd ? .uncertain : .inputOutput
        case .server: Kind(sqlState: error.message.sqlState ?? "")
        }
      let outcome =
        kind == .uncertain
        ? "Nobody knows whether it was published: look at ingest_sources, or run it again."
        : "Nothing was published."
      self.init(kind, "\(place): \(error.message.words) \(outcome)")
    }
  }

  extension IngestError.Kind {
    /// The kind of a failure by its code
    /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
    fileprivate init(sqlState: String) {
      switch sqlState {
      case "55P03": self = .locked
      // Not permitted, no such database, a session that may only read, in use by others.
      case "42501", "3D000", "25006", "2BP01": self = .output
      // What a trigger of the administrator's raises.
      case let state where state.hasPrefix("P0"): self = .output
      default:
        let faultsOfTheMachine = ["08", "40", "53", "54", "55", "57", "58", "F0", "XX"]
        self = faultsOfTheMachine.contains { sqlState.hasPrefix($0) } ? .inputOutput : .fault
      }
    }
  }

  extension ServerMessage {
    /// The message in one line, with the server's own code and advice.
    var words: String {
      func sentence(_ text: String) -> String {
        let line = text.split { $0 == "\n" || $0 == "\t" }.joined(separator: " ")
        return line.hasSuffix(".") ? line : line + "."
      }
      let first =
        sentence(text).dropLast() + (sqlState.map { " (\(severity), SQLSTATE \($0))." } ?? ".")
      return ([String(first)] + [detail, hint, context].compactMap(\.self).map(sentence))
        .joined(separator: " ")
    }
  }

  extension PostgreSQLConnection {
    /// Makes the session one that loads.
    ///
    /// Until the schema is published, nobody needs what it commits, so it does not wait for the disk. And what it asks,
    /// it asks once: to compile that takes longer than it saves, 2 of 12 seconds for a million rows. What several servers
    /// know of the same partitions they compare themselves.
    func prepareForLoading() throws(PostgreSQLError) {
      try execute("SET synchronous_commit = off; SET jit = off; SET enable_partitionwise_join = on")
    }
  }
#endif
