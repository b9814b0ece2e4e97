import Facts
import PostgreSQLDestination
import SQLiteDestination

extension Arguments {
  /// What the run is given to write to.
  var destination: any (Destination & ~Copyable).Type {
    #if PostgreSQL
      if options.server != nil { return SchemaDestination.self }
    #endif
    return FileDestination.self
  }

  /// Reads an output that is a database: `postgresql://HOST/NAME`, or whatever URI libpq takes.
  mutating func readServer() throws(UsageError) {
    guard let scheme = ServerAddress.schemes.first(where: options.output.hasPrefix) else {
      try require(connections == 1, "'--jobs' is for a schema in PostgreSQL, not for a file")
      return
    }
    #if PostgreSQL
      var server = ServerSchema(connection: options.output, name: "")
      server.connections = connections
      options.server = server
      options.output = ServerAddress.shown(options.output)
      let others = [
        ("--dry-run", options.isDryRun), ("--if-changed", options.skipsUnchanged),
        ("--sql", !options.sqlFiles.isEmpty),
      ]
      if let (other, _) = others.first(where: \.1) {
        throw UsageError(message: "'\(other)' is for a catalog in a file, not in PostgreSQL")
      }
      try require(
        options.rejectsFolder != nil,
        "missing option '--rejects DIR': beside a database there is no place for rejected records")
    #else
      throw UsageError(
        message: "'\(scheme)' is not understood: this ingest was built without PostgreSQL "
          + "(swift build -c release --traits PostgreSQL)")
    #endif
  }

  static func jobs(_ text: String) throws(UsageError) -> Int {
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), 1...99 ~= number
    else {
      throw UsageError(
        message: "'\(text)' is no number of connections for --jobs: give one from 1 to 99")
    }
    return number
  }
}
