import Schema
import Vocabulary
import PostgreSQLDestination
import SQLiteDestination
import Text

extension Arguments {
  var destination: any Destination {
    #if PostgreSQL
      if case .schema(let server, let address) = options.output {
        return SchemaDestination(server, at: address)
      }
    #endif
    return FileDestination(options.output.name)
  }

  /// Reads the output: a file, or a schema of a server by `postgresql://HOST/NAME` or any other URI that libpq accepts.
  mutating func readOutput() throws(UsageError) {
    options.output = out.isEmpty ? .nothing : .file(path: out)
    guard let scheme = ServerAddress.schemes.first(where: out.hasBytePrefix) else {
      let options = [
        ("--jobs", server.connections != 1), ("--publish", server.publishing != .automatic),
        ("--staging", server.staging != nil), ("--allow-loss", server.allowsLoss),
        ("--distribute", server.distributed != nil),
      ]
      if let (option, _) = options.first(where: \.1) {
        throw UsageError(message: "'\(option)' requires a PostgreSQL database in --out")
      }
      return
    }
    #if PostgreSQL
      try require(
        server.staging == nil || server.publishing != .swap,
        "'--staging' cannot be used with '--publish swap', which needs a schema of its own")
      server.connection = out
      if server.staging != nil { server.publishing = .merge }
      try require(
        server.publishing != .merge || !options.keepsPrevious,
        "'--keep-previous' cannot be used with '--publish merge' or '--staging', which replace no schema"
      )
      options.output = .schema(server, address: ServerAddress.redacted(out))
      try require(
        options.rejectsFolder != nil || options.isDryRun,
        "missing option '--rejects DIR': PostgreSQL requires a folder for rejected records")
    #else
      throw UsageError(
        message: "'\(scheme)' is not supported: this ingest was built without PostgreSQL "
          + "(swift build -c release --traits PostgreSQL)")
    #endif
  }

  static func distributed(
    _ text: String, tables: [String]
  ) throws(UsageError) -> [DistributedTable] {
    guard text != "none" else { return [] }
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw .invalidValue(text, of: "--distribute", expected: "TABLE=COLUMN or none")
    }
    try require(parts[0], isOneOf: tables, for: "--distribute")
    return [DistributedTable(table: parts[0], column: parts[1])]
  }

  static func jobs(_ text: String) throws(UsageError) -> Int {
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), 1...99 ~= number
    else {
      throw .invalidValue(text, of: "--jobs", expected: "a number of connections from 1 to 99")
    }
    return number
  }
}
