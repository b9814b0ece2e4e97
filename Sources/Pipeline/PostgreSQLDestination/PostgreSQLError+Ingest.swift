#if PostgreSQL
  import Facts
  import PostgreSQL

  /// Does something with a server; an error of it says of which output it is.
  ///
  /// - Parameters:
  ///   - place: how the output is called.
  ///   - isStart: whether nothing was done yet.
  ///   - isEnd: whether it was being published.
  ///   - body: does it.
  /// - Returns: What `body` returns.
  /// - Throws: `IngestError` for what `body` throws.
  func attempt<Value: ~Copyable>(
    _ place: String, isStart: Bool = false, isEnd: Bool = false,
    _ body: () throws(PostgreSQLError) -> Value
  ) throws(IngestError) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw IngestError(error, in: place, isStart: isStart, isEnd: isEnd)
    }
  }

  extension IngestError {
    fileprivate init(_ error: PostgreSQLError, in place: String, isStart: Bool, isEnd: Bool) {
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
#endif
