import Vocabulary
import PostgreSQLDestination
import IngestReport
import SQLiteDestination
import SQLiteSwiftly
import Text
import Provenance

/// `ingest history FILE`: prints the runs that led to a database.
struct HistoryCommand {
  let database: DatabaseOperand
  let isJSON: Bool

  func run() throws(IngestError) -> ExitStatus {
    let history = try history()
    return Console.printResults(isJSON ? history.document.lines : lines(of: history))
  }

  private func history() throws(IngestError) -> History {
    switch database {
    case .file(let path):
      return try DatabaseFile(path, applicationID: nil).reading { connection throws(SQLiteError) in
        try Provenance.history(in: connection)
      }
    case .schema(let server):
      #if PostgreSQL
        return try PublishedSchema(server).reading { provenance throws(SQLiteError) in
          try Provenance.history(in: provenance)
        }
      #else
        preconditionFailure("\(server.name) is on a server")
      #endif
    }
  }

  private func lines(of history: History) -> [String] {
    guard !history.runs.isEmpty else { return ["\(database.words): no runs are recorded"] }
    let rows = history.runs.map { run in
      let keys = run.tables.compactMap(\.keys).sum
      return [
        "\(run.number)", run.state, run.tables.reduce(0) { $0 + $1.rows }.grouped,
        keys?.added.grouped ?? "-", keys?.removed.grouped ?? "-", keys?.changed.grouped ?? "-",
        run.tables.reduce(0) { $0 + $1.rejected }.grouped,
        run.dataTime.map { String($0.prefix(10)) } ?? "-",
      ]
    }
    let header = [
      "run", "verdict", "rows", "keys added", "removed", "changed", "rejected", "data of",
    ]
    let lasting =
      history.lasting.map { "\($0.code.rawValue): \($0.message)" }
      + history.accepted.map { "\($0.code.rawValue) (suppressed): \($0.message)" }
    return columns([header] + rows)
      + (lasting.isEmpty ? [] : [""] + lasting.map { $0.printable(keepingLineFeeds: false) })
  }
}
