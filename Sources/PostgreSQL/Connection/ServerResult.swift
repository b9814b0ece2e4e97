#if PostgreSQL
  import CPostgreSQL

  /// What a statement came to, as libpq keeps it until its only owner goes out of scope.
  @safe struct ServerResult: ~Copyable {
    let handle: OpaquePointer?

    @unsafe init(_ handle: OpaquePointer?) { unsafe self.handle = unsafe handle }

    deinit { unsafe PQclear(handle) }

    /// What it is; the library has no result when there was no memory or no connection.
    var status: ExecStatusType { unsafe PQresultStatus(handle) }

    /// Whether it is an error.
    var isFailure: Bool {
      [PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR].contains(status)
    }

    /// The command that was done, such as `COMMIT` or `COPY 1000`.
    var command: String {
      unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
    }

    /// The rows that were copied or changed; 0 if the command has none.
    var changedRows: Int {
      unsafe PQcmdTuples(handle).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// The values as text, NULL as nil.
    var rows: [[String?]] {
      let columns = unsafe PQnfields(handle)
      return (0..<(unsafe PQntuples(handle))).map { row in
        (0..<columns).map { column in
          guard unsafe PQgetisnull(handle, row, column) == 0,
            let value = unsafe PQgetvalue(handle, row, column)
          else { return nil }
          return unsafe String(cString: value)
        }
      }
    }
  }
#endif
