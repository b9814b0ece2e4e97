#if PostgreSQL
  import Vocabulary
  import PostgreSQL
  import Text

  extension IngestError {
    /// A failure of the server at the output `place`: at the start, with nothing done yet, at the end, while publishing,
    /// or where the output is only read.
    init(
      _ error: PostgreSQLError, in place: String, isStart: Bool = false, isEnd: Bool = false,
      isReading: Bool = false
    ) {
      let serverKind = Kind(sqlState: error.message.sqlState ?? "")
      if error.kind == .script, ![.locked, .inputOutput].contains(serverKind) {
        self.init(.data, code: .run(.sqlFailed), "\(error.message.words) Nothing was published.")
        return
      }
      // While publishing, only code of others has a context: triggers, expressions of indexes and so on.
      let isOfOthers =
        serverKind == .fault
        && (error.message.isOfFunction || isEnd && error.message.context != nil)
      let kind: Kind =
        switch error.kind {
        case .locked: .locked
        case .foreign, .inUse, .misuse: .output
        case .connection: isStart ? .output : .inputOutput
        case .uncertain: isEnd ? .uncertain : .inputOutput
        // A constraint that others have added to the published tables, or a foreign key to them.
        case .server where isEnd && error.message.sqlState?.hasPrefix("23") == true: .output
        case .server where isOfOthers: .output
        case .server, .script: serverKind
        }
      let outcome =
        kind == .uncertain
        ? " It may have been published: check ingest_sources, or run again."
        : isReading ? "" : " Nothing was published."
      let isMissing = isOfOthers && error.message.sqlState?.hasPrefix("42") == true
      let reason =
        isMissing
        ? " The search path of a run is \(PostgreSQLConnection.searchPath): write the schema before such names, or "
          + "set the search_path of this code." : ""
      self.init(kind, "\(place): \(error.message.words)\(reason)\(outcome)")
    }

    static func rowCountWrong(
      _ output: String, table: String, found: Int, copied: Int
    ) -> IngestError {
      IngestError(
        .fault, code: .run(.accountsUnbalanced),
        "\(output): \(table) has \(found.of("row")), but \(copied.grouped) \(copied.verb("was", "were")) copied. Nothing was published. Run "
          + "again; if the counts still differ, report this as a bug in ingest.")
    }

    static func extensionMissing(_ output: String) -> IngestError {
      IngestError(
        .output,
        "\(output): The database does not have the extension citus, which distributes tables. CREATE EXTENSION citus, and "
          + "add the other nodes. Nothing was published.")
    }

    static func notDistributable(_ output: String, option: String) -> IngestError {
      IngestError(
        .output,
        "\(output): \(option) is not supported for tables that Citus distributes. Nothing was published."
      )
    }

    static func previousNotDropped(_ output: String, _ error: PostgreSQLError) -> IngestError {
      IngestError(
        .inputOutput, undone: "the previous schema could not be dropped",
        "\(output): published, but the previous schema could not be dropped: \(error.message.words) The next run "
          + "will drop it.")
    }
  }

  extension IngestError.Kind {
    /// The kind of a failure with an SQLSTATE
    /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
    fileprivate init(sqlState: String) {
      switch sqlState {
      case "55P03": self = .locked
      // No permission, no such database, a read-only session, dependent objects.
      case "42501", "3D000", "25006", "2BP01": self = .output
      // An exception raised by a trigger of the administrator.
      case let state where state.hasPrefix("P0"): self = .output
      default:
        let faultsOfTheMachine = ["08", "40", "53", "54", "55", "57", "58", "F0", "XX"]
        self = faultsOfTheMachine.contains { sqlState.hasPrefix($0) } ? .inputOutput : .fault
      }
    }
  }

  extension ServerMessage {
    /// The message in one line, with the code and the hint of the server.
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
