import IngestPipeline

extension Arguments {
  /// Whether an output is a database.
  static func isServer(_ output: String) -> Bool {
    ServerAddress.schemes.contains(where: output.hasPrefix)
  }

  /// Reads an output that is a database: `postgresql://HOST/NAME`, or whatever URI libpq takes.
  mutating func readServer() throws(UsageError) {
    guard let scheme = ServerAddress.schemes.first(where: options.output.hasPrefix) else {
      let others = [
        ("--keep-previous", keepsPrevious), ("--jobs", connections > 1),
        ("--shard", !sharded.isEmpty),
        ("--servers", shardFile != nil),
      ]
      if let (other, _) = others.first(where: \.1) {
        throw UsageError(message: "'\(other)' is for a schema in PostgreSQL, not for a file")
      }
      return
    }
    #if PostgreSQL
      var server = ServerSchema(connection: options.output, name: "")
      server.keepsPrevious = keepsPrevious
      server.connections = connections
      guard sharded.isEmpty == (shardFile == nil) else {
        throw UsageError(
          message: sharded.isEmpty
            ? "'--servers' needs '--shard TABLE=COLUMN', which says what goes to them"
            : "'--shard' needs '--servers FILE', which names the servers")
      }
      server.sharded = sharded
      server.shardFile = shardFile
      options.server = server
      options.output = ServerAddress.shown(options.output)
      let others = [
        ("--dry-run", options.isDryRun), ("--if-changed", options.skipsUnchanged),
        ("--sql", !options.sqlFiles.isEmpty),
      ]
      if let (other, _) = others.first(where: \.1) {
        throw UsageError(message: "'\(other)' is for a catalogue in a file, not in PostgreSQL")
      }
      guard options.rejectsFolder != nil else {
        throw UsageError(
          message:
            "missing option '--rejects DIR': beside a database there is no place for rejected records"
        )
      }
    #else
      throw UsageError(
        message: "'\(scheme)' is not understood: this ingest was built without PostgreSQL "
          + "(swift build -c release --traits PostgreSQL)")
    #endif
  }

  /// Checks the value of `--jobs`.
  static func jobs(_ text: String) throws(UsageError) -> Int {
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), 1...99 ~= number
    else {
      throw UsageError(
        message: "'\(text)' is no number of connections for --jobs: give one from 1 to 99")
    }
    return number
  }

  /// Checks the value of `--shard`.
  static func sharded(
    _ text: String, tables: [String]
  ) throws(UsageError) -> ServerSchema.ShardedTable {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw UsageError(
        message: "'\(text)' is no value for --shard: give a table and its column, such as "
          + "inventory_parts=inventory_id")
    }
    try check(String(parts[0]), isOneOf: tables, for: "--shard")
    return ServerSchema.ShardedTable(String(parts[0]), by: String(parts[1]))
  }
}
