#if PostgreSQL
  /// A second session, which sees what depends on a schema that the first drops in a transaction.
  ///
  /// It reads only single statements, each of which sees what is committed by then.
  final class DependentObserver {
    private let connection: PostgreSQLConnection
    private var session: PostgreSQLConnection?

    init(besides connection: PostgreSQLConnection) { self.connection = connection }

    /// Connects, before there is anything to look at: without room for it nothing can be dropped.
    ///
    /// - Throws: `PostgreSQLError`, which says that a second connection is needed.
    func connect() throws(PostgreSQLError) {
      do throws(PostgreSQLError) {
        let session = try connection.another()
        // It waits until all is loaded. Before PostgreSQL 14 there is no such timeout.
        _ = try session.query(
          "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'"
        )
        self.session = session
      } catch {
        throw PostgreSQLError(
          error.kind, "A run needs a second connection: \(error.message.text)",
          hint:
            "See that max_connections and the CONNECTION LIMIT of the role and the database have room for it."
        )
      }
    }

    /// Throws if something outside of a schema needs something in it.
    func checkDependents(of schema: String) throws(PostgreSQLError) {
      do throws(PostgreSQLError) {
        try session?.checkDependents(of: schema)
        guard session == nil else { return }
      } catch {
        // For a long time it had nothing to do, which not every network bears.
        guard error.isConnectionLost else { throw error }
        session = nil
      }
      try connect()
      try session?.checkDependents(of: schema)
    }
  }
#endif
