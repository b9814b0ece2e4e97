#if PostgreSQL
  import SQLiteSwiftly

  /// A schema that is filled beside the published one, and then takes its place.
  ///
  /// The published schema `lego` has `lego__new` beside it while a run fills that, and `lego__old` if the one before is
  /// kept. All three have a table that says that this tool made them; what has not is never touched. It is a table
  /// and no comment on the schema, because comments are for the schema's users.
  ///
  /// The lock of the session keeps a second run away. What goes out of scope unpublished is dropped.
  package struct CandidateSchema: ~Copyable {
    /// The table that says who made a schema: one row.
    package static let marker = "ingest_schema"

    /// The name of the schema that is filled.
    package let name: String
    /// The name under which it is published.
    package let target: String
    /// The name of the one that was published before.
    private let previous: String

    let connection: PostgreSQLConnection
    private let observer: DependentObserver
    private let keepsPrevious: Bool
    /// Whether the lock is held, without which the schema of that name is another run's.
    private var isOpen = false
    /// Whether there was a schema to be replaced.
    private var replaces = false

    /// Locks the name `target`, drops what a run left that ended half way, and makes an empty schema with the default
    /// privileges of the published one, which the tables get that are created in it.
    ///
    /// - Parameters:
    ///   - target: the name under which it will be published.
    ///   - tool: the name and version of the program, for those who wonder who made the schema.
    ///   - keepsPrevious: whether the schema that it replaces is kept until the next time.
    ///   - connection: a connection of its own, since the lock is the session's; not one through a pool that gives
    ///     each transaction another session. There must be room for a second one.
    /// - Throws: `PostgreSQLError` with `locked` if another run has the lock, with `foreign` if one of the names is that
    ///   of a schema that this tool has not made, with `inUse` if what is to be dropped is needed by views or foreign
    ///   keys of other schemas, with `misuse` if the name is too long, or the server's own.
    package init(
      replacing target: String, madeBy tool: String, keepsPrevious: Bool = false,
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      name = target + "__new"
      previous = target + "__old"
      self.target = target
      self.keepsPrevious = keepsPrevious
      self.connection = connection
      observer = DependentObserver(besides: connection)
      // The name with what is appended must not be too long either.
      try check(identifier: name)
      try connection.checkCanWrite()
      try connection.lock(schema: target)
      do throws(PostgreSQLError) {
        try observer.connect()
        try create(madeBy: tool)
      } catch {
        try? connection.unlock(schema: target)
        throw error
      }
      isOpen = true
    }

    deinit {
      guard isOpen else { return }
      try? connection.dropAtOnce(schema: name, observer: observer)
      try? connection.unlock(schema: target)
    }

    private func create(madeBy tool: String) throws(PostgreSQLError) {
      try checkOthers()
      let (name, target, connection, observer) = (name, target, connection, observer)
      try connection.transaction { () throws(PostgreSQLError) in
        try connection.drop(schema: name, observer: observer)
        let table = "\(quoted(identifier: name)).\(Self.marker)"
        try connection.execute(
          """
          CREATE SCHEMA \(quoted(identifier: name));
          CREATE TABLE \(table) (made_by text NOT NULL, published_as text NOT NULL);
          COMMENT ON TABLE \(table) IS 'Says that ingest made this schema, and may replace it.';
          INSERT INTO \(table) (made_by, published_as) VALUES (\(quoted(text: tool)), \(quoted(text: target)))
          """)
        try connection.execute(connection.defaultPrivileges(of: target, for: name, ofMember: true))
        guard try connection.exists(schema: target) else { return }
        // Who may read the old schema by its name may not read this one before it has that name.
        try connection.execute(try connection.defaultGrantRevocations(of: name))
      }
    }

    /// Throws if a schema of one of the names must not be touched.
    private func checkOthers() throws(PostgreSQLError) {
      for schema in [target, name, previous] where try connection.isForeign(schema: schema) {
        throw PostgreSQLError(
          .foreign,
          "The schema \(quoted(identifier: schema)) was not made by ingest, and is not replaced",
          hint: "Load into another schema, or drop this one.")
      }
      for schema in keepsPrevious ? [previous] : [previous, target] {
        try connection.checkDependents(of: schema)
      }
    }

    /// Puts the schema into the place of the published one, in one transaction, for which no reader has to wait.
    ///
    /// Owners, privileges, row security and comments are carried over to all that has the same name. Triggers, indexes
    /// and statistics that others have added to the tables are not. Views of other schemas go on showing the previous
    /// one.
    ///
    /// - Returns: What it came to.
    /// - Throws: `PostgreSQLError`, and the published schema is as it was. If the connection is lost, nobody knows
    ///   whether it is.
    package consuming func publish() throws(PostgreSQLError) -> Publication {
      let lost = try connection.defaultPrivileges(of: target, for: target, ofMember: false)
      try checkOthers()
      replaces = try connection.exists(schema: target)
      try connection.beginTransaction()
      do throws(PostgreSQLError) {
        try exchangeNames()
        try connection.commitTransaction()
      } catch {
        connection.rollbackTransaction()
        throw error
      }
      return finish(lost)
    }

    private func exchangeNames() throws(PostgreSQLError) {
      // Nobody is to wait for those who still read what was published before the last time. The disk is waited for,
      // which then has all that the session committed before.
      try connection.execute(
        "SET LOCAL lock_timeout = '\(Self.secondsForLock)s'; SET LOCAL synchronous_commit TO DEFAULT"
      )
      let rowSecurity = try connection.rowSecurity(from: target, to: name)
      // Whoever is given a table must be allowed to have it in the schema, by owning it or by a grant.
      var statements = try connection.schemaOwner(from: target, to: name)
      statements += try connection.schemaPrivileges(from: target, to: name)
      statements += try connection.owners(from: target, to: name)
      statements += try connection.privileges(from: target, to: name)
      statements += try connection.comments(from: target, to: name)
      try connection.execute(statements)
      if replaces {
        try connection.drop(schema: previous, observer: observer)
        try connection.rename(schema: target, to: previous)
      }
      try connection.rename(schema: name, to: target)
      try connection.execute(rowSecurity)
      // What came since the run began; what comes from now on keeps the old schema from being dropped.
      if replaces, !keepsPrevious { try connection.checkDependents(of: previous) }
    }

    /// Does what only makes sense when the schema is in its place.
    private consuming func finish(_ lost: [String]) -> Publication {
      isOpen = false
      var failure: PostgreSQLError?
      do throws(PostgreSQLError) {
        if replaces, !keepsPrevious {
          try connection.dropAtOnce(
            schema: previous, observer: observer, secondsForLock: Self.secondsForLock)
        }
        try connection.unlock(schema: target)
      } catch {
        failure = error
      }
      return Publication(lostPrivileges: lost, failure: failure)
    }

    /// How long readers of a schema that is dropped are waited for.
    private static let secondsForLock = 5

    /// Keeps the schema, which is not to be published, as `NAME__refused`; one that was kept before is dropped.
    ///
    /// - Returns: Its name.
    /// - Throws: `PostgreSQLError`, as `foreign` if there is one of that name that this tool has not made.
    package consuming func keep() throws(PostgreSQLError) -> String {
      let (name, connection, observer) = (name, connection, observer)
      let kept = target + "__refused"
      try check(identifier: kept)
      guard try !connection.isForeign(schema: kept) else {
        throw PostgreSQLError(
          .foreign,
          "The schema \(quoted(identifier: kept)) was not made by ingest, and is not replaced")
      }
      try connection.transaction { () throws(PostgreSQLError) in
        try connection.drop(schema: kept, observer: observer)
        try connection.rename(schema: name, to: kept)
      }
      isOpen = false
      try connection.unlock(schema: target)
      return kept
    }
  }

  /// What became of a schema that is published.
  package struct Publication: Sendable {
    /// The default privileges of other roles in the previous schema, which only they can give the new one.
    package let lostPrivileges: [String]
    /// Why the previous schema was not dropped, or the name not unlocked: the next run drops it, and the end of the
    /// session unlocks the name.
    package let failure: PostgreSQLError?
  }
#endif
