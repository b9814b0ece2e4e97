#if PostgreSQL
  import SQLiteSwiftly
  import Text

  /// Custom SQL that runs in a schema being filled, in the current transaction.
  ///
  /// It can read everything, and create objects in the schema, but change no existing table, nor anything of others.
  package struct ScriptRun {
    private let connection: PostgreSQLConnection
    private let schema: String
    /// The relations in the schema at the start, and those outside it by name.
    private let own: [String]
    private var others: [String: String]
    private var start: State

    /// - Throws: `PostgreSQLError` with `misuse` if the server does not count rows.
    package init(
      in schema: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      self.connection = connection
      self.schema = schema
      own = try connection.texts(
        "SELECT oid FROM pg_class WHERE relnamespace = $1::regnamespace",
        [quoted(identifier: schema)])
      (others, start) = ([:], State())
      others = try relations("true", [])
      start = try state()
      guard start.countsRows else {
        throw PostgreSQLError(
          .misuse, "Changes by custom SQL cannot be found while track_counts is off",
          hint: "Turn it on for the database.")
      }
    }

    /// The relations outside the schema that meet a condition, by identifier.
    private func relations(
      _ condition: String, _ parameters: [String]
    ) throws(PostgreSQLError) -> [String: String] {
      let rows = try connection.query(
        """
        SELECT c.oid, format('%I.%I', nspname, relname) FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = relnamespace
        WHERE nspname NOT IN ($1, 'pg_catalog', 'information_schema') AND nspname !~ '^pg_(toast|temp_)' AND \(condition)
        """, [schema] + parameters)
      return Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first }
    }

    /// Runs the statements of a script, and restores the settings of the session.
    ///
    /// - Returns: The number of statements.
    /// - Throws: `PostgreSQLError` with `script` if a statement fails or changes what it must not; its text begins with the
    ///   path and the line.
    package func run(_ script: SQLScript) throws(PostgreSQLError) -> Int {
      let settings = try self.settings()
      // Within it, TRUNCATE makes a new file, by which it is found.
      try connection.execute("SAVEPOINT \"ingest script\"")
      for (index, statement) in script.statements.enumerated() {
        try mapError(as: { error in
          let place = error.message.position ?? 1
          let before = statement.text.unicodeScalars.prefix(max(place - 1, 0))
          let line = statement.line + before.count { $0 == "\n" }
          return error.inScript("\(script.path):\(line): statement \(index + 1): ")
        }) { () throws(PostgreSQLError) in
          try Self.check(statement)
          try connection.building(in: schema) { () throws(PostgreSQLError) in
            _ = try connection.query(statement.text)
          }
        }
      }
      try mapError(as: { $0.inScript("\(script.path): at the end: ") }) {
        () throws(PostgreSQLError) in
        // Deferred triggers and keys would otherwise come after the check.
        try connection.building(in: schema) { () throws(PostgreSQLError) in
          try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; RELEASE \"ingest script\"")
        }
      }
      if let refusal = try refusal(try state()) {
        throw PostgreSQLError(.script, ServerMessage("\(script.path): \(refusal)"))
      }
      try restore(settings)
      return script.statements.count
    }

    private static func check(_ statement: SQLScript.Statement) throws(PostgreSQLError) {
      let transactions = [
        "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release",
      ]
      if let word = statement.words.first, transactions.contains(word) {
        throw PostgreSQLError(
          .misuse,
          "All files run in one transaction that ingest begins and ends: remove \(word.uppercased())"
        )
      }
      if statement.words.starts(with: ["prepare", "transaction"]) {
        throw PostgreSQLError(.misuse, "Transactions cannot be prepared in custom SQL")
      }
      if statement.words.first == "copy" {
        throw PostgreSQLError(.misuse, "COPY cannot be used in custom SQL: use INSERT")
      }
      if statement.text.hasPrefix("\\") {
        throw PostgreSQLError(.misuse, "Commands of psql are not SQL")
      }
    }

    /// What custom SQL must not change.
    private struct State {
      var role = ""
      var countsRows = false
      /// The advisory locks of the session, one of which is that of the run.
      var advisoryLocks = ""
      /// The objects of the schema, and its tables with their columns, the rows written in this transaction, and so on.
      var shape: Set<String> = []
      var tables: [String: String] = [:]
      var locks: Set<[String?]> = []
    }

    private func state() throws(PostgreSQLError) -> State {
      let session = try connection.query(
        """
        SELECT current_user, current_setting('track_counts'), (SELECT count(*) FROM pg_locks
          WHERE pid = pg_backend_pid() AND locktype = 'advisory')
        """)[0]
      let tables = try connection.query(
        """
        SELECT c.relname, concat_ws(' ', c.oid, relfilenode, relnatts, relchecks, relhasrules, relowner, relacl,
          relrowsecurity, relforcerowsecurity, reloptions, n_tup_ins, n_tup_upd, n_tup_del,
          (SELECT count(*) FROM pg_policy WHERE polrelid = c.oid),
          (SELECT string_agg(tgenabled::text, '' ORDER BY tgname) FROM pg_trigger WHERE tgrelid = c.oid
            AND NOT (tgisinternal AND tgenabled = 'O')))
        FROM pg_class AS c LEFT JOIN pg_stat_xact_user_tables AS s ON s.relid = c.oid
        WHERE c.oid = ANY ($1::oid[]) AND relkind = 'r'
        """, ["{\(own.joined(separator: ","))}"])
      return State(
        role: session[0] ?? "", countsRows: session[1] == "on", advisoryLocks: session[2] ?? "",
        shape: Set(try connection.shape(of: schema, publishedAs: schema).map(\.words)),
        tables: Dictionary(tables.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first },
        locks: Set(
          try connection.query(
            """
            SELECT relation, mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation'
            AND mode NOT IN ('AccessShareLock', 'RowShareLock')
            """)))
    }

    /// Why the changes since the start are refused; nil if they are not.
    private func refusal(_ now: State) throws(PostgreSQLError) -> String? {
      if now.role != start.role {
        return "the role was changed to \(now.role): end with RESET ROLE"
      }
      if !now.countsRows { return "track_counts was turned off" }
      if now.advisoryLocks != start.advisoryLocks { return "the advisory locks were changed" }
      let names = start.tables.keys.sorted()
      if let table = names.first(where: { now.tables[$0] != start.tables[$0] }) {
        return "\(table) was made by ingest: it can be read and indexed, but not changed"
      }
      if let object = start.shape.subtracting(now.shape).sorted().first {
        return "an object made by ingest was changed: \(object)"
      }
      // The relation may have been dropped or created.
      let locked = now.locks.subtracting(start.locks).compactMap { $0[0] }
      let created = try relations("c.oid = ANY ($2::oid[])", ["{\(locked.joined(separator: ","))}"])
      if let other = (locked.compactMap { others[$0] } + created.values).min() {
        return "\(other) is outside the new schema, where nothing can be created or changed"
      }
      let reserved = try made().map(\.name).first {
        $0.utf8.starts(with: "ingest_".utf8) || $0.utf8.starts(with: "ingest ".utf8)
      }
      return reserved.map { "names beginning with ingest_, such as \($0), are reserved" }
    }

    /// The settings that differ from those of the server, by name.
    private func settings() throws(PostgreSQLError) -> [String: String?] {
      let rows = try connection.query(
        "SELECT name, setting FROM pg_settings WHERE source = 'session' AND name <> 'search_path'")
      return Dictionary(rows.map { ($0[0] ?? "", $0[1]) }) { first, _ in first }
    }

    private func restore(_ before: [String: String?]) throws(PostgreSQLError) {
      let now = try settings()
      for name in Set(before.keys).union(now.keys) where now[name] != before[name] {
        if let known = before[name] {
          _ = try connection.query("SELECT set_config($1, $2, false)", [name, known])
        } else {
          try connection.execute("RESET \(quoted(identifier: name))")
        }
      }
      try connection.execute("DISCARD TEMP; SET search_path = \(PostgreSQLConnection.searchPath)")
    }

    /// The tables, views and indexes that scripts have made so far, without the indexes of keys.
    package func made() throws(PostgreSQLError) -> [(type: String, name: String)] {
      try connection.query(
        """
        SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'i' THEN 'index' ELSE 'table' END, relname
        FROM pg_class AS c WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'i')
        AND oid <> ALL ($2::oid[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)
        ORDER BY 1, 2
        """, [quoted(identifier: schema), "{\(own.joined(separator: ","))}"]
      ).map { ($0[0] ?? "", $0[1] ?? "") }
    }

    /// Whether a table that scripts have made refers to another table of the schema.
    func refersToOwn() throws(PostgreSQLError) -> Bool {
      try !connection.query(
        "SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = ANY ($1::oid[]) AND conrelid <> ALL ($1::oid[])",
        ["{\(own.joined(separator: ","))}"]
      ).isEmpty
    }

    /// Gathers the statistics of the tables that scripts have made.
    package func analyze() throws(PostgreSQLError) {
      try connection.execute(
        try connection.texts(
          """
          SELECT format('ANALYZE %s', oid::regclass) FROM pg_class
          WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'm') AND oid <> ALL ($2::oid[])
          """, [quoted(identifier: schema), "{\(own.joined(separator: ","))}"]))
    }
  }

  extension PostgreSQLError {
    fileprivate func inScript(_ place: String) -> PostgreSQLError {
      PostgreSQLError(isConnectionLost ? kind : .script, message.prefixed(by: place))
    }
  }
#endif
