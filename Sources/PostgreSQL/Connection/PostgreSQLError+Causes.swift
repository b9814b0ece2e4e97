#if PostgreSQL
  import SQLiteSwiftly

  /// The errors of this module, by their causes.
  extension PostgreSQLError {
    // MARK: - Connection

    static var outOfMemory: PostgreSQLError {
      PostgreSQLError(.connection, "Out of memory for a connection")
    }

    static func connectionStringInvalid(_ reason: String) -> PostgreSQLError {
      PostgreSQLError(.misuse, "The connection string cannot be read: \(reason)")
    }

    static func keywordInvalid(_ keyword: String) -> PostgreSQLError {
      PostgreSQLError(
        .misuse, "The connection string has no valid \(keyword)",
        hint:
          "In a URI, write the characters @ : / ? # % of a user or a password as %40, %3A, %2F, %3F, %23 and %25."
      )
    }

    static var standby: PostgreSQLError {
      PostgreSQLError(
        .misuse, "The server is a standby, which is read-only",
        hint:
          "Connect to the primary server: target_session_attrs=read-write finds it among several hosts."
      )
    }

    static func readOnly(source: String) -> PostgreSQLError {
      PostgreSQLError(
        .misuse,
        "The session is read-only: default_transaction_read_only is on (source: \(source))",
        hint: "Turn it off for this role or database, or load as another role.")
    }

    static func encoding(_ name: String) -> PostgreSQLError {
      PostgreSQLError(
        .misuse, "The database has the encoding \(name), but UTF8 is required",
        hint: "Create a database with ENCODING 'UTF8'.")
    }

    static func serverTooOld(_ name: String) -> PostgreSQLError {
      PostgreSQLError(
        .misuse, "The server is PostgreSQL \(name), but version 12 or later is required")
    }

    static func secondConnectionFailed(_ error: PostgreSQLError) -> PostgreSQLError {
      PostgreSQLError(
        error.kind, "A run needs a second connection: \(error.message.text)",
        hint:
          "Check that max_connections and the CONNECTION LIMIT of the role and the database allow it."
      )
    }

    // MARK: - Schemas

    static func foreign(_ schema: String, hint: String? = nil) -> PostgreSQLError {
      PostgreSQLError(
        .foreign,
        "The schema \(quoted(identifier: schema)) was not made by ingest, so it is not replaced",
        hint: hint)
    }

    static func locked(_ schema: String, by holder: String?) -> PostgreSQLError {
      PostgreSQLError(
        .locked, "Another run is loading into the schema \(quoted(identifier: schema))",
        detail: holder.map { "It is \($0)." })
    }

    static func inUse(_ schema: String, by dependents: [String]) -> PostgreSQLError {
      PostgreSQLError(
        .inUse,
        "The schema \(quoted(identifier: schema)) cannot be dropped, because other objects depend on it",
        detail: dependents.joined(separator: "\n"),
        hint: "Drop these objects, or keep the previous schema.")
    }

    static func oldReaders(of schema: String, _ readers: [String]) -> PostgreSQLError {
      PostgreSQLError(
        .locked,
        "A transaction that is older than the new rows would see the tables of \(quoted(identifier: schema)) "
          + "as empty",
        detail: readers.joined(separator: "\n"),
        hint: "Run again when it has ended, or wait longer with --wait SECONDS.")
    }

    static func restrictionsLost(_ schema: String, _ reasons: [String]) -> PostgreSQLError {
      PostgreSQLError(
        .misuse,
        "The access restrictions of the schema \(quoted(identifier: schema)) cannot be copied to the new one",
        detail: reasons.joined(separator: "\n"))
    }

    // MARK: - Names

    static func nameTooLong(_ name: String) -> PostgreSQLError {
      PostgreSQLError(
        .misuse,
        "The name \(quoted(identifier: name)) has \(name.utf8.count) bytes, but PostgreSQL allows at most "
          + "\(longestIdentifier)")
    }
  }
#endif
