#if PostgreSQL
  import CPostgreSQL

  /// The result of a statement, which libpq keeps until its only owner goes out of scope.
  @safe struct ServerResult: ~Copyable {
    let handle: OpaquePointer?

    @unsafe init(_ handle: OpaquePointer?) { unsafe self.handle = unsafe handle }

    deinit { unsafe PQclear(handle) }

    /// The status; the library returns no result when out of memory or not connected.
    var status: ExecStatusType { unsafe PQresultStatus(handle) }

    /// Whether it is an error.
    var isFailure: Bool {
      [PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR].contains(status)
    }

    /// The tag of the completed command, such as `COMMIT` or `COPY 1000`.
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
