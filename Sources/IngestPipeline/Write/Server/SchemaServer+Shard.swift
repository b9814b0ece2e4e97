#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  extension SchemaServer {
    /// Makes sure that a shard has as many rows of each table as were read, and only its own rows of those that are
    /// sharded: the server says which these are.
    ///
    /// - Parameters:
    ///   - number: the number of its partition.
    ///   - count: how many there are.
    ///   - sharding: says which tables are sharded.
    ///   - accounts: what was read.
    /// - Throws: `IngestError` for the first table with which it is otherwise.
    func check(
      _ number: Int, of count: Int, _ sharding: Sharding, _ accounts: [TableAccount]
    ) throws(IngestError) {
      for (table, account) in zip(tables, accounts) {
        if let column = sharding.column(of: table.table.name) {
          let strangers = try attempt(place) { () throws(PostgreSQLError) in
            try connection.strangers(
              in: table, besidesPartition: number, of: count, by: column)
          }
          guard strangers == 0 else {
            throw fault("\(table.table.name) has \(strangers.of("row")) of another server's")
          }
        } else {
          let rows = try attempt(place) { () throws(PostgreSQLError) in
            try connection.count(table)
          }
          guard rows == account.inserted else {
            throw fault(
              "\(table.table.name) has \(rows.of("row")), where \(account.inserted.grouped) were copied"
            )
          }
        }
      }
    }

    private func fault(_ what: String) -> IngestError {
      IngestError(
        .fault, runCode: .accountsUnbalanced,
        "\(place): \(what). Nothing was published; run it again, and if that does not help, report it as a fault of "
          + "ingest.")
    }
  }

  extension Array where Element == SchemaServer {
    /// Publishes the schemas of all servers, or of none; the first one is the coordinator.
    ///
    /// The shards are ready to exchange theirs when the coordinator does, whose transaction decides: it has the name under
    /// which they have prepared it. Whatever ends the run then, the next one ends what is left as it was decided.
    ///
    /// - Parameter target: the name under which they are published.
    /// - Returns: What each of them came to, and why one could not end what was decided.
    /// - Throws: `IngestError`; unless it says that nobody knows, nothing is published.
    func publish(
      as target: String
    ) throws(IngestError) -> (publications: [Publication], failure: IngestError?) {
      var candidates = map { Exchange($0) }
      let swap = PostgreSQLConnection.swapPrefix(of: target) + "\(UInt64.random(in: 0 ... .max))"
      let coordinator = candidates.removeFirst()
      for (place, shard) in candidates.enumerated() {
        do throws(PostgreSQLError) {
          try shard.candidate?.prepare(swap)
        } catch {
          for shard in candidates[..<place] { try? shard.candidate?.rollBack(swap) }
          throw IngestError(error, in: shard.place)
        }
      }
      var publications: [Publication] = []
      do throws(PostgreSQLError) {
        if let publication = try coordinator.candidate.take()?
          .publish(candidates.isEmpty ? nil : swap)
        {
          publications.append(publication)
        }
      } catch {
        // The next run asks the coordinator whether it has.
        if error.kind != .uncertain {
          for shard in candidates { try? shard.candidate?.rollBack(swap) }
        }
        throw IngestError(error, in: coordinator.place, isEnd: true)
      }
      var failure: IngestError?
      for shard in candidates {
        do throws(PostgreSQLError) {
          if let publication = try shard.candidate.take()?.commit(swap) {
            publications.append(publication)
          }
        } catch {
          failure =
            failure
            ?? IngestError(
              .inputOutput, undone: "a server has not exchanged its schema yet",
              "\(shard.place): \(error.message.words) The catalogue is published, but this server still has its rows of "
                + "the one before. The next run ends that, or COMMIT PREPARED '\(swap)' there.")
        }
      }
      return (publications, failure)
    }
  }

  /// A server's schema while it is exchanged.
  private final class Exchange {
    let place: String
    var candidate: CandidateSchema?

    init(_ server: SchemaServer) {
      place = server.place
      candidate = server.takeCandidate()
    }
  }
#endif
