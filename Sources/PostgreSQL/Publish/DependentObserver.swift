#if PostgreSQL
  /// A second session, which sees the dependents of a schema that the first session drops in a transaction.
  ///
  /// It runs single statements, each of which sees everything committed before.
  final class DependentObserver {
    private let connection: PostgreSQLConnection
    private var session: PostgreSQLConnection?

    init(besides connection: PostgreSQLConnection) { self.connection = connection }

    /// Connects in advance: without this connection, no schema can be dropped.
    ///
    /// - Throws: `PostgreSQLError`, stating that a second connection is needed.
    func connect() throws(PostgreSQLError) {
      do throws(PostgreSQLError) {
        let session = try connection.another()
        // The session is idle until everything is loaded. PostgreSQL 13 and older have no such timeout.
        _ = try session.query(
          "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'"
        )
        self.session = session
      } catch {
        throw .secondConnectionFailed(error)
      }
    }

    /// Throws if an object outside a schema depends on one in it.
    func checkDependents(of schema: String) throws(PostgreSQLError) {
      do throws(PostgreSQLError) {
        try session?.checkDependents(of: schema)
        guard session == nil else { return }
      } catch {
        // The connection was idle for a long time, which some networks do not support.
        guard error.isConnectionLost else { throw error }
        session = nil
      }
      try connect()
      try session?.checkDependents(of: schema)
    }
  }
#endif
